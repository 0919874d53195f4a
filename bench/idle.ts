/**
 * What the daemon costs while nothing happens, beside a bare server of Node's own; and how soon it begins a job that another process
 * has stored. Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { programFile } from '../demo/program.js';
import { openData } from '../src/core/installation/data.js';
import { inDirectory, numberIn, settings, tell } from './support.js';

const BARE = `require('node:http').createServer((_, res) => res.end()).listen(0, () => console.log('listening'))`;
/** Until the work after a start has finished. */
const SETTLED_MS = 30_000;
const MEASURED_MS = 60_000;
/** Of /proc/PID/stat, in a second. */
const TICKS = 100;
const COMMITS = 15;
/** Longer than the daemon polls faster after a write, and no multiple of its polling interval. */
const APART_MS = 6_037;

export function run(): Promise<void> {
  return inDirectory(async (dataDir) => {
    const env = { ...settings(dataDir), ESIGN_PORT: '0' };
    let starts: number[] = [];
    const [own, base] = await Promise.all([
      // As the unit of the package sets it.
      measured(['--max-semi-space-size=8', '--', programFile('esignd')], env, async () => {
        starts = await startsOfJobs(dataDir);
      }),
      measured(['-e', BARE], {}, async () => undefined),
    ]);
    const row = (what: string, key: keyof typeof own, unit: 'MB' | '%' | '/s', aim: string) =>
      tell(`idle: ${what}`, { own: own[key], base: base[key], unit, aim });
    row('share of a core', 'share', '%', '0.2 %');
    row('wake-ups', 'wakes', '/s', '15 /s');
    row('memory, PSS', 'pss', 'MB', '90 MB');
    const longest = { own: Math.max(...starts), aim: '250 ms' };
    tell("idle: another process's job begins, longest", { ...longest, unit: 'ms' });
  });
}

async function measured(words: string[], env: NodeJS.ProcessEnv, whileItRuns: () => Promise<void>) {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    await pause(SETTLED_MS);
    const before = standing(child.pid);
    await pause(MEASURED_MS);
    const { wakes, ticks, pss } = standing(child.pid);
    await whileItRuns();
    const seconds = MEASURED_MS / 1000;
    const share = ((ticks - before.ticks) / TICKS / seconds) * 100;
    return { wakes: (wakes - before.wakes) / seconds, share, pss };
  } finally {
    child.kill();
  }
}

/** So far. Node's program text is shared with whatever else runs on it: PSS counts each process's share of it. */
function standing(pid: number | undefined) {
  const directory = `/proc/${pid}`;
  const fields = readFileSync(`${directory}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return {
    wakes: readdirSync(`${directory}/task`)
      .map((task) => numberIn(`${directory}/task/${task}/status`, /^voluntary_ctxt_switches:\s+(\d+)/m))
      .reduce((sum, each) => sum + each, 0),
    ticks: Number(fields[11]) + Number(fields[12]),
    pss: numberIn(`${directory}/smaps_rollup`, /^Pss:\s+(\d+)/m) / 1024,
  };
}

/** Milliseconds from each commit until the job has begun. */
async function startsOfJobs(dataDir: string): Promise<number[]> {
  const db = openData(dataDir);
  const insert = db.raw.prepare(
    "INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES ('send-mail', '{}', 'available', @now, @now)",
  );
  const hasBegun = db.raw
    .prepare("SELECT state <> 'available' OR attempt > 0 FROM jobs WHERE id = ?")
    .pluck();
  const times: number[] = [];
  for (let i = 0; i < COMMITS; i += 1) {
    await pause(APART_MS);
    const { lastInsertRowid } = insert.run({ now: new Date().toISOString() });
    const committed = performance.now();
    while (hasBegun.get(lastInsertRowid) === 0) await pause(1);
    times.push(performance.now() - committed);
  }
  db.close();
  return times;
}
