/**
 * The job queue beside one written by hand on better-sqlite3 with group commit, all with synchronous=FULL: the least that does the work, and
 * the same with our table and a savepoint for each unit, which keeps what the queue promises. And how soon an idle runner begins.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { systemClock } from '../src/core/clock.js';
import { holderName } from '../src/core/installation/process.js';
import { enqueue } from '../src/core/jobs/queue.js';
import { JobRunner } from '../src/core/jobs/runner.js';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';
import { Writer } from '../src/db/writer.js';
import { atATime, groupCommit, inDirectory, inTurn, median, quantile, tell } from './support.js';

const JOBS = 10_000;
const WIDTH = 10;
const PICKED = 1_000;
const PAYLOAD = { mail: 'contract-signed', contractId: 1, padding: 'x'.repeat(140) } as const;

export async function run(): Promise<void> {
  const { own, ...bases } = await inTurn(5, {
    own: () => inDirectory(ours),
    least: () => inDirectory((directory) => byHand(directory, LEAST)),
    same: () => inDirectory((directory) => byHand(directory, SAME)),
  });
  const perSecond = (ms: number[]) => JOBS / (median(ms) / 1000);
  const beside = (base: number[], aim = '') =>
    ({ own: perSecond(own), base: perSecond(base), unit: '/s', aim }) as const;
  tell(`queue, ${WIDTH} at a time`, beside(bases.least, '0.8'));
  tell('queue, beside one that keeps the same promises', beside(bases.same));
  const picked = await inDirectory(pickUp);
  tell('pick-up by an idle runner, p99', { own: quantile(picked, 0.99), unit: 'ms', aim: '10 ms' });
}

function open(directory: string, handle: () => void) {
  const db = openDb(join(directory, 'esign.db'), { busyTimeoutMs: 20 });
  migrate(db);
  const writer = new Writer(db);
  const runner = new JobRunner({
    db,
    writer,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    holder: holderName('command'),
    slots: { 'send-mail': WIDTH },
    async handle() {
      handle();
      return {};
    },
  });
  const add = () =>
    writer.write((unit) =>
      enqueue(unit, { kind: 'send-mail', payload: PAYLOAD, now: new Date().toISOString() }),
    );
  return { db, writer, runner, add };
}

async function ours(directory: string): Promise<number> {
  let done = 0;
  let finished = () => {};
  const allDone = new Promise<void>((resolve) => (finished = resolve));
  const { db, writer, runner, add } = open(directory, () => {
    done += 1;
    if (done === JOBS) finished();
  });
  await runner.start();
  const started = performance.now();
  await Promise.all([atATime(JOBS, WIDTH, add), allDone]);
  await runner.stop();
  await writer.idle();
  const ms = performance.now() - started;
  check(db.raw);
  db.close();
  return ms;
}

interface ByHand {
  open(file: string): Database.Database;
  insert: string;
  claim: string;
  complete: string;
  /** Each unit in a savepoint, so that one that fails undoes no other. */
  isEachAlone: boolean;
}

const DUE = `id IN (SELECT id FROM jobs WHERE state = 'available' AND kind = 'send-mail' AND runAt <= ?
  ORDER BY runAt, id LIMIT +?)`;

/** The minimum for the same durable work: prepared statements, and one commit for all writes of a turn. */
const LEAST: ByHand = {
  open(file) {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec(`CREATE TABLE jobs (id INTEGER PRIMARY KEY, kind TEXT, payload TEXT, state TEXT, attempt INTEGER DEFAULT 0,
      runAt TEXT, leaseUntil TEXT, leaseToken TEXT, finishedAt TEXT);
      CREATE INDEX available ON jobs (kind, runAt, id) WHERE state = 'available';`);
    return db;
  },
  insert: "INSERT INTO jobs (kind, payload, state, runAt) VALUES ('send-mail', ?, 'available', ?)",
  claim: `UPDATE jobs SET state = 'running', attempt = attempt + 1, leaseUntil = ?, leaseToken = 't'
    WHERE ${DUE} RETURNING *`,
  complete: `UPDATE jobs SET state = 'completed', leaseUntil = NULL, leaseToken = NULL, finishedAt = ?
    WHERE id = ? AND leaseToken = 't'`,
  isEachAlone: false,
};

/** On our table, with its keys, indexes and checks. */
const SAME: ByHand = {
  open(file) {
    const db = openDb(file, { busyTimeoutMs: 20 });
    migrate(db);
    return db.raw;
  },
  insert: `INSERT INTO jobs (kind, payload, state, createdAt, runAt) VALUES ('send-mail', ?, 'available', '2026-11-28', ?)
    ON CONFLICT DO NOTHING`,
  claim: `UPDATE jobs SET state = 'running', attempt = attempt + 1, leaseUntil = ?, leaseToken = 't', leaseHolder = 'h'
    WHERE ${DUE} RETURNING *`,
  complete: `UPDATE jobs SET state = 'completed', leaseUntil = NULL, leaseToken = NULL, leaseHolder = NULL, finishedAt = ?
    WHERE id = ? AND leaseToken = 't'`,
  isEachAlone: true,
};

async function byHand(directory: string, means: ByHand): Promise<number> {
  const db = means.open(join(directory, 'raw.db'));
  const insert = db.prepare(means.insert);
  const claim = db.prepare(means.claim);
  const complete = db.prepare(means.complete);
  const write = groupCommit(db, means.isEachAlone);

  let [added, done, completed, busy] = [0, 0, 0, 0];
  let isClaiming = false;
  let finished = () => {};
  const allDone = new Promise<void>((resolve) => (finished = resolve));
  const pump = async () => {
    if (isClaiming || busy >= WIDTH || added - done - busy <= 0) return;
    isClaiming = true;
    const now = new Date().toISOString();
    const rows = await write(() => claim.all(now, now, WIDTH - busy) as { id: number; payload: string }[]);
    isClaiming = false;
    busy += rows.length;
    for (const row of rows) void handle(row);
  };
  const handle = async ({ id, payload }: { id: number; payload: string }) => {
    JSON.parse(payload);
    await Promise.resolve();
    busy -= 1;
    done += 1;
    const completing = write(() => complete.run(new Date().toISOString(), id));
    void pump();
    await completing;
    completed += 1;
    if (completed === JOBS) finished();
  };

  const started = performance.now();
  const adding = atATime(JOBS, WIDTH, async () => {
    await write(() => insert.run(JSON.stringify(PAYLOAD), new Date().toISOString()));
    added += 1;
    void pump();
  });
  await Promise.all([adding, allDone]);
  const ms = performance.now() - started;
  check(db);
  db.close();
  return ms;
}

function check(db: Database.Database): void {
  const n = db.prepare("SELECT count(*) FROM jobs WHERE state = 'completed'").pluck().get();
  if (n !== JOBS) throw new Error(`${String(n)} of ${JOBS} jobs are completed`);
}

/** From the enqueueing call to the handler's first line. */
async function pickUp(directory: string): Promise<number[]> {
  let startedAt = 0;
  const times: number[] = [];
  let picked: () => void = () => undefined;
  const { db, runner, add } = open(directory, () => {
    times.push(performance.now() - startedAt);
    picked();
  });
  await runner.start();
  for (let i = 0; i < PICKED; i += 1) {
    const wait = new Promise<void>((resolve) => (picked = resolve));
    startedAt = performance.now();
    void add();
    await wait;
    await runner.idle();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await runner.stop();
  db.close();
  return times;
}
