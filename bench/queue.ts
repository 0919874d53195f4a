/** The job queue beside a hand-written one on raw better-sqlite3 with group commit, both with synchronous=FULL. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { systemClock } from '../src/core/clock.js';
import { holderName } from '../src/core/installation/process.js';
import { enqueue } from '../src/core/jobs/queue.js';
import { JobRunner } from '../src/core/jobs/runner.js';
import type { Db } from '../src/db/db.js';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';
import { Writer } from '../src/db/writer.js';
import { alternate, atATime, inDirectory, median, perSecond, print, quantile } from './support.js';

const JOBS = 10_000;
const WIDTH = 10;
const PAYLOAD = { mail: 'contract-signed', contractId: 1, padding: 'x'.repeat(140) } as const;

export async function run(): Promise<void> {
  const { a, b } = await alternate(
    5,
    () => inDirectory(ours),
    () => inDirectory(raw),
  );
  print(`queue, ${JOBS} jobs, ${WIDTH} at a time: esignd`, perSecond(JOBS, median(a)));
  print('raw better-sqlite3 with group commit', perSecond(JOBS, median(b)));
  print('ratio (1 is the baseline)', (median(b) / median(a)).toFixed(2));
  const picked = await inDirectory(pickUp);
  print(
    'pick-up by an idle runner, median / p99',
    `${median(picked).toFixed(2)} / ${quantile(picked, 0.99).toFixed(2)} ms`,
  );
  for (const waiting of [0, 100_000]) {
    const claims = await inDirectory((directory) => claimTimes(directory, waiting));
    print(
      `claim and completion of one job beside ${waiting} waiting, median`,
      `${median(claims).toFixed(3)} ms`,
    );
  }
}

interface Parts {
  db: Db;
  writer: Writer;
  runner: JobRunner;
}

function open(directory: string, handle: () => void): Parts {
  const db = openDb(join(directory, 'esign.db'), { busyTimeoutMs: 20 });
  migrate(db);
  const writer = new Writer(db);
  const log = pino({ level: 'silent' });
  const runner = new JobRunner({
    db,
    writer,
    clock: systemClock,
    log,
    holder: holderName('command'),
    slots: { 'send-mail': WIDTH },
    async handle() {
      handle();
      return {};
    },
  });
  return { db, writer, runner };
}

async function ours(directory: string): Promise<number> {
  let done = 0;
  let finished: () => void;
  const allDone = new Promise<void>((resolve) => (finished = resolve));
  const { db, writer, runner } = open(directory, () => {
    done += 1;
    if (done === JOBS) finished();
  });
  await runner.start();
  const started = performance.now();
  const adding = atATime(JOBS, WIDTH, () =>
    writer.write((unit) =>
      enqueue(unit, { kind: 'send-mail', payload: PAYLOAD, now: new Date().toISOString() }),
    ),
  );
  await Promise.all([adding, allDone]);
  await runner.stop();
  await writer.idle();
  const ms = performance.now() - started;
  check(db.raw, JOBS);
  db.close();
  return ms;
}

/** The minimum for the same durable work: prepared statements, and one commit for all writes of a turn. */
async function raw(directory: string): Promise<number> {
  const db = new Database(join(directory, 'raw.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`CREATE TABLE jobs (id INTEGER PRIMARY KEY, kind TEXT, payload TEXT, state TEXT, attempt INTEGER DEFAULT 0,
    runAt TEXT, leaseUntil TEXT, leaseToken TEXT, finishedAt TEXT);
    CREATE INDEX available ON jobs (kind, runAt, id) WHERE state = 'available';`);
  const insert = db.prepare(
    "INSERT INTO jobs (kind, payload, state, runAt) VALUES ('send-mail', ?, 'available', ?)",
  );
  const claim =
    db.prepare(`UPDATE jobs SET state = 'running', attempt = attempt + 1, leaseUntil = ?, leaseToken = 't'
    WHERE id IN (SELECT id FROM jobs WHERE state = 'available' AND kind = 'send-mail' AND runAt <= ?
    ORDER BY runAt, id LIMIT +?) RETURNING *`);
  const complete =
    db.prepare(`UPDATE jobs SET state = 'completed', leaseUntil = NULL, leaseToken = NULL, finishedAt = ?
    WHERE id = ? AND leaseToken = 't'`);

  let waiting: { work: () => unknown; resolve: (value: unknown) => void }[] = [];
  const write = <T>(work: () => T) =>
    new Promise<T>((resolve) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void });
      if (waiting.length === 1) setImmediate(flush);
    });
  const flush = () => {
    const batch = waiting;
    waiting = [];
    db.exec('BEGIN IMMEDIATE');
    const values = batch.map(({ work }) => work());
    db.exec('COMMIT');
    for (const [i, { resolve }] of batch.entries()) resolve(values[i]);
  };

  let added = 0;
  let done = 0;
  let busy = 0;
  let isClaiming = false;
  let finished: () => void;
  const allDone = new Promise<void>((resolve) => (finished = resolve));
  const pump = () => {
    if (isClaiming || busy >= WIDTH || added - done - busy <= 0) return;
    isClaiming = true;
    const now = new Date().toISOString();
    void write(() => claim.all(now, now, WIDTH - busy) as { id: number; payload: string }[]).then((rows) => {
      isClaiming = false;
      busy += rows.length;
      for (const row of rows) void handle(row);
    });
  };
  const handle = async ({ id, payload }: { id: number; payload: string }) => {
    JSON.parse(payload);
    await Promise.resolve();
    busy -= 1;
    done += 1;
    const completing = write(() => complete.run(new Date().toISOString(), id));
    pump();
    await completing;
    if (done === JOBS && waiting.length === 0) finished();
  };

  const started = performance.now();
  const adding = atATime(JOBS, WIDTH, async () => {
    await write(() => insert.run(JSON.stringify(PAYLOAD), new Date().toISOString()));
    added += 1;
    pump();
  });
  await Promise.all([adding, allDone]);
  const ms = performance.now() - started;
  check(db, JOBS);
  db.close();
  return ms;
}

function check(db: Database.Database, jobs: number): void {
  const { n } = db.prepare("SELECT count(*) AS n FROM jobs WHERE state = 'completed'").get() as { n: number };
  if (n !== jobs) throw new Error(`${n} of ${jobs} jobs are completed`);
}

/** From the enqueueing call to the handler's first line. */
async function pickUp(directory: string): Promise<number[]> {
  let startedAt = 0;
  const times: number[] = [];
  let picked: () => void = () => undefined;
  const { db, writer, runner } = open(directory, () => {
    times.push(performance.now() - startedAt);
    picked();
  });
  await runner.start();
  for (let i = 0; i < 1_000; i += 1) {
    const wait = new Promise<void>((resolve) => (picked = resolve));
    startedAt = performance.now();
    void writer.write((unit) =>
      enqueue(unit, { kind: 'send-mail', payload: PAYLOAD, now: new Date().toISOString() }),
    );
    await wait;
    await runner.idle();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await runner.stop();
  db.close();
  return times;
}

async function claimTimes(directory: string, waiting: number): Promise<number[]> {
  const { db, writer, runner } = open(directory, () => undefined);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  for (let i = 0; i < waiting; i += 10_000) {
    await writer.write((unit) => {
      for (let n = 0; n < 10_000; n += 1) enqueue(unit, { kind: 'send-mail', payload: PAYLOAD, now: later });
    });
  }
  const times: number[] = [];
  for (let i = 0; i < 300; i += 1) {
    await writer.write((unit) =>
      enqueue(unit, { kind: 'send-mail', payload: PAYLOAD, now: new Date().toISOString() }),
    );
    const started = performance.now();
    await runner.drain();
    times.push(performance.now() - started);
  }
  db.close();
  return times;
}
