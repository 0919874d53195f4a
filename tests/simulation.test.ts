/** The simulator itself, in its smallest worlds; more of them, and harder ones, are in tests/machines/simulation.test.ts. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { simulate } from './support/simulate.js';

test('a firm with two requests and every kind of trouble breaks no promise', () => {
  const { status, stdout } = simulate('--seed', '3', '--requests', '2');
  expect(stdout).not.toContain('BROKEN');
  expect(status).toBe(0);
  // If the stories have changed, choose another seed.
  expect(stdout).toContain(' COMPLETE ');
  // However busy the machine is.
}, 1_200_000);

test('a full disk of the world refuses no file outside, whose number a closed stream has left', () => {
  const outside = `
    import fs from 'node:fs';
    import { tmpdir } from 'node:os';
    import { installFiles } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, '../dist/simulation/machine/files.js')).href)};
    const disk = { chance: { happens: () => false, between: () => 0 }, isFull: false, unsynced: new Set(), renamed: [] };
    const world = { isFrozen: false, usesFile: () => true, happened() {}, after: (_, act) => setImmediate(act) };
    const place = fs.mkdtempSync(tmpdir() + '/esign-simulation-');
    installFiles({ world: () => world, disk: () => disk });
    fs.createWriteStream(place + '/in').end('x').on('close', () => {
      disk.isFull = true;
      try {
        fs.writeFileSync(place + '/out', Buffer.from('stored'));
        process.stdout.write(fs.readFileSync(place + '/out'));
      } finally {
        fs.rmSync(place, { recursive: true });
      }
    });`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', outside], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('stored');
});
