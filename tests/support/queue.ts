/** The job queue alone: a real database, a runner with handlers of the test's own, a clock moved by hand. */
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { onTestFinished, vi } from 'vitest';
import type { Job } from '../../src/core/jobs/kinds.js';
import { enqueue } from '../../src/core/jobs/queue.js';
import type { JobResult } from '../../src/core/jobs/kind.js';
import type { Metrics } from '../../src/core/status/metrics.js';
import { JobRunner } from '../../src/core/jobs/runner.js';
import type { Db } from '../../src/db/db.js';
import { claimJobs } from '../../src/db/jobs/claims.js';
import { requireJob } from '../../src/db/jobs/jobs.js';
import { openDb } from '../../src/db/open.js';
import type { JobRow } from '../../src/db/schema.js';
import type { JobName } from '../../src/core/jobs/names.js';
import { Writer, type WriterOptions } from '../../src/db/writer.js';
import { temporaryDirectory } from './app.js';
import { ManualClock } from './clock.js';
import { freshDatabase } from './fresh-database.js';
import { OURS } from './holders.js';
import { LOOKS_MAX, PATIENCE } from './patience.js';

export type Handle = (job: Job, signal: AbortSignal) => Promise<JobResult> | JobResult;

export interface TestQueue {
  db: Db;
  writer: Writer;
  clock: ManualClock;
  runner: JobRunner;
  file: string;
  /** Lines of the runner's log. */
  log: { msg: string }[];
  /** Another runner on the same file, as another process would have. */
  other(handle?: Handle): JobRunner;
  add(kind?: JobName, changes?: { uniqueKey?: string; now?: string; payload?: object }): Promise<number>;
  job(id: number): JobRow;
}

const DONE: JobResult = {};

export interface QueueOptions {
  writer?: WriterOptions;
  clock?: ManualClock | { now(): Date };
  metrics?: Metrics;
}

/** `handle` does every kind of job. */
export function aQueue(handle: Handle = () => DONE, options: QueueOptions = {}): TestQueue {
  const file = join(temporaryDirectory(), 'esign.db');
  freshDatabase(file);
  const db = openDb(file, { busyTimeoutMs: 0 });
  const clock = new ManualClock();
  const log: { msg: string }[] = [];
  const parts = { clock: options.clock ?? clock, log: pino({}, linesInto(log)), holder: OURS };
  const writer = new Writer(db, options.writer);
  const handled = (by: Handle) => ({ handle: async (...job: Parameters<Handle>) => by(...job) });
  const runner = new JobRunner({ db, writer, metrics: options.metrics, ...parts, ...handled(handle) });
  onTestFinished(async () => {
    vi.useRealTimers();
    await runner.stop(0);
    await writer.idle();
    db.close();
  });
  return {
    db,
    writer,
    clock,
    runner,
    file,
    log,
    other: (otherHandle = () => DONE) => {
      const connection = openDb(file, { busyTimeoutMs: 0 });
      const otherWriter = new Writer(connection);
      const own = { db: connection, writer: otherWriter, ...handled(otherHandle) };
      const other = new JobRunner({ ...parts, ...own });
      onTestFinished(async () => {
        await other.stop(0);
        await otherWriter.idle();
        connection.close();
      });
      return other;
    },
    add: async (kind = 'send-mail', { uniqueKey, now, payload = {} } = {}) => {
      const work = {
        kind,
        payload: payload as never,
        now: now ?? parts.clock.now().toISOString(),
        ...(uniqueKey && { uniqueKey }),
        ...(kind === 'deliver-webhook' && { lane: 'https://hooks.example.org/0' }),
      };
      return (await writer.write((unit) => enqueue(unit, work))).id;
    },
    job: (id) => requireJob(db, { id }),
  };
}

function linesInto(lines: { msg: string }[]): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(JSON.parse(chunk.toString()) as { msg: string });
      done();
    },
  });
}

/** Resolves when `isSo`, also while timers stand still; fails loudly when that takes too long. */
export async function until(isSo: () => boolean, withinMs = PATIENCE.timeout): Promise<void> {
  const end = performance.now() + withinMs;
  for (let looks = 0; !isSo(); looks += 1) {
    if (performance.now() > end || looks > LOOKS_MAX) throw new Error(`not so within ${withinMs} ms`);
    await pause(2);
  }
}

export const FAIL: Handle = () => {
  throw new Error('it went wrong');
};

/** Handlers that end when the test says so. */
export function held() {
  const releases: (() => void)[] = [];
  const handle: Handle = () => new Promise((resolve) => releases.push(() => resolve({})));
  onTestFinished(() => releases.forEach((release) => release()));
  return { handle, releases };
}

/** Nothing about jobs can be stored, except that one begins, until what it returns is called. */
export function fillDisk({ db }: Pick<TestQueue, 'db'>, when = "WHEN new.state <> 'running'"): () => void {
  db.raw.exec(
    `CREATE TRIGGER full BEFORE UPDATE ON jobs ${when} BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  );
  return () => void db.raw.exec('DROP TRIGGER full');
}

/** Jobs run under a lease of another process, which says nothing more. */
export function takeAway(
  { db, clock }: TestQueue,
  holder: string,
  kind: JobName = 'send-mail',
  leaseMs = 60_000,
) {
  const now = clock.now().toISOString();
  const leaseUntil = new Date(clock.now().getTime() + leaseMs).toISOString();
  claimJobs(db, { kind, now, limit: 10, leaseToken: 'of another', leaseHolder: holder, leaseUntil });
}

/** Timers go by `vi.advanceTimersByTime` alone. */
export function timersStandStill(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets a started runner do what it has to. */
export async function turnsPass(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
}

/** And fall asleep. */
export async function asleep(): Promise<void> {
  await turnsPass();
  vi.advanceTimersByTime(1);
}

/** The details of what the history tells. */
export const told = ({ db }: { db: Db }, what = '%') =>
  db.raw
    .prepare('SELECT detail FROM history WHERE what LIKE ? ORDER BY id')
    .pluck()
    .all(what)
    .map((detail) => JSON.parse(detail as string) as object);
