/** The job queue alone: a real database, a runner with handlers of the test's own, a clock moved by hand. */
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Job } from '../../src/core/jobs/kinds.js';
import { enqueue } from '../../src/core/jobs/queue.js';
import type { JobResult } from '../../src/core/jobs/kind.js';
import type { Metrics } from '../../src/core/status/metrics.js';
import { JobRunner } from '../../src/core/jobs/runner.js';
import type { Db } from '../../src/db/db.js';
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
