/** Puts jobs into the table, always in the transaction of the change that needs them. */
import type { Db } from '../../db/db.js';
import {
  deleteIdleJob,
  findJobByKey,
  requireJob,
  requireJobByKey,
  insertJob,
  rearmJob,
  type NewJob,
} from '../../db/jobs/jobs.js';
import type { Change } from '../change.js';
import type { About } from '../history/history.js';
import type { JobKind } from './kind.js';

/** Announced after each commit that made a job available. */
export const JOBS_TOPIC = 'jobs';

export interface NewWork {
  kind: string;
  payload: unknown;
  /** Makes the enqueue happen once: a second one with the same key changes nothing. */
  uniqueKey?: string;
  /** ISO 8601; the first attempt is not earlier. */
  now: string;
  /** The first attempt is not earlier than this instead. */
  runAt?: string;
  requestId?: number | null;
  contractId?: number | null;
  /** Jobs of one lane run one after the other, in the order in which they are due. */
  lane?: string;
}

export function workOf<Payload>(
  kind: JobKind<string, Payload>,
  payload: Payload,
  about: Omit<NewWork, 'kind' | 'payload' | 'uniqueKey'>,
): NewWork & { uniqueKey: string } {
  return { kind: kind.name, payload, uniqueKey: kind.uniqueKey(payload, about.now), ...about };
}

export interface EnqueuedJob {
  id: number;
  kind: string;
  /** False when the unique key was known and nothing was added. */
  isNew: boolean;
}

/** Stores a new job as claimed, if it can begin after the commit, which saves the claim. Undefined when nothing was stored. */
export type Take = (db: Db, job: NewJob) => number | undefined;

/** That of each connection's runner, while it runs. */
export const takers = new WeakMap<Db, Take>();

export function enqueue(db: Db, work: NewWork): EnqueuedJob {
  const { kind, uniqueKey } = work;
  const job = toRow(work);
  const taken = takers.get(db)?.(db, job);
  if (taken !== undefined) return { id: taken, kind, isNew: true };
  const id = insertJob(db, job);
  db.announce(JOBS_TOPIC);
  if (id !== undefined) return { id, kind, isNew: true };
  return { id: requireJobByKey(db, { uniqueKey: uniqueKey as string }).id, kind, isNew: false };
}

function toRow(work: NewWork): NewJob {
  return {
    kind: work.kind,
    payload: JSON.stringify(work.payload),
    uniqueKey: work.uniqueKey ?? null,
    runAt: work.runAt ?? work.now,
    requestId: work.requestId ?? null,
    contractId: work.contractId ?? null,
    createdAt: work.now,
    lane: work.lane ?? null,
  };
}

/** Like enqueue, but a finished job of that key starts over with all its attempts. */
export function enqueueAgain(db: Db, work: NewWork & { uniqueKey: string }): EnqueuedJob {
  const enqueued = enqueue(db, work);
  if (!enqueued.isNew) rearmFinished(db, enqueued.id, work.runAt ?? work.now);
  return enqueued;
}

function rearmFinished(db: Db, id: number, runAt: string): void {
  const { replays } = requireJob(db, { id });
  rearmJob(db, { id, runAt, replays, attempt: 0 });
}

/** Drops a job that nobody needs any more, unless it is running. A failed one would stay in the failed list for nothing. */
export function dropJob(tx: Change, uniqueKey: string, about: About): void {
  const job = findJobByKey(tx.db, { uniqueKey });
  deleteIdleJob(tx.db, { uniqueKey });
  if (job?.state !== 'failed') return;
  const { id: jobId, kind, lastError } = job;
  tx.record('job.removed', about, { jobId, kind, lastError, reason: tx.reason });
}
