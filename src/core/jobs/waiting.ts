/** Jobs that wait or run: see them, and have one tried now instead of at its time (decisions 10). */
import { setTimeout as pause } from 'node:timers/promises';
import { runningDaemonPid } from '../../db/daemon-lock.js';
import type { Db } from '../../db/db.js';
import { countOpenJobs } from '../../db/depths.js';
import { findJob, listRunningJobs, pullJob } from '../../db/jobs.js';
import { listAvailableJobs } from '../../db/waiting-jobs.js';
import type { JobKind, JobRow, JobState } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import type { Data } from '../data.js';
import { AppError, notFound, refused, withHint } from '../errors.js';
import { record } from '../history.js';
import { whyInVain } from '../webhooks/sendable.js';
import { JOB_KINDS } from './kinds.js';
import { JOBS_TOPIC } from './queue.js';

/** What runs, then what waits, the next due first; `total` counts all of them. */
export function listWaiting(
  ctx: Data,
  { kind, limit }: { kind?: JobKind | undefined; limit: number },
): { total: number; jobs: JobRow[] } {
  const kinds = kind ? [kind] : JOB_KINDS;
  const running = listRunningJobs(ctx.db).filter((job) => kinds.includes(job.kind));
  // Each kind has its own place in the index, so that a long queue costs no more than a short one.
  const available = kinds
    .flatMap((each) => listAvailableJobs(ctx.db, { kind: each, limit }))
    .sort((a, b) => (a.runAt < b.runAt ? -1 : a.runAt > b.runAt ? 1 : a.id - b.id));
  const total = countOpenJobs(ctx.db)
    .filter((depth) => depth.state !== 'failed' && kinds.includes(depth.kind))
    .reduce((sum, { count }) => sum + count, 0);
  return { total, jobs: [...running, ...available].slice(0, limit) };
}

export interface PushResult {
  id: number;
  kind: JobKind | null;
  /** completed; available: it failed and is tried again at `runAt`; failed: that was its last try. */
  state: JobState | null;
  error: string | null;
  runAt: string | null;
}

export interface PushOptions {
  actor: Actor;
  reason?: string | undefined;
  onResult?: (result: PushResult) => void;
  signal?: AbortSignal;
}

/** A job that waits; throws `job_not_found`, `job_not_waiting` for one that runs or has ended, and `webhook_disabled`. */
export function getWaitingJob(ctx: Data, id: number): JobRow {
  return waiting(ctx.db, id);
}

/** Tries each job now: by the running daemon, or in this process when none runs. A failure does not stop the others. */
export async function pushJobs(
  ctx: Context,
  ids: readonly number[],
  options: PushOptions,
): Promise<PushResult[]> {
  const results: PushResult[] = [];
  for (const id of ids) {
    if (options.signal?.aborted) break;
    const result = await pushOne(ctx, id, options);
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

async function pushOne(
  ctx: Context,
  id: number,
  { actor, reason, signal }: PushOptions,
): Promise<PushResult> {
  try {
    const before = await ctx.writer.write((db) => pull(ctx, db, id, { actor, reason }));
    await tryOnce(ctx, before, signal);
    const { kind, state, lastError, runAt } = findJob(ctx.db, id) as JobRow;
    return {
      id,
      kind,
      state,
      error: state === 'completed' ? null : lastError,
      runAt: state === 'available' ? runAt : null,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, kind: null, state: null, error: withHint(error), runAt: null };
  }
}

function pull(ctx: Context, db: Db, id: number, { actor, reason }: PushOptions): JobRow {
  const job = waiting(db, id);
  const now = iso(ctx.clock.now());
  pullJob(db, id, now);
  db.announce(JOBS_TOPIC);
  record(db, {
    at: now,
    actor,
    what: 'job.pushed',
    requestId: job.requestId,
    contractId: job.contractId,
    detail: { jobId: id, kind: job.kind, ...(reason && { reason }) },
  });
  return job;
}

function waiting(db: Db, id: number): JobRow {
  const job = findJob(db, id);
  if (!job) throw notFound('job_not_found', `There is no job ${id}.`);
  const refusal = whyInVain(db, job);
  if (job.state === 'available' && refusal?.code === 'webhook_disabled') throw refusal;
  if (job.state === 'available') return job;
  const hint = job.state === 'failed' ? `Run \`esignctl failed replay ${id}\` instead.` : undefined;
  throw refused('job_not_waiting', `Job ${id} does not wait: it is ${job.state}.`, hint);
}

/** One try of a job that is due, as it stood when that was owed: by the running daemon, or in this process when none runs. */
export async function tryOnce(ctx: Context, before: JobRow, signal?: AbortSignal): Promise<void> {
  if (ctx.jobs.isRunning) await ctx.jobs.nextOutcome(before.id, DAEMON_WAIT_MS);
  else if (runningDaemonPid(ctx.config.dataDir) !== undefined) await waitForDaemon(ctx, before, signal);
  else await ctx.jobs.runNow(before.id);
}

const DAEMON_WAIT_MS = 90_000;
const LOOK_EVERY_MS = 50;

/** Until the daemon has tried it once; ends early when nobody waits any more. */
async function waitForDaemon(ctx: Context, before: JobRow, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + DAEMON_WAIT_MS;
  while (performance.now() < until && !signal?.aborted) {
    const job = findJob(ctx.db, before.id);
    const isTried = before.state !== 'available' || (job?.attempt ?? 0) > before.attempt;
    if (!job || (isTried && job.state !== 'running')) return;
    await pause(LOOK_EVERY_MS);
  }
}
