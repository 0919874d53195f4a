/** The failed list (spec 4.8): see, replay, remove. A failed job leaves it only by a successful replay or by remove. */
import { setTimeout as pause } from 'node:timers/promises';
import { findContract, setPaymentGeneration } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import {
  countFailedJobs,
  deleteFailedJob,
  listFailedErrors,
  listFailedJobs,
  type FailedFilter,
} from '../../db/failed-jobs.js';
import { findJob, rearmJob } from '../../db/jobs.js';
import { findCurrentPayment } from '../../db/payments.js';
import type { ContractRow, JobKind, JobRow, JobState } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import type { Data } from '../data.js';
import { AppError, notFound, refused, withHint } from '../errors.js';
import { record } from '../history.js';
import { paymentKey } from '../identity.js';
import { whyInVain } from '../webhooks/sendable.js';
import { JOBS_TOPIC } from './queue.js';
import { tryOnce } from './waiting.js';

export type { FailedFilter } from '../../db/failed-jobs.js';

export function listFailed(
  ctx: Data,
  filter: FailedFilter,
  limit: number,
): { total: number; jobs: JobRow[] } {
  return { total: countFailedJobs(ctx.db, filter), jobs: listFailedJobs(ctx.db, filter, limit) };
}

export function countFailed(ctx: Data): number {
  return countFailedJobs(ctx.db, {});
}

export function failedStats(
  ctx: Data,
  filter: FailedFilter,
): { kind: JobKind; error: string; count: number }[] {
  return listFailedErrors(ctx.db, filter);
}

export function getFailedJob(ctx: Data, id: number): JobRow {
  const job = findJob(ctx.db, id);
  if (job?.state !== 'failed') throw notFound('job_not_found', `There is no failed job ${id}.`);
  return job;
}

export interface ReplayResult {
  id: number;
  kind: JobKind | null;
  /** completed; failed again, or refused and left as it was; available: the daemon has not come to it in time. */
  state: JobState;
  error: string | null;
  /** Why it was not tried. */
  refusal?: AppError;
}

export interface ReplayOptions {
  actor: Actor;
  reason?: string;
  onResult?: (result: ReplayResult) => void;
  /** Ends it after the job under way. */
  signal?: AbortSignal;
  /** Begin no more than so many in a minute: a service that has just come back is not run over. */
  perMinute?: number;
}

/**
 * Gives each job one more try: by the running daemon, or in this process when none runs. One that fails again is back in
 * the list with its new error and a higher count. A failure does not stop the others.
 */
export async function replayFailed(ctx: Context, ids: readonly number[], options: ReplayOptions) {
  const results: ReplayResult[] = [];
  const gapMs = options.perMinute ? 60_000 / options.perMinute : 0;
  let notBefore = performance.now();
  for (const id of ids) {
    const waitMs = notBefore - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal: options.signal }).catch(() => undefined);
    if (options.signal?.aborted) break;
    notBefore = performance.now() + gapMs;
    const result = await replayOne(ctx, id, options);
    results.push(result);
    options.onResult?.(result);
  }
  const replayed = results.filter(({ state }) => state === 'completed').length;
  return { replayed, failed: results.length - replayed, results };
}

async function replayOne(
  ctx: Context,
  id: number,
  { actor, reason, signal }: ReplayOptions,
): Promise<ReplayResult> {
  try {
    const job = await ctx.writer.write((db) => {
      const rearmed = rearm(ctx, db, id);
      record(db, {
        at: iso(ctx.clock.now()),
        actor,
        what: 'job.replayed',
        requestId: rearmed.requestId,
        contractId: rearmed.contractId,
        detail: { jobId: id, kind: rearmed.kind, ...(reason && { reason }) },
      });
      return rearmed;
    });
    await tryOnce(ctx, job, signal);
    const { state, lastError } = ctx.jobs.find(id) as JobRow;
    return { id, kind: job.kind, state, error: state === 'completed' ? null : lastError };
  } catch (error) {
    const kind = ctx.jobs.find(id)?.kind ?? null;
    if (!(error instanceof AppError)) return { id, kind, state: 'failed', error: (error as Error).message };
    return { id, kind, state: 'failed', error: withHint(error), refusal: error };
  }
}

/** Why a failed job is not run again now; undefined: it would be tried. */
export function whyNotReplayable(ctx: Data, job: JobRow): AppError | undefined {
  return whyInVain(ctx.db, job);
}

function rearm(ctx: Context, db: Db, id: number): JobRow {
  const job = findJob(db, id);
  if (!job) throw notFound('job_not_found', `There is no failed job ${id}.`);
  if (job.state !== 'failed') throw refused('job_not_failed', `Job ${id} has not failed.`);
  const refusal = whyInVain(db, job);
  if (refusal) throw refusal;
  if (job.kind === 'create-payment-session') raiseGeneration(db, job.contractId as number);
  db.announce(JOBS_TOPIC);
  // The count goes on from where it was: its waits are used up, so this is one try.
  const again = { id, runAt: iso(ctx.clock.now()), replays: job.replays + 1, attempt: job.attempt };
  return rearmJob(db, again) as JobRow;
}

/** The payment provider repeats what it has stored for a key, be it a refusal or a session that has ended since; a person's replay asks anew. */
export function raiseGeneration(db: Db, contractId: number): void {
  const contract = findContract(db, contractId) as ContractRow;
  const newest = findCurrentPayment(db, contractId);
  if (newest && newest.generation >= contract.paymentGeneration && newest.status !== 'expired') return;
  const next = contract.paymentGeneration + 1;
  setPaymentGeneration(db, { id: contractId, next, paymentKey: paymentKey(db, contract.key, next) });
}

/** Removes failed jobs for good. */
export async function removeFailed(
  ctx: Context,
  ids: readonly number[],
  { actor, reason }: { actor: Actor; reason?: string },
): Promise<{ removed: number[]; missing: number[] }> {
  const removed: number[] = [];
  const missing: number[] = [];
  for (const id of ids) {
    const isRemoved = await ctx.writer.write((db) => {
      const job = findJob(db, id);
      if (!job || !deleteFailedJob(db, id)) return false;
      const { kind, requestId, contractId, lastError } = job;
      record(db, {
        at: iso(ctx.clock.now()),
        actor,
        what: 'job.removed',
        requestId,
        contractId,
        detail: { jobId: id, kind, lastError, ...(reason && { reason }) },
      });
      return true;
    });
    (isRemoved ? removed : missing).push(id);
  }
  return { removed, missing };
}
