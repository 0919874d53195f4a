/** Puts work into the job table; always in the transaction of the change that owes it. */
import type { Db } from '../../db/db.js';
import { findJobByKey, insertJob, rearmJob } from '../../db/jobs.js';
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
}

/** Owes one piece of work; the row is the earlier one when the unique key is known. */
export function enqueue<K extends JobKind>(db: Db, work: NewWork<K>): JobRow {
  const row = insertJob(db, {
    kind: work.kind,
    payload: JSON.stringify(work.payload),
    uniqueKey: work.uniqueKey ?? null,
    runAt: work.now,
    requestId: work.requestId ?? null,
    contractId: work.contractId ?? null,
    createdAt: work.now,
  });
  db.announce(JOBS_TOPIC);
  return row ?? (findJobByKey(db, work.uniqueKey as string) as JobRow);
}

/** Like enqueue, but a job of that key which has already ended starts anew, with all its tries before it. */
export function enqueueAgain<K extends JobKind>(db: Db, work: NewWork<K> & { uniqueKey: string }): JobRow {
  const row = enqueue(db, work);
  return rearmJob(db, { id: row.id, runAt: work.now, replays: row.replays, attempt: 0 }) ?? row;
}
