/**
 * `npm run mutants [-- PART…]`: puts small faults into the code, one at a time, and prints those that no test notices, then
 * the table of docs/mutants.md. Slow, so not part of `npm test`. What earlier runs found lies in `reports/mutants`; only
 * what code or tests have changed since is asked again.
 */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { PARTS, type Part } from './parts.js';

type Status = 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage';
type Mutants = readonly { status: Status }[];
type Stryker = new (options: object) => { runMutationTest(): Promise<Mutants> };

/** In percent: below it the run fails. */
const SCORE_MIN = 85;

// In a folder of its own, because it alone brings 140 packages.
const own = createRequire(`${process.cwd()}/ops/mutants/`).resolve('@stryker-mutator/core');
const { Stryker } = (await import(pathToFileURL(own).href)) as { Stryker: Stryker };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);

const parts = asked.length > 0 ? asked : Object.keys(PARTS);
const rows: string[] = [];
for (const name of parts) rows.push(rowOf(name, await mutantsOf(name, PARTS[name] as Part)));
process.stdout.write(
  `\n| Date | Part | Mutants | Noticed | Survived | Never run | Score |\n|---|---|--:|--:|--:|--:|--:|\n`,
);
for (const row of rows) process.stdout.write(row);

function mutantsOf(name: string, { mutate, tests, cpuMaxMs = 0 }: Part): Promise<Mutants> {
  // Read in Stryker's processes by vitest.config.ts and tests/support/patience.ts.
  process.env['MUTANTS_PART'] = name;
  return new Stryker({
    mutate,
    testFiles: tests,
    testRunner: 'vitest',
    vitest: { configFile: 'ops/mutants/vitest.config.ts', related: false },
    // A word of a union that is emptied does not compile, and texts for people have tests of their own.
    mutator: { excludedMutations: ['StringLiteral'] },
    // What runs once, when its module is loaded: tables and schemas. Each would need a fresh process and all tests.
    ignoreStatic: true,
    // It would rewrite the file by a compiler that TypeScript 7 no longer offers; vitest reads none.
    tsconfigFile: 'none',
    ignorePatterns: ['dist/*', '!dist/assets', 'reports'],
    concurrency: availableParallelism(),
    // ops/mutants/in-worker.ts ends what hangs long before.
    timeoutMS: 60_000 + 10 * cpuMaxMs,
    dryRunTimeoutMinutes: 30,
    incremental: true,
    incrementalFile: `reports/mutants/${name}.json`,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: true, allowColor: false },
    allowConsoleColors: false,
  }).runMutationTest();
}

/** A row of the table. Sets the exit code when the score is too low. */
function rowOf(name: string, mutants: Mutants): string {
  const count = (...statuses: Status[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const [survived, neverRun] = [count('Survived'), count('NoCoverage')];
  const all = noticed + survived + neverRun;
  const score = all === 0 ? 100 : (noticed / all) * 100;
  if (score < SCORE_MIN) process.exitCode = 1;
  const day = new Date().toISOString().slice(0, 10);
  return `| ${day} | ${name} | ${all} | ${noticed} | ${survived} | ${neverRun} | ${score.toFixed(1)} % |\n`;
}
