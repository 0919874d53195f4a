/**
 * `npm run soak -- --minutes N`: the real daemon under load, with faults of every kind and random ends. Afterwards every
 * request must be where the sandbox says, nothing may be doubled, and nothing may have leaked.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { howItEnded, programFile, runProgram, type Program } from '../demo/program.js';
import { keysOf } from '../src/core/pick.js';
import { startLoad, type Load } from './storm/customers.js';
import { install, numbersOf, type Installation } from './storm/installation.js';
import { countsOf, isGone, judge, withRecords } from './storm/verdict.js';
import { numberIn, quantile } from './support.js';

const USAGE = `Usage: npm run soak -- [--minutes N] [--rate N] [--faults N]

  --minutes N  how long the storm lasts (1); fractions and hours are fine
  --rate N     requests a second (20)
  --faults N   percent of all provider calls, mails, webhooks and PDFs that go wrong (5)

Long soaks are made of rounds of ten minutes, each judged to the end and begun afresh.
Exit codes: 0 all is as it must be; 1 it is not (the directory is kept and named); 2 wrong usage.
`;

const ROUND_MINUTES = 10;
/** One bug usually shows in many requests. */
const WRONG_SHOWN = 20;

const { minutes, rate, faults } = numbersOf(USAGE, { minutes: 1, rate: 20, faults: 5 });

async function oneRound(minutes: number): Promise<boolean> {
  const installation = await install();
  const { sandbox, dataDir } = installation;
  const disturber = await startDisturber(installation, minutes > 5);
  let isGood = false;
  try {
    const load = await startLoad(installation, rate);
    await sandbox.switchFaultsOn(faults / 100);
    await pause(minutes * 60_000);

    console.log(`the storm is over after ${Math.round(minutes * 60)} s; now until nothing is owed`);
    const noMoreRequests = load.stop();
    const struck = (await sandbox.state()).faults;
    await sandbox.switchFaultsOff();
    const daemon = await disturber.stop();
    await noMoreRequests;
    await drain(installation, load);
    const how = await daemon.stop();

    const state = await sandbox.state();
    const { ends, samples } = disturber;
    const wrong = withRecords(dataDir, (rows) => {
      const counts = {
        'faults that struck': struck.reduce((sum, each) => sum + each.struck, 0),
        ...Object.fromEntries(struck.map((each) => [`  ${each.target} ${each.kind}`, each.struck])),
        'kill -9': ends.killed,
        SIGTERM: ends.terminated,
        'API calls repeated': load.counts.callsRepeated,
        ...countsOf(rows, state),
        ...Object.fromEntries(
          keysOf(MEASURES).map((of) => [`${of} at most`, Math.round(mostOf(samples, of))]),
        ),
      };
      for (const [what, n] of Object.entries(counts))
        console.log(`  ${what.padEnd(36)} ${String(n).padStart(8)}`);
      return [...judge(rows, dataDir, state), ...isGone(rows, state), ...load.counts.wrong];
    });
    if (how.code !== 0) wrong.push(`the last SIGTERM: ${howItEnded(how)}`);
    wrong.push(...ends.wrong, ...grown(samples));
    for (const each of wrong.slice(0, WRONG_SHOWN)) console.log(`  WRONG: ${each}`);
    if (wrong.length > WRONG_SHOWN) console.log(`  WRONG: and ${wrong.length - WRONG_SHOWN} more`);
    isGood = wrong.length === 0;
    return isGood;
  } finally {
    (await disturber.stop()).kill('SIGKILL');
    await installation.leave({ keep: !isGood });
  }
}

const LIFE_MS = [2_500, 7_000] as const;
/** Every eighth life is long enough to see leaks. */
const LONG_LIFE_MS = 90_000;
const LONG_LIFE_EVERY = 8;
/** Shorter than the daemon's own. */
const TERM_PATIENCE_MS = 2_000;

/** Ends the daemon at random moments, by kill -9 or SIGTERM, and starts it again. */
async function startDisturber({ startDaemon, dataDir }: Installation, hasLongLives: boolean) {
  const ends = { killed: 0, terminated: 0, wrong: [] as string[] };
  const samples: Samples = [];
  const stopping = new AbortController();
  let daemon = await startDaemon();
  const timer = setInterval(() => samples.push(...look(daemon, dataDir)), SAMPLED_MS);
  const terminate = async () => {
    ends.terminated += 1;
    const how = await Promise.race([daemon.stop(), pause(TERM_PATIENCE_MS)]);
    // A provider hangs.
    if (how === undefined) await daemon.killHard();
    else if (how.code !== 0) ends.wrong.push(`SIGTERM: ${howItEnded(how)}`);
  };
  const running = (async () => {
    for (let lives = 1; !stopping.signal.aborted; lives += 1) {
      const [least, most] = LIFE_MS;
      const isLong = hasLongLives && lives % LONG_LIFE_EVERY === 0;
      const lifeMs = isLong ? LONG_LIFE_MS : least + Math.random() * (most - least);
      const lived = pause(lifeMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      const how = await Promise.race([daemon.ended, lived]);
      if (how !== undefined) ends.wrong.push(`died by itself: ${howItEnded(how)}`);
      // Always the first: on a busy machine a short soak has few ends.
      else if (ends.killed === 0 || stopping.signal.aborted || Math.random() < 0.6) {
        await daemon.killHard();
        ends.killed += 1;
      } else await terminate();
      daemon = await startDaemon();
    }
  })();
  return {
    ends,
    samples,
    /** Ends with a kill -9; resolves with a daemon that runs undisturbed. */
    async stop(): Promise<Program> {
      stopping.abort();
      await running;
      clearInterval(timer);
      return daemon;
    },
  };
}

/** How much there may be, and how much more in the last third of a long life than in its first. */
const MEASURES = {
  'memory, MB': { most: 600, growth: 60 },
  'open files': { most: 400, growth: 60 },
  'write-ahead log, MB': { most: 80, growth: 64 },
};
type Measure = keyof typeof MEASURES;
type Samples = ({ pid: number } & Record<Measure, number>)[];

const SAMPLED_MS = 500;
const WARM_UP = 20;
const JUDGED_FROM = 60;

/** Reads /proc; nothing where there is none, or when it has just ended. */
function look({ pid }: Program, dataDir: string): Samples {
  try {
    const log = statSync(join(dataDir, 'esign.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
    const memoryKb = numberIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m);
    // One that has just ended has none.
    if (Number.isNaN(memoryKb)) return [];
    return [
      {
        pid,
        'memory, MB': memoryKb / 1024,
        'open files': readdirSync(`/proc/${pid}/fd`).length,
        'write-ahead log, MB': log / 1024 / 1024,
      },
    ];
  } catch {
    return [];
  }
}

function mostOf(samples: Samples, of: Measure): number {
  return Math.max(0, ...samples.map((sample) => sample[of]));
}

/** What grew beyond its limit, or within one life of the daemon. */
function grown(samples: Samples): string[] {
  const pids = [...new Set(samples.map(({ pid }) => pid))];
  return keysOf(MEASURES).flatMap((of) => {
    const highest = mostOf(samples, of);
    const { most, growth } = MEASURES[of];
    const leaks = pids.flatMap((pid) => {
      const life = samples.filter((sample) => sample.pid === pid).map((sample) => sample[of]);
      const third = Math.floor((life.length - WARM_UP) / 3);
      const [before, after] = [life.slice(WARM_UP, WARM_UP + third), life.slice(-third)].map((part) =>
        quantile(part, 0.5),
      ) as [number, number];
      const isLeak = life.length >= JUDGED_FROM && after - before > growth;
      return isLeak ? [`${of}: from ${Math.round(before)} to ${Math.round(after)} within one life`] : [];
    });
    return highest > most ? [`${of}: ${Math.round(highest)}, the limit is ${most}`, ...leaks] : leaks;
  });
}

/** There may be many mails; their number must keep falling. */
const STANDSTILL_MS = 90_000;

/** All remaining work, with an operator's commands; the checks find what no webhook told us. */
async function drain({ dataDir, env, sandbox }: Installation, load: Load): Promise<void> {
  const db = new Database(join(dataDir, 'esign.db'));
  const check = (...args: string[]) => runProgram(programFile('esignctl'), { args, env });
  try {
    await sandbox.settled();
    await noJobsLeft(db);
    // The storm struck all of their tries.
    await check('failed', 'replay', '--all', '--yes');
    await check('check-signature', '--all');
    await noJobsLeft(db);
    await load.payTheRest();
    await sandbox.settled();
    await check('payments', 'check', '--all');
    await noJobsLeft(db);
  } finally {
    db.close();
  }
}

/** Payments keep their waits of seconds; jobs due in minutes or hours run now. */
async function noJobsLeft(db: Database.Database): Promise<void> {
  const open = db.prepare("SELECT count(*) FROM jobs WHERE state IN ('available', 'running')").pluck();
  const hurry = db.prepare(
    "UPDATE jobs SET runAt = ? WHERE state = 'available' AND kind <> 'create-payment-session' AND runAt > ?",
  );
  const lanes = db.prepare('UPDATE lanes SET dueAt = ? WHERE dueAt > ?');
  let fewerAt = performance.now();
  for (let left = open.get() as number; left > 0;) {
    if (performance.now() - fewerAt > STANDSTILL_MS) throw new Error(`${left} jobs stay open`);
    const now = new Date().toISOString();
    hurry.run(now, now);
    lanes.run(now, now);
    await pause(250);
    const before = left;
    left = open.get() as number;
    if (left < before) fewerAt = performance.now();
  }
}

const rounds = Math.ceil(minutes / ROUND_MINUTES);
for (let round = 1; round <= rounds; round += 1) {
  console.log(`round ${round} of ${rounds}: ${rate} requests a second, ${faults} % faults`);
  if (!(await oneRound(minutes / rounds))) process.exitCode = 1;
}
console.log(process.exitCode === 1 ? 'soak FAILED' : 'soak passed');
