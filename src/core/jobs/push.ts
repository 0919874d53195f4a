/** Has waiting jobs tried now instead of at their time (rules 10). */
import { findJob, runJobNow } from '../../db/jobs/jobs.js';
import { listWaitingIds } from '../../db/jobs/waiting.js';
import type { JobRow, JobState } from '../../db/schema.js';
import type { Advice } from '../commands.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import { AppError, withHint } from '../errors.js';
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
  { signal, onResult, ifWaiting = false, ...by }: PushOptions,
): Promise<PushResult[]> {
  const size = hasDaemon(ctx) ? PORTION : 1;
  const results: PushResult[] = [];
  const isWanted = (tx: Change) => (id: number) =>
    !ifWaiting || findJob(tx.db, { id })?.state === 'available';
  for (let i = 0; i < ids.length && !signal?.aborted; i += size) {
    const portion = ids.slice(i, i + size);
    const pulled = await change(ctx, by, (tx) => portion.filter(isWanted(tx)).map((id) => pullOne(tx, id)));
    const tried = pulled.map(async (one) => {
      const result = 'payload' in one ? await tryNow(ctx, one, signal) : one;
      results.push(result);
      onResult?.(result);
    });
    await Promise.all(tried);
  }
  return results;
}

/** Makes every waiting job of a kind due and does not wait; returns how many. Pointless ones wait on. */
export async function pushKind(ctx: Context, kind: string, by: By): Promise<number> {
  const ids = waitingIds(ctx, kind);
  let count = 0;
  for (let i = 0; i < ids.length; i += PORTION) {
    const pulled = await change(ctx, by, (tx) => ids.slice(i, i + PORTION).map((id) => pullOne(tx, id)));
    count += pulled.filter((one) => 'payload' in one).length;
  }
  return count;
}

function pullOne(tx: Change, id: number): JobRow | PushResult {
  try {
    const job = getWaitingJob(tx, id);
    runJobNow(tx.db, { id, runAt: tx.now });
    tx.db.announce(JOBS_TOPIC);
    tx.record('job.pushed', job, { jobId: id, kind: job.kind, reason: tx.reason });
    return job;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const kind = findJob(tx.db, { id })?.kind ?? null;
    return { id, kind, state: null, error: withHint(error), runAt: null };
  }
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
