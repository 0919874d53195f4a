/** The simulator itself: the same seed is the same world, and fixed seeds hold every promise (docs/simulation.md). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
