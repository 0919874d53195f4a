/**
 * What the daemon costs while nothing happens, beside a bare server of Node's own: wakes, processor time, memory; and how soon it
 * works when another process has stored a job. Linux.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startsOfJobs } from './idle-jobs.js';
import { inDirectory, median, print, settings } from './support.js';

const DAEMON = fileURLToPath(new URL('../bin/esignd.js', import.meta.url));
const BARE = `require('node:http').createServer((_, res) => res.end()).listen(0, () => console.log('listening'))`;
/** Waits until the work after a start has finished. */
const SETTLED_MS = 30_000;
const MEASURED_MS = 60_000;
/** Of /proc/PID/stat. */
const TICKS_PER_SECOND = 100;

interface Cost {
  wakes: number;
  processorMs: number;
  memory: Record<keyof typeof MEMORY, number>;
}

/** In megabytes. Node's own program text is shared with whatever else runs on it; PSS counts each process's share of it. */
const MEMORY = {
  anonymous: /^Pss_Anon:\s+(\d+)/m,
  PSS: /^Pss:\s+(\d+)/m,
  resident: /^Rss:\s+(\d+)/m,
};

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    const dataDir = join(directory, 'data');
    const env = { ...settings(dataDir), ESIGN_PORT: '0' };
    // As the unit of the package sets it.
    const words = ['--max-semi-space-size=8', '--', DAEMON];
    let starts: number[] = [];
    const [daemon, bare] = await Promise.all([
      measured(words, env, async () => (starts = await startsOfJobs(dataDir))),
      measured(['-e', BARE], process.env),
    ]);
    print('', 'esignd, bare server');
    print('wakes a second', `${daemon.wakes.toFixed(1)}, ${bare.wakes.toFixed(1)}`);
    const share = ({ processorMs }: Cost) => `${((processorMs / MEASURED_MS) * 100).toFixed(2)} %`;
    print('share of a core', `${share(daemon)}, ${share(bare)}`);
    for (const kind of Object.keys(MEMORY) as (keyof typeof MEMORY)[]) {
      const [own, other] = [daemon.memory[kind], bare.memory[kind]];
      print(`memory: ${kind}`, `${own.toFixed(0)} MB, ${other.toFixed(0)} MB: ${(own / other).toFixed(1)}`);
    }
    print(
      'a commit of another process starts its job within: median / longest',
      `${median(starts).toFixed(0)} / ${Math.max(...starts).toFixed(0)} ms of ${starts.length}`,
    );
  });
}

/** `afterwards`: while it still runs. */
async function measured(
  words: string[],
  env: NodeJS.ProcessEnv,
  afterwards: () => Promise<unknown> = async () => undefined,
): Promise<Cost> {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    await pause(SETTLED_MS);
    const before = standing(child);
    await pause(MEASURED_MS);
    const after = standing(child);
    await afterwards();
    return {
      wakes: (after.wakes - before.wakes) / (MEASURED_MS / 1000),
      processorMs: after.processorMs - before.processorMs,
      memory: after.memory,
    };
  } finally {
    child.kill();
  }
}

/** So far. */
function standing({ pid }: ChildProcess): Cost {
  const directory = `/proc/${pid}`;
  const wakes = readdirSync(`${directory}/task`).map((task) =>
    numberIn(`${directory}/task/${task}/status`, /^voluntary_ctxt_switches:\s+(\d+)/m),
  );
  const [user = 0, system = 0] = readFileSync(`${directory}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return {
    wakes: wakes.reduce((sum, each) => sum + each, 0),
    processorMs: ((user + system) * 1000) / TICKS_PER_SECOND,
    memory: mapped(MEMORY, (line) => numberIn(`${directory}/smaps_rollup`, line) / 1024),
  };
}

function mapped<K extends string, V, W>(each: Record<K, V>, to: (value: V) => W): Record<K, W> {
  const entries = Object.entries<V>(each).map(([key, value]) => [key, to(value)]);
  return Object.fromEntries(entries) as Record<K, W>;
}

function numberIn(file: string, what: RegExp): number {
  return Number(what.exec(readFileSync(file, 'latin1'))?.[1]);
}
