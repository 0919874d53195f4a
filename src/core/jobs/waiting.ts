/** Waiting and running jobs: list them, or run waiting ones now (rules 10). */
import { setTimeout as pause } from 'node:timers/promises';
import { runningDaemonPid } from '../../db/installation/daemon-lock.js';
import type { Db } from '../../db/db.js';
import { countOpenJobs, findJob, requireJob, listRunningJobs, runJobNow } from '../../db/jobs/jobs.js';
import { listAvailableJobs } from '../../db/jobs/waiting.js';
import type { JobRow, JobState } from '../../db/schema.js';
import { runInstead } from '../commands.js';
import { inTurn, type InTurn } from '../calls/in-turn.js';
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import type { Data } from '../installation/data.js';
import { AppError, notFound, refused, withHint } from '../errors.js';
import { kindOf } from './kinds.js';
import { JOB_NAMES } from './names.js';
import { JOBS_TOPIC } from './queue.js';

/** Running jobs, then waiting ones, next due first; `total` counts all. */
export function listWaiting(
  ctx: Data,
  { kind, limit }: { kind?: string | undefined; limit: number },
): { total: number; jobs: JobRow[] } {
  const kinds: readonly string[] = kind ? [kind] : JOB_NAMES;
  const running = listRunningJobs(ctx.db).filter((job) => kinds.includes(job.kind));
  // One index range per kind, so that a long queue costs no more than a short one.
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
  kind: string | null;
  /** completed; available: it failed and is retried at `runAt`; failed: that was its last attempt. */
  state: JobState | null;
  error: string | null;
  runAt: string | null;
}

/** A waiting job. Throws `job_not_found`, `job_not_waiting` for one that runs or has ended, and `webhook_disabled`. */
export function getWaitingJob(ctx: Data, id: number): JobRow {
  return waiting(ctx.db, id);
}

/** Runs each job now, by the running daemon or else in this process. A failure does not stop the others. */
export function pushJobs(
  ctx: Context,
  ids: readonly number[],
  options: InTurn<PushResult>,
): Promise<PushResult[]> {
  return inTurn(ids, options, (id) => pushOne(ctx, id, options));
}

async function pushOne(ctx: Context, id: number, { signal, ...by }: InTurn<PushResult>): Promise<PushResult> {
  try {
    const before = await change(ctx, by, (tx) => pull(tx, id));
    await attemptOnce(ctx, before, signal);
    const { kind, state, lastError, runAt } = requireJob(ctx.db, { id });
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

function pull(tx: Change, id: number): JobRow {
  const job = waiting(tx.db, id);
  runJobNow(tx.db, { id, runAt: tx.now });
  tx.db.announce(JOBS_TOPIC);
  tx.record('job.pushed', job, { jobId: id, kind: job.kind, reason: tx.reason });
  return job;
}

function waiting(db: Db, id: number): JobRow {
  const job = findJob(db, { id });
  if (!job) throw notFound('job_not_found', `There is no job ${id}.`);
  if (job.state === 'available') {
    const refusal = kindOf(job).whyPointless?.(db, job);
    if (refusal) throw refusal;
    return job;
  }
  const hint = job.state === 'failed' ? runInstead('failed replay', id) : undefined;
  throw refused('job_not_waiting', `Job ${id} does not wait: it is ${job.state}.`, hint);
}

/** One attempt of a due job, by the running daemon or else in this process. `before`: the row as it was made due. */
export async function attemptOnce(ctx: Context, before: JobRow, signal?: AbortSignal): Promise<void> {
  if (ctx.jobs.isRunning) await ctx.jobs.nextOutcome(before.id, DAEMON_WAIT_MS);
  else if (runningDaemonPid(ctx.config.dataDir) !== undefined) await waitForDaemon(ctx, before, signal);
  else await ctx.jobs.runNow(before.id);
}

const DAEMON_WAIT_MS = 90_000;
const LOOK_EVERY_MS = 50;

/** Waits until the daemon has attempted it once, or the signal aborts. */
async function waitForDaemon(ctx: Context, before: JobRow, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + DAEMON_WAIT_MS;
  while (performance.now() < until && !signal?.aborted) {
    const job = findJob(ctx.db, { id: before.id });
    const isTried = before.state !== 'available' || (job?.attempt ?? 0) > before.attempt;
    if (!job || (isTried && job.state !== 'running')) return;
    await pause(LOOK_EVERY_MS);
  }
}
