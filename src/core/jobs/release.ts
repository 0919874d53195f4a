/** Releases a job whose attempt failed or whose runner died: for its next attempt, or into the failed list (rules 5). */
import type { Db } from '../../db/db.js';
import { listRunningJobs, releaseJob, requireJob, setJobPayload } from '../../db/jobs/jobs.js';
import type { JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { JOB } from '../actor.js';
import { change, type Change } from '../change.js';
import { addMs, iso, MINUTE_MS, type Clock } from '../clock.js';
import { mailJob } from '../mail/mail-job.js';
import { kindOf } from './kinds.js';
import { JOBS_TOPIC } from './queue.js';
import { pastError, pastErrors, rememberError } from './past-errors.js';
import { nextTryAt } from './retry-policy.js';

/**
 * A failed attempt, with what to store about it in the transaction that releases the job. Its message is the job's
 * error.
 */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
  /** The next attempt must not be earlier. */
  readonly retryAfterMs: number;
  readonly settle: (tx: Change, state: 'available' | 'failed') => void;

  constructor(
    message: string,
    { retryAfterMs, settle }: { retryAfterMs: number; settle: RetryableError['settle'] },
  ) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.settle = settle;
  }
}

/** `lost`: the lease of `row` is gone and nothing was stored. */
export function release(tx: Change, row: JobRow, error: unknown): 'available' | 'failed' | 'lost' {
  const { db, time, now } = tx;
  const kind = kindOf(row);
  const payload = payloadOf(row);
  const retry = nextTryAt(kind, row.attempt, time, retryAfterMs(error));
  const failure = pastError(error, { attempt: row.attempt, at: now });
  const isStored = releaseJob(db, {
    id: row.id,
    leaseToken: row.leaseToken as string,
    state: retry ? 'available' : 'failed',
    runAt: retry ? iso(retry) : row.runAt,
    finishedAt: retry ? null : now,
    lastError: failure.error,
    errors: JSON.stringify(rememberError(pastErrors(row), failure)),
  });
  if (!isStored) return 'lost';
  db.announce(JOBS_TOPIC);
  const state = retry ? 'available' : 'failed';
  if (error instanceof RetryableError) error.settle(tx, state);
  else if (!retry) kind.giveUp?.(tx, payload);
  if (!retry && !kind.failsQuietly?.(payload)) tellFailed(tx);
  return state;
}

/** Not parsed strictly: even a broken job must be releasable. */
function payloadOf({ payload }: JobRow): object {
  try {
    return JSON.parse(payload);
  } catch {
    return {};
  }
}

/** Releases the running jobs that `isLost` selects; returns their ids. */
export async function releaseRunning(
  { db, writer, clock }: { db: Db; writer: Writer; clock: Clock },
  isLost: (job: JobRow) => boolean,
  reason: (job: JobRow) => unknown,
): Promise<number[]> {
  if (!listRunningJobs(db).some(isLost)) return [];
  return change({ writer, clock }, { actor: JOB }, (tx) => {
    const lost = listRunningJobs(tx.db).filter(isLost);
    for (const job of lost) release(tx, job, reason(job));
    return lost.map(({ id }) => id);
  });
}

function retryAfterMs(error: unknown): number {
  return error instanceof Error && 'retryAfterMs' in error ? Number(error.retryAfterMs) || 0 : 0;
}

const GATHERED_MS = 5 * MINUTE_MS;
/** `2026-03-02T09`. */
const HOUR_LENGTH = 13;

/**
 * Tells the office at once when jobs fail for good (rules 12): one mail for all that fail within a few minutes, and for
 * what fails later in the same hour one more at its end.
 */
function tellFailed(tx: Change): void {
  const hour = tx.now.slice(0, HOUR_LENGTH);
  if (tellsIn(tx, `${hour}/1`, iso(addMs(tx.time, GATHERED_MS)))) return;
  tellsIn(tx, `${hour}/2`, `${hour}:59:59.999Z`);
}

/** Whether this mail will tell of what fails now: it is ordered, unless it has been sent. */
function tellsIn(tx: Change, part: string, runAt: string): boolean {
  const { db, now } = tx;
  const mail = { mail: 'jobs-failed', since: now, part } as const;
  const { id } = tx.enqueue(mailJob, mail, { runAt });
  const { state, payload, finishedAt } = requireJob(db, { id });
  const { since } = JSON.parse(payload) as typeof mail;
  const isOfALaterTime = since > now || (finishedAt ?? '') > now;
  if (state === 'running' || !isOfALaterTime) return state === 'available';
  // By a clock that was ahead: what it lists has failed later than now.
  setJobPayload(db, { id, payload: JSON.stringify(mail) });
  tx.enqueueAgain(mailJob, mail, { runAt });
  return true;
}
