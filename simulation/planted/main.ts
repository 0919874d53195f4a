/**
 * `npm run simulate -- --planted [WORD…]`: plays seeds with each planted fault until it is found, and the same seed
 * without it, which must pass. Prints how many seeds each took: the table of docs/simulation.md.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { PlantedFault } from './fault.js';
import { PLANTED_FAULTS } from './faults.js';

const SEEDS_MAX = 300;
/** Short, because every promise is worth a look in each. */
const WORLD = { days: 3, requests: 6 };

/** Exit code 0 when each of the wanted faults is found. */
export function showPlanted(words: readonly string[]): number {
  const faults = PLANTED_FAULTS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (faults.length === 0) {
    process.stderr.write(`No planted fault is called like ${words.join(' or ')}.\n`);
    return 2;
  }
  process.stdout.write('| Planted fault | Found with seed | By |\n|---|---|---|\n');
  const found = faults.map((fault) => {
    const { seed, words: by } = search(fault);
    process.stdout.write(`| ${fault.name} | ${seed ?? `not in ${SEEDS_MAX}`} | ${by} |\n`);
    return seed !== undefined;
  });
  process.stdout.write(`\n${found.filter(Boolean).length} of ${found.length} found.\n`);
  return found.every(Boolean) ? 0 : 1;
}

function search(fault: PlantedFault): { seed: string | undefined; words: string } {
  const stdout = simulate(fault, ['--seeds', String(SEEDS_MAX)], fault.name);
  const broken = brokenIn(stdout);
  if (!broken) {
    if (!stdout.includes(`seed ${SEEDS_MAX} `)) throw new Error(`${fault.name}: ${stdout.slice(-2_000)}`);
    return { seed: undefined, words: '' };
  }
  const without = brokenIn(simulate(fault, ['--seed', broken.seed]));
  if (without) throw new Error(`seed ${broken.seed} breaks without the fault too: ${without.words}`);
  return broken;
}

function brokenIn(stdout: string): { seed: string; words: string } | undefined {
  const found = /^BROKEN at step \d+: (.*)\n(?:.*\n)*?Again: .*--seed (\d+)/m.exec(stdout);
  return found ? { words: found[1] as string, seed: found[2] as string } : undefined;
}

/** The output of seeds with a planted fault, or without one. */
function simulate({ world }: PlantedFault, options: readonly string[], planted?: string): string {
  const here = import.meta.dirname;
  const { days, requests } = { ...WORLD, ...world };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...(planted === undefined ? [] : ['--import', join(here, 'plant.js')]),
      join(here, '../main.js'),
      '--days',
      String(days),
      '--requests',
      String(requests),
      ...options,
    ],
    {
      env: { ...process.env, ...(planted !== undefined && { PLANTED_FAULT: planted }) },
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
    },
  );
  return stdout || stderr;
}
