/** The failed list (rules 5): see, replay, remove. A failed job leaves it only by a successful replay of it or of its webhook, or by remove. */
import {
  countFailedJobs,
  deleteFailedJob,
  listFailedErrors,
  listFailedGroups as listGroups,
  listFailedIds,
  listFailedJobs,
  listSomeFailed,
  type FailedErrors,
  type FailedFilter,
  type FailedPage,
} from '../../db/jobs/failed.js';
import { findJob, rearmJob, requireJob } from '../../db/jobs/jobs.js';
import type { JobRow, JobState } from '../../db/schema.js';
import type { EachAct } from '../calls/each-act.js';
import { tryEach, type InTurn } from '../calls/round.js';
import type { Listing } from '../calls/listing.js';
import type { Advice } from '../commands.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import type { Data } from '../installation/data.js';
import { AppError, notFound, refused } from '../errors.js';
import { kindOf } from './kinds.js';
import { JOBS_TOPIC } from './queue.js';
import { pastErrors, type PastError } from './past-errors.js';
import { jobViews, type JobView } from './view.js';
import { attemptOnce } from './waiting.js';

export type { FailedFilter } from '../../db/jobs/failed.js';

/** By default the newest first. */
export function listFailed(
  { db }: Pick<Data, 'db'>,
  filter: FailedFilter,
  page: FailedPage,
): Listing<JobView> {
  return { total: countFailedJobs(db, filter), rows: jobViews(db, listFailedJobs(db, filter, page)) };
}

/** Failed jobs of one kind with the same error, and what is in the way of another attempt. */
export interface FailedGroup extends FailedErrors {
  /** Of an outside service's failure. */
  reason: PastError['reason'];
  refusal: AppError | undefined;
}

/** The largest first. */
export function listFailedGroups(ctx: Data, filter: FailedFilter, limit: number): FailedGroup[] {
  return listGroups(ctx.db, filter, limit).map((group) => {
    const job = requireJob(ctx.db, { id: group.jobId });
    return { ...group, reason: pastErrors(job).at(-1)?.reason, refusal: whyNotReplayable(ctx, job) };
  });
}

/** Those of the same kind and with the same error as a failed job; undefined when it has not failed, or no longer. */
export function groupOf(ctx: Data, jobId: number): FailedFilter | undefined {
  const job = findFailedJob(ctx, jobId);
  return job && { same: { kind: job.kind, lastError: job.lastError } };
}

/** Of all of them, the oldest first: as they would have run. */
export function failedIds({ db }: Data, filter: FailedFilter): number[] {
  return listFailedIds(db, filter);
}

/** How many have failed; of more than `max` it is `max`, since every page asks. */
export function countFailed(ctx: Data, max: number): number {
  return listSomeFailed(ctx.db, { limit: max }).length;
}

export function failedStats(ctx: Data, filter: FailedFilter): ReturnType<typeof listFailedErrors> {
  return listFailedErrors(ctx.db, filter);
}

export function findFailedJob(ctx: Data, id: number): JobRow | undefined {
  const job = findJob(ctx.db, { id });
  return job?.state === 'failed' ? job : undefined;
}

export function getFailedJob(ctx: Data, id: number): JobRow {
  const job = findFailedJob(ctx, id);
  if (!job) throw notFound('job_not_found', `There is no failed job ${id}.`);
  return job;
}

export interface ReplayResult {
  id: number;
  kind: string | null;
  /** completed; failed: failed again, or refused and left as it was; available: the daemon has not run it in time. */
  state: JobState;
  error: Advice | null;
}

/**
 * Gives each job one more attempt, by the running daemon or else in this process. A job that fails again returns to
 * the list with its new error and a higher count. A failure does not stop the others.
 */
export async function replayFailed(ctx: Context, ids: readonly number[], options: InTurn<ReplayResult>) {
  const results = await tryEach(failedReplay(ctx, options), ids, options);
  const replayed = results.filter(({ state }) => state === 'completed').length;
  return { replayed, failed: results.length - replayed, results };
}

export function failedReplay(
  ctx: Context,
  { signal, actor, reason }: By & Pick<InTurn<ReplayResult>, 'signal'>,
): EachAct<JobRow, ReplayResult> {
  return {
    find: (id) => getFailedJob(ctx, id),
    refuse: (job) => whyNotReplayable(ctx, job),
    async run(id) {
      const job = await change(ctx, { actor, reason }, (tx) => {
        const rearmed = rearm(tx, id);
        tx.record('job.replayed', rearmed, { jobId: id, kind: rearmed.kind, reason: tx.reason });
        return rearmed;
      });
      await attemptOnce(ctx, job, signal);
      const { state, lastError } = requireJob(ctx.db, { id });
      return { id, kind: job.kind, state, error: state === 'completed' ? null : lastError };
    },
    untried: (id, job, why) => {
      const kind = findJob(ctx.db, { id })?.kind ?? null;
      return { id, kind, state: 'failed', error: why ?? job?.lastError ?? null };
    },
  };
}

export function whyNotReplayable(ctx: Data, job: JobRow): AppError | undefined {
  return kindOf(job).whyPointless?.(ctx.db, job);
}

function rearm(tx: Change, id: number): JobRow {
  const { db, now } = tx;
  const job = findJob(db, { id });
  if (!job) throw notFound('job_not_found', `There is no failed job ${id}.`);
  if (job.state !== 'failed') throw refused('job_not_failed', `Job ${id} has not failed.`);
  const kind = kindOf(job);
  const refusal = kind.whyPointless?.(db, job);
  if (refusal) throw refusal;
  db.announce(JOBS_TOPIC);
  // The count continues: its waits are used up, so this is one attempt.
  rearmJob(db, { id, runAt: now, replays: job.replays + 1, attempt: job.attempt });
  return requireJob(db, { id });
}

export async function removeFailed(
  ctx: Context,
  ids: readonly number[],
  by: By,
): Promise<{ removed: number[]; missing: number[] }> {
  const removed: number[] = [];
  const missing: number[] = [];
  for (const id of ids) {
    const isRemoved = await change(ctx, by, (tx) => {
      const job = findJob(tx.db, { id });
      if (!job || !deleteFailedJob(tx.db, { id })) return false;
      const { kind, lastError } = job;
      tx.record('job.removed', job, { jobId: id, kind, lastError, reason: tx.reason });
      return true;
    });
    (isRemoved ? removed : missing).push(id);
  }
  return { removed, missing };
}
