/** Has waiting jobs tried now instead of at their time (rules 10). */
import { findJob, runJobNow } from '../../db/jobs/jobs.js';
import { listWaitingIds } from '../../db/jobs/waiting.js';
import type { JobRow, JobState } from '../../db/schema.js';
import { portionsOf } from '../calls/listing.js';
import { refusalOf, tryOne, type EachAct, type Tried } from '../calls/each-act.js';
import type { Advice } from '../commands.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import type { Data } from '../installation/data.js';
import { JOB_NAMES } from './names.js';
import { JOBS_TOPIC } from './queue.js';
import { attemptOnce, getWaitingJob, hasDaemon } from './waiting.js';

export interface PushResult {
  id: number;
  kind: string | null;
  /** completed; available: it failed and is retried at `runAt`; failed: that was its last attempt; null: refused, or removed meanwhile. */
  state: JobState | null;
  error: Advice | null;
  runAt: string | null;
}

export interface PushOptions extends By {
  onResult?: ((result: PushResult) => void) | undefined;
  /** When aborted, nothing new is begun. */
  signal?: AbortSignal | undefined;
  /** Those that do not wait any more are passed over, instead of refused. */
  ifWaiting?: boolean;
}

/** Every waiting job, or those of one kind; of each kind the next due first. */
export function waitingIds({ db }: Data, kind?: string): number[] {
  return (kind ? [kind] : JOB_NAMES).flatMap((each) =>
    listWaitingIds(db, { kind: each }).map(({ id }) => id),
  );
}

/** At most this many are due at once, so that a service that has just come back is not overrun. */
const PORTION = 20;

/**
 * Has each tried once and waits for the outcome: by the daemon, a portion after the other, or else in this process one
 * by one, because only the daemon keeps to slots and lanes. A failure does not stop the others.
 */
export async function pushJobs(
  ctx: Context,
  ids: readonly number[],
  options: PushOptions,
): Promise<Tried<PushResult>[]> {
  const { signal, onResult } = options;
  const size = hasDaemon(ctx) ? PORTION : 1;
  const act = jobPush(ctx, options);
  const results: Tried<PushResult>[] = [];
  for (const portion of portionsOf(ids, size)) {
    if (signal?.aborted) break;
    const tried = portion.map(async (id) => {
      const result = await tryOne(act, id);
      if (!result) return;
      results.push(result);
      onResult?.(result);
    });
    await Promise.all(tried);
  }
  return results;
}

export function jobPush(
  ctx: Context,
  { signal, ifWaiting = false, actor, reason }: PushOptions,
): EachAct<JobRow, PushResult> {
  const isPassedOver = (tx: Change, id: number) => ifWaiting && findJob(tx.db, { id })?.state !== 'available';
  return {
    find: (id) => getWaitingJob(ctx, id),
    async run(id) {
      const pulled = await change(ctx, { actor, reason }, (tx) =>
        isPassedOver(tx, id) ? undefined : pull(tx, id),
      );
      return pulled && tryNow(ctx, pulled, signal);
    },
    untried: (id, job, error) => {
      const kind = findJob(ctx.db, { id })?.kind ?? null;
      return { id, kind, state: job?.state ?? null, error, runAt: job?.runAt ?? null };
    },
  };
}

/** Makes every waiting job of a kind due and does not wait; returns how many. Pointless ones wait on. */
export async function pushKind(ctx: Context, kind: string, by: By): Promise<number> {
  let count = 0;
  for (const portion of portionsOf(waitingIds(ctx, kind), PORTION)) {
    const isPulled = (tx: Change) => (id: number) => refusalOf(() => pull(tx, id)) === undefined;
    count += (await change(ctx, by, (tx) => portion.filter(isPulled(tx)))).length;
  }
  return count;
}

function pull(tx: Change, id: number): JobRow {
  const job = getWaitingJob(tx, id);
  runJobNow(tx.db, { id, runAt: tx.now });
  tx.db.announce(JOBS_TOPIC);
  tx.record('job.pushed', job, { jobId: id, kind: job.kind, reason: tx.reason });
  return job;
}

async function tryNow(ctx: Context, before: JobRow, signal: AbortSignal | undefined): Promise<PushResult> {
  await attemptOnce(ctx, before, signal);
  const { id, kind } = before;
  const job = findJob(ctx.db, { id });
  if (!job) return { id, kind, state: null, error: `Job ${id} was removed meanwhile.`, runAt: null };
  const { state, lastError, runAt } = job;
  return {
    id,
    kind,
    state,
    error: state === 'completed' ? null : lastError,
    runAt: state === 'available' ? runAt : null,
  };
}
