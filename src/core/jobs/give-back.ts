/** What becomes of a job whose try failed, or whose runner died: its next try, or the failed list (spec 4.8). */
import type { Db } from '../../db/db.js';
import { failDelivery } from '../../db/deliveries.js';
import { listRunningJobs, returnJob } from '../../db/jobs.js';
import type { JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { iso, type Clock } from '../clock.js';
import { describeError } from '../errors.js';
import type { JobPayloads } from './kinds.js';
import { JOBS_TOPIC } from './queue.js';
import { nextTryAt, rememberError, type PastError } from './retry-policy.js';

/**
 * A try that came to nothing, with what there is to write down about it in the transaction that gives the job back. Its
 * message is the job's error.
 */
export class TriedInVain extends Error {
  override readonly name = 'TriedInVain';
  /** It makes no sense to come back before. */
  readonly retryAfterMs: number;
  readonly settle: (db: Db, state: 'available' | 'failed') => void;

  constructor(
    message: string,
    { retryAfterMs, settle }: { retryAfterMs: number; settle: TriedInVain['settle'] },
  ) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.settle = settle;
  }
}

/** `lost`: the lease under which `row` was taken is gone, and nothing was stored. */
export function giveBack(db: Db, row: JobRow, error: unknown, now: Date): 'available' | 'failed' | 'lost' {
  const retry = nextTryAt(row.kind, row.attempt, now, retryAfterMs(error));
  const message = describeError(error);
  const history = rememberError(JSON.parse(row.errors) as PastError[], {
    attempt: row.attempt,
    at: iso(now),
    error: message,
  });
  const isStored = returnJob(db, {
    id: row.id,
    leaseToken: row.leaseToken as string,
    state: retry ? 'available' : 'failed',
    runAt: retry ? iso(retry) : row.runAt,
    finishedAt: retry ? null : iso(now),
    lastError: message,
    errors: JSON.stringify(history),
  });
  if (!isStored) return 'lost';
  db.announce(JOBS_TOPIC);
  const state = retry ? 'available' : 'failed';
  if (error instanceof TriedInVain) error.settle(db, state);
  else if (!retry) endDelivery(db, row, iso(now));
  return state;
}

/** A delivery whose last try ended without a word, by a crash or a secret that cannot be read, is owed no more. */
function endDelivery(db: Db, { kind, payload }: JobRow, finishedAt: string): void {
  if (kind !== 'deliver-webhook') return;
  // Not parsed strictly: whatever is wrong with a job, it must be possible to give it back.
  const { deliveryId } = JSON.parse(payload) as Partial<JobPayloads['deliver-webhook']>;
  if (deliveryId !== undefined) failDelivery(db, { id: deliveryId, finishedAt });
}

/** Gives back the running jobs that `isLost` names; their ids. */
export async function giveBackRunning(
  { db, writer, clock }: { db: Db; writer: Writer; clock: Clock },
  isLost: (job: JobRow) => boolean,
  reason: (job: JobRow) => unknown,
): Promise<number[]> {
  if (!listRunningJobs(db).some(isLost)) return [];
  return writer.write((db) => {
    const lost = listRunningJobs(db).filter(isLost);
    for (const job of lost) giveBack(db, job, reason(job), clock.now());
    return lost.map(({ id }) => id);
  });
}

/** An error may say that it makes no sense to come back before a while. */
function retryAfterMs(error: unknown): number {
  return error instanceof Error && 'retryAfterMs' in error ? Number(error.retryAfterMs) || 0 : 0;
}
