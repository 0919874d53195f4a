/** The simulator itself: the same seed is the same world, and fixed seeds hold every promise (docs/simulation.md). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/** As it is built: `npm test` builds it first. */
const PROGRAM = join(import.meta.dirname, '../dist/simulation/main.js');

// Small worlds: many seeds find more than long stories, and `npm run simulate` plays the long ones.
const SHORT = ['--days', '1', '--requests', '4'];

function simulate(...options: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...options], {
    encoding: 'utf8',
    timeout: 600_000,
  });
  return { status, stdout };
}

const digestsIn = (stdout: string) => [...stdout.matchAll(/digest (\w+)/g)].map(([, digest]) => digest);

test('ten seeds, with restores, power cuts, renewed payments and a second firm, break no promise; a seed is the same world again', () => {
  const usual = simulate('--seed', '1', '--seeds', '8', ...SHORT);
  const restored = simulate('--seed', '4', '--seeds', '2', ...SHORT, '--often', 'restore,payment');
  const ten = usual.stdout + restored.stdout;
  expect(ten).not.toContain('BROKEN');
  expect([usual.status, restored.status]).toEqual([0, 0]);
  // If the stories have changed, choose other seeds.
  for (const word of [
    'restores',
    'power failures',
    'payments renewed',
    'payments given up',
    'second installation',
  ])
    expect(ten).toContain(` ${word} `);
  const digests = digestsIn(ten);
  expect(new Set(digests).size).toBe(10);
  // Alone, and so with nothing before it in its process.
  const again = simulate('--seed', '7', ...SHORT);
  expect(digestsIn(again.stdout)).toEqual([digests[6]]);
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
