/** The job queue beside one written by hand on better-sqlite3 with group commit, both with synchronous=FULL; and how soon an idle runner begins. */
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
  const { own, base } = await inTurn(5, { own: () => inDirectory(ours), base: () => inDirectory(raw) });
  const [ownMs, baseMs] = [median(own), median(base)];
  const perSecond = { own: JOBS / (ownMs / 1000), base: JOBS / (baseMs / 1000) };
  tell(`queue, ${WIDTH} at a time`, { ...perSecond, unit: '/s', aim: '0.8' });
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
  const write = groupCommit(db);

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
