/**
 * Ten years: commands, nightly work and start with 2,000,000 requests, or as many as `BENCH_REQUESTS` says, and ten times as
 * many entries of the history, beside an installation with 1,000. `pages` and `snapshot` measure pages and copies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addStories, fill } from './list-data.js';
import { inDirectory, median, print, settings } from './support.js';

const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 2_000_000);
const FEW = 1_000;
const ENTRIES = 10;
const FAILED = 100;
const RUNS = 9;
const CTL = fileURLToPath(new URL('../bin/esignctl.js', import.meta.url));
const DAEMON = fileURLToPath(new URL('../bin/esignd.js', import.meta.url));

/** Each is run again and again; the request is one in the middle. */
const COMMANDS = [
  'status',
  'todo',
  'requests list',
  'requests list --status WAITING_SIGNATURE',
  'requests show REQUEST',
  'explain REQUEST --offline',
  'find pont-1',
  'contracts list',
  'history',
  'history --about REQUEST',
  'history --what request.created',
  'history --by user1@example.org',
  'failed list',
  'jobs list',
  'inbox list',
  'webhooks deliveries',
  'users list',
  'expire-contracts',
  'prune',
];

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    const few = prepared(join(directory, 'few'), FEW);
    const many = prepared(join(directory, 'many'), REQUESTS);
    const sizes = [FEW, REQUESTS].map((count) => count.toLocaleString('en'));
    print('', `ms with ${sizes.join(' and ')} requests; ratio`);
    print('migrations of the requests', both(few.migrated, many.migrated));
    await compare('start of esignd', few, many, started);
    for (const words of COMMANDS)
      await compare(`esignctl ${words}`, few, many, async (one) => commanded(one, words));
  });
}

interface Installation {
  env: NodeJS.ProcessEnv;
  requests: number;
  /** Milliseconds. */
  migrated: number;
}

function prepared(directory: string, requests: number): Installation {
  const dataDir = join(directory, 'data');
  const migrated = fill(dataDir, requests);
  addStories(dataDir, { failed: FAILED, entries: ENTRIES });
  return { env: { ...settings(dataDir), ESIGN_PORT: '0' }, requests, migrated };
}

type Work = (one: Installation) => Promise<number>;

/** In turn, after one run of each that does not count. */
async function compare(name: string, few: Installation, many: Installation, work: Work) {
  const times: [number[], number[]] = [[], []];
  for (let run = 0; run <= RUNS; run += 1) {
    for (const [at, one] of [few, many].entries()) {
      const ms = await work(one);
      if (run > 0) times[at]?.push(ms);
    }
  }
  print(name, both(median(times[0]), median(times[1])));
}

function both(few: number, many: number): string {
  return `${few.toFixed(0)}, ${many.toFixed(0)}; ${(many / few).toFixed(1)}`;
}

function commanded({ env, requests }: Installation, words: string): number {
  const said = words.replace('REQUEST', String(requests / 2));
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [CTL, ...said.split(' ')], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${words}: ${stderr}`);
  return performance.now() - began;
}

/** Until it says that it listens. */
async function started({ env }: Installation): Promise<number> {
  const began = performance.now();
  const daemon = spawn(process.execPath, [DAEMON], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(daemon.stdout, 'data');
  const ms = performance.now() - began;
  daemon.kill();
  await once(daemon, 'exit');
  return ms;
}
