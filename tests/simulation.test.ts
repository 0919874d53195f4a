/** A part of the simulator; its worlds are played in tests/machines/simulation.test.ts. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

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
