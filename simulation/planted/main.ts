/**
 * `npm run simulate -- --planted [WORD…] [--seeds N]`: plays seeds with each planted fault until it is found, and that
 * seed once more without the fault, which must pass.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PlantedFault } from './fault.js';
import { PLANTED_FAULTS } from './faults.js';

/** Short, because every promise is worth a look in each. */
const WORLD = { days: 3, requests: 6 };
const WORDS_MAX = 120;
/** Ids say nothing without their seed. */
const IDS = /[\w-]*[\da-f]{8,}[\w-]*/g;

/** Exit code 0 when each of the wanted faults is found. */
export function showPlanted(argv: string[]): number {
  const { values, positionals: words } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { seeds: { type: 'string', default: '300' } },
  });
  const faults = PLANTED_FAULTS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (faults.length === 0) {
    process.stderr.write(`No planted fault is called like ${words.join(' or ')}.\n`);
    return 2;
  }
  const found = faults.filter((fault) => play(fault, Number(values.seeds)));
  process.stdout.write(`\n${found.length} of ${faults.length} found.\n`);
  return found.length === faults.length ? 0 : 1;
}

/** True when it was found, and would not have been without being planted. */
function play(fault: PlantedFault, seedsMax: number): boolean {
  const stdout = simulate(fault, ['--seeds', String(seedsMax)], fault.name);
  const broken = brokenIn(stdout);
  if (!broken && !stdout.includes(`seed ${seedsMax} `))
    throw new Error(`${fault.name}: ${stdout.slice(-2_000)}`);
  const anyway = broken && brokenIn(simulate(fault, ['--seed', broken.seed]));
  const words = (anyway ?? broken)?.words.replaceAll(IDS, '…').slice(0, WORDS_MAX) ?? '';
  const found = anyway ? `${anyway.seed}, but also without it:` : (broken?.seed ?? `not in ${seedsMax}`);
  process.stdout.write(`${fault.name}: ${found} ${words}\n`);
  return broken !== undefined && anyway === undefined;
}

interface Broken {
  seed: string;
  words: string;
}

function brokenIn(stdout: string): Broken | undefined {
  const found = /^BROKEN at step \d+: (.*)\n(?:.*\n)*?Again: .*--seed (\d+)/m.exec(stdout);
  return found ? { words: found[1] as string, seed: found[2] as string } : undefined;
}

/** The output of seeds with a planted fault, or without one. */
function simulate({ world }: PlantedFault, options: readonly string[], planted?: string): string {
  const here = import.meta.dirname;
  const { days, requests, often = '' } = { ...WORLD, ...world };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...(planted === undefined ? [] : ['--import', join(here, 'plant.js')]),
      join(here, '../main.js'),
      '--days',
      String(days),
      '--requests',
      String(requests),
      ...(often.length > 0 ? ['--often', [often].flat().join()] : []),
      '--no-shrink',
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
