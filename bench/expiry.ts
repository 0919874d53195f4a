/** The daily expiry of 100,000 among 1,000,000 contracts, beside one raw UPDATE and what the rows cost at least, while another process writes. */
import { fork } from 'node:child_process';
import { closeSync, copyFileSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { SCHEDULE } from '../src/core/actor.js';
import { systemClock } from '../src/core/clock.js';
import type { Context } from '../src/core/context.js';
import { expireContracts } from '../src/core/contracts/expire-contracts.js';
import { letOthersWrite } from '../src/core/retention/let-others-write.js';
import { migrate } from '../src/db/migrate.js';
import { openDb } from '../src/db/open.js';
import { Writer } from '../src/db/writer.js';
import { inDirectory, inTurn, median, print } from './support.js';

const CONTRACTS = 1_000_000;
const DUE = 100_000;
const RUNS = 3;
/** As esignd's. */
const BATCH = 150;

interface Timed {
  ms: number;
  /** How long the other process waited for the write lock. */
  waits: { p99: number; max: number; writes: number };
}

const OTHERS = [
  'one raw UPDATE',
  'bare statements, as many commits and the same pauses',
  'the disk alone: as many bytes written and as many fsyncs, no pauses',
];

export async function run(): Promise<void> {
  await inDirectory(async (directory) => {
    const template = join(directory, 'template.db');
    fill(template);
    let n = 0;
    const copy = () => {
      n += 1;
      const file = join(directory, `${n}.db`);
      copyFileSync(template, file);
      return file;
    };
    const timed = (work: (file: string) => Promise<number>) => async (): Promise<Timed> => {
      const file = copy();
      return besideWriter(file, () => work(file));
    };
    const runs = await inTurn(RUNS, {
      own: timed(ours),
      update: timed(oneUpdate),
      bare: timed(bareBatches),
      disk: () => diskAlone(join(directory, 'disk')),
    });
    const [own, ...others] = [runs.own, runs.update, runs.bare, runs.disk].map((some) =>
      median(some.map(({ ms }) => ms)),
    ) as [number, ...number[]];
    print(`expiry of ${DUE} among ${CONTRACTS}: esignd`, `${own.toFixed(0)} ms`);
    for (const [i, name] of OTHERS.entries()) {
      const other = others[i] as number;
      print(name, `${other.toFixed(0)} ms; esignd takes ${(own / other).toFixed(2)} times as long`);
    }
    report('another process meanwhile waits, beside esignd', runs.own);
    report('another process meanwhile waits, beside bare statements', runs.bare);
    report('another process meanwhile waits, beside one UPDATE', runs.update);
  });
}

function report(label: string, runs: Timed[]): void {
  const p99 = median(runs.map(({ waits }) => waits.p99));
  const max = Math.max(...runs.map(({ waits }) => waits.max));
  print(`${label}, p99 / worst`, `${p99.toFixed(1)} / ${max.toFixed(1)} ms`);
}

function fill(file: string): void {
  const db = openDb(file, { busyTimeoutMs: 0 });
  migrate(db);
  db.raw.exec(`
    INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
      VALUES ('a@example.org', '', '', '', 'ROLE_USER', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
    INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt)
      VALUES (1, 'x', 'x', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CONTRACTS})
      INSERT INTO requests (ownerId, equipmentId, title, description, status, createdAt, updatedAt, statusSince)
      SELECT 1, 1, 't', 'd', 'WAITING_SIGNATURE', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n;
    INSERT INTO contracts (requestId, key, externalId, paymentKey, status, amount, currency, createdAt, expiredAt)
      SELECT id, printf('%016x', id), 'contract-' || id, 'payment-' || id, 'PENDING', 12000, 'eur', '2026-01-01T00:00:00.000Z',
        CASE WHEN id % ${CONTRACTS / DUE} = 0 THEN '2026-02-01T00:00:00.000Z' ELSE '2999-01-01T00:00:00.000Z' END
      FROM requests;
    CREATE TABLE other (id INTEGER PRIMARY KEY, at TEXT);
  `);
  db.raw.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Answers at once with our own time; the question is not measured. */
const provider = { probe: async () => new Date() };

async function ours(file: string): Promise<number> {
  const db = openDb(file, { busyTimeoutMs: 20 });
  const writer = new Writer(db);
  const ctx = {
    db,
    writer,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    provider,
  } as unknown as Context;
  const started = performance.now();
  const { expired } = await expireContracts(ctx, { actor: SCHEDULE });
  const ms = performance.now() - started;
  db.close();
  if (expired !== DUE) throw new Error(`${expired} contracts expired instead of ${DUE}`);
  return ms;
}

async function oneUpdate(file: string): Promise<number> {
  const db = openDb(file, { busyTimeoutMs: 5_000 });
  const started = performance.now();
  const { changes } = db.raw
    .prepare(
      "UPDATE contracts SET status = 'EXPIRED' WHERE status IN ('PENDING', 'SIGNED') AND expiredAt < ?",
    )
    .run(new Date().toISOString());
  const ms = performance.now() - started;
  db.close();
  if (changes !== DUE) throw new Error(`${changes} contracts expired instead of ${DUE}`);
  return ms;
}

/** What must be written, and no more: 150 contracts and their history in a transaction, and what lets another process write. */
async function bareBatches(file: string): Promise<number> {
  const db = openDb(file, { busyTimeoutMs: 5_000 });
  const started = performance.now();
  const ids = db.raw
    .prepare("SELECT id FROM contracts WHERE expiredAt < '2999' ORDER BY id")
    .pluck()
    .all() as number[];
  const expire = db.raw.prepare(
    "UPDATE contracts SET status = 'EXPIRED' WHERE id = ? AND status = 'PENDING'",
  );
  const tell = db.raw.prepare(`INSERT INTO history (at, requestId, contractId, actor, what, detail)
    SELECT '2026-03-02T09:14:07.250Z', requestId, id, 'schedule', 'contract.ended', '{"reason":"date_passed","from":"PENDING"}'
    FROM contracts WHERE id IN (SELECT value FROM json_each(?))`);
  const batch = db.raw.transaction((some: number[]) => {
    for (const id of some) expire.run(id);
    tell.run(JSON.stringify(some));
  });
  const before = bytesWritten();
  for (let i = 0; i < ids.length; i += BATCH) {
    batch.immediate(ids.slice(i, i + BATCH));
    await letOthersWrite(db);
  }
  const ms = performance.now() - started;
  bytesOfBatches = bytesWritten() - before;
  db.close();
  return ms;
}

/** As the batches of bare statements have counted. */
let bytesOfBatches = 0;

/** By this process, into the log and from there into the database. */
function bytesWritten(): number {
  return Number(/^wchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
}

async function diskAlone(file: string): Promise<{ ms: number }> {
  const commits = Math.ceil(DUE / BATCH);
  const bytes = Buffer.alloc(Math.ceil(bytesOfBatches / commits), 1);
  const fd = openSync(file, 'w');
  const started = performance.now();
  for (let i = 0; i < commits; i += 1) {
    writeSync(fd, bytes, 0, bytes.length, 0);
    fdatasyncSync(fd);
  }
  const ms = performance.now() - started;
  closeSync(fd);
  return { ms };
}

async function besideWriter(file: string, work: () => Promise<number>): Promise<Timed> {
  const child = fork(fileURLToPath(new URL('./other-writer.js', import.meta.url)), [file]);
  await new Promise((resolve) => child.once('message', resolve));
  const ms = await work();
  const waits = new Promise<Timed['waits']>((resolve) =>
    child.once('message', (m) => resolve(m as Timed['waits'])),
  );
  child.send('stop');
  return { ms, waits: await waits };
}
