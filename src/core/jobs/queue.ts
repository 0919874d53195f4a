/** Puts work into the job table; always in the transaction of the change that owes it. */
import type { Db } from '../../db/db.js';
import { findJob, findJobByKey, insertClaimedJob, insertJob, rearmJob, type NewJob } from '../../db/jobs.js';
import { type Lease } from '../../db/claims.js';
import type { JobKind, JobRow } from '../../db/schema.js';
import type { JobPayloads } from './kinds.js';

/** Announced after each commit that made a job available. */
export const JOBS_TOPIC = 'jobs';

export interface NewWork<K extends JobKind> {
  kind: K;
  payload: JobPayloads[K];
  /** Makes the enqueue happen once: a second one with the same key changes nothing. */
  uniqueKey?: string;
  /** ISO 8601; the first try is not before it. */
  now: string;
  requestId?: number;
  contractId?: number;
  /** Jobs of one lane are done one after the other, in the order in which they are due. */
  lane?: string;
}

export interface OwedJob {
  id: number;
  kind: JobKind;
  /** False: the unique key was known, and nothing was added. */
  isNew: boolean;
}

/** Owes one piece of work. */
export function enqueue<K extends JobKind>(db: Db, work: NewWork<K>): OwedJob {
  const { kind, uniqueKey } = work;
  const id = insertJob(db, toRow(work));
  db.announce(JOBS_TOPIC);
  if (id !== undefined) return { id, kind, isNew: true };
  return { id: (findJobByKey(db, uniqueKey as string) as JobRow).id, kind, isNew: false };
}

/** Owes one piece of work that its runner takes at once; undefined: the unique key was known, and nothing was added. */
export function enqueueClaimed<K extends JobKind>(
  db: Db,
  work: NewWork<K>,
  lease: Lease,
): JobRow | undefined {
  return insertClaimedJob(db, { ...toRow(work), ...lease });
}

function toRow<K extends JobKind>(work: NewWork<K>): NewJob {
  return {
    kind: work.kind,
    payload: JSON.stringify(work.payload),
    uniqueKey: work.uniqueKey ?? null,
    runAt: work.now,
    requestId: work.requestId ?? null,
    contractId: work.contractId ?? null,
    createdAt: work.now,
    lane: work.lane ?? null,
  };
}

/** Like enqueue, but a job of that key which has already ended starts anew, with all its tries before it. */
export function enqueueAgain<K extends JobKind>(db: Db, work: NewWork<K> & { uniqueKey: string }): OwedJob {
  const owed = enqueue(db, work);
  if (!owed.isNew) rearmFinished(db, owed.id, work.now);
  return owed;
}

function rearmFinished(db: Db, id: number, now: string): void {
  const { replays } = findJob(db, id) as JobRow;
  rearmJob(db, { id, runAt: now, replays, attempt: 0 });
}
