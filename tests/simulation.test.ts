/** The simulator itself: the same seed is the same world, and fixed seeds hold every promise (docs/simulation.md). */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** As it is built: `npm test` builds it first. */
const PROGRAM = join(import.meta.dirname, '../dist/simulation/main.js');

function simulate(...options: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...options], {
    encoding: 'utf8',
    timeout: 600_000,
  });
  return { status, stdout };
}

const digestsIn = (stdout: string) => [...stdout.matchAll(/digest (\w+)/g)].map(([, digest]) => digest);

test.skipIf(!existsSync(PROGRAM))(
  'ten seeds break no promise, and a seed is the same world again',
  () => {
    const ten = simulate('--seed', '1', '--seeds', '10', '--days', '2', '--requests', '6');
    expect(ten.stdout).not.toContain('BROKEN');
    expect(ten.status).toBe(0);
    const digests = digestsIn(ten.stdout);
    expect(new Set(digests).size).toBe(10);
    // Alone, and so with nothing before it in its process.
    const again = simulate('--seed', '7', '--days', '2', '--requests', '6');
    expect(digestsIn(again.stdout)).toEqual([digests[6]]);
    // However busy the machine is.
  },
  1_200_000,
);
