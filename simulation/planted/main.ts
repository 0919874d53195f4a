/** Plays seeds with each planted fault until it is found, and prints how many it took: the table of docs/simulation.md. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PLANTED_FAULTS, type PlantedFault } from './faults.js';

const SEEDS_MAX = 300;

const wanted = process.argv.slice(2);
const faults = PLANTED_FAULTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
process.stdout.write('| Planted fault | Found with seed | By |\n|---|---|---|\n');
for (const fault of faults) {
  const { seed, words } = search(fault);
  process.stdout.write(`| ${fault.name} | ${seed ?? `not in ${SEEDS_MAX} seeds`} | ${words} |\n`);
  if (seed === undefined) process.exitCode = 1;
}

function search({ name }: PlantedFault): { seed: string | undefined; words: string } {
  const here = import.meta.dirname;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', join(here, 'plant.js'), join(here, '../main.js'), '--seeds', String(SEEDS_MAX)],
    { env: { ...process.env, PLANTED_FAULT: name }, encoding: 'utf8', maxBuffer: 1024 ** 3 },
  );
  const found = /^BROKEN at step \d+: (.*)\nAgain: .*--seed (\d+)/m.exec(stdout);
  if (!found && !stdout.includes(`seed ${SEEDS_MAX} `))
    throw new Error(`${name}: ${stderr || stdout.slice(-2_000)}`);
  return { seed: found?.[2], words: found?.[1] ?? '' };
}
