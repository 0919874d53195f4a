/** How long esignctl takes to start, beside `node -e 0`: the version, the help, lists and diagnosis among 1,000 requests and 100,000 failed jobs. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openData } from '../src/core/installation/data.js';
import { addStories, fill } from './list-data.js';
import { inDirectory, median, print, settings } from './support.js';

const PROGRAM = fileURLToPath(new URL('../bin/esignctl.js', import.meta.url));
const REQUESTS = 1_000;
const JOBS = 100_000;
const RUNS = 25;

const COMMANDS = [
  '--version',
  '--help',
  'failed list',
  'failed list --stats',
  'status',
  'todo',
  'requests list',
  'explain 5 --offline',
];

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    const dataDir = join(directory, 'data');
    mkdirSync(join(dataDir, 'contracts'), { recursive: true });
    fill(dataDir, REQUESTS);
    addStories(dataDir, { failed: 0 });
    fillFailedList(dataDir);
    const env = settings(dataDir);
    const cases = [['-e', '0'], ...COMMANDS.map((words) => [PROGRAM, ...words.split(' ')])];
    const times: number[][] = cases.map(() => []);
    for (let i = 0; i < RUNS; i += 1) {
      for (const [at, argv] of cases.entries()) times[at]?.push(timed(argv, env));
    }
    const [base = [], ...found] = times;
    print('', 'median, quickest; ratios');
    for (const [i, name] of ['node -e 0', ...COMMANDS.map((words) => `esignctl ${words}`)].entries()) {
      print(name, besides([base, ...found][i] as number[], base));
    }
  });
}

/** The fastest run is the one least disturbed by other work. */
function besides(times: number[], base: number[]): string {
  const [middle, least] = [median(times), Math.min(...times)];
  const ratios = [middle / median(base), least / Math.min(...base)].map((ratio) => ratio.toFixed(2));
  return `${middle.toFixed(0)} ms, ${least.toFixed(0)} ms; ${ratios.join(', ')}`;
}

function timed(argv: string[], env: NodeJS.ProcessEnv): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - began;
}

function fillFailedList(dataDir: string): void {
  const db = openData(dataDir);
  const insert = db.raw.prepare(
    `INSERT INTO jobs (kind, payload, state, attempt, runAt, lastError, errors, createdAt, finishedAt)
     VALUES ('send-mail', '{}', 'failed', 7, @at, @error, '[]', @at, @at)`,
  );
  db.raw.transaction(() => {
    for (let i = 0; i < JOBS; i += 1) {
      const at = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
      insert.run({ at, error: `the mail server answered ${450 + (i % 5)}` });
    }
  })();
  db.close();
}
