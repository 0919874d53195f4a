/** What the daemon costs while nothing happens, beside a bare server of Node's own: wakes, processor time, memory. Linux. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inDirectory, print, settings } from './support.js';

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
  megabytes: number;
}

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    const env = { ...settings(join(directory, 'data')), ESIGN_PORT: '0' };
    // As the unit of the package sets it.
    const words = ['--max-semi-space-size=8', '--', DAEMON];
    const [daemon, bare] = await Promise.all([measured(words, env), measured(['-e', BARE], process.env)]);
    print('', 'esignd, bare server');
    print('wakes a second', `${daemon.wakes.toFixed(1)}, ${bare.wakes.toFixed(1)}`);
    const share = ({ processorMs }: Cost) => `${((processorMs / MEASURED_MS) * 100).toFixed(2)} %`;
    print('share of a core', `${share(daemon)}, ${share(bare)}`);
    const ratio = (daemon.megabytes / bare.megabytes).toFixed(1);
    const memory = ({ megabytes }: Cost) => `${megabytes.toFixed(0)} MB`;
    print('memory (anonymous, PSS)', `${memory(daemon)}, ${memory(bare)}: ${ratio}`);
  });
}

async function measured(words: string[], env: NodeJS.ProcessEnv): Promise<Cost> {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    await pause(SETTLED_MS);
    const before = standing(child);
    await pause(MEASURED_MS);
    const after = standing(child);
    return {
      wakes: (after.wakes - before.wakes) / (MEASURED_MS / 1000),
      processorMs: after.processorMs - before.processorMs,
      megabytes: after.megabytes,
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
    // Node's own program text is shared with whatever else runs on it.
    megabytes: numberIn(`${directory}/smaps_rollup`, /^Pss_Anon:\s+(\d+)/m) / 1024,
  };
}

function numberIn(file: string, what: RegExp): number {
  return Number(what.exec(readFileSync(file, 'latin1'))?.[1]);
}
