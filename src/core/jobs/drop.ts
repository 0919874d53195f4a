/** Drops a job that nobody needs any more. */
import { deleteIdleJob, findJobByKey } from '../../db/jobs/jobs.js';
import type { Change } from '../change.js';
import type { About } from '../history/history.js';

/** Unless it is running. A failed one would stay in the failed list for nothing. */
export function dropJob(tx: Change, uniqueKey: string, about: About): void {
  const job = findJobByKey(tx.db, { uniqueKey });
  deleteIdleJob(tx.db, { uniqueKey });
  if (job?.state !== 'failed') return;
  const { id: jobId, kind, lastError } = job;
  tx.record('job.removed', about, { jobId, kind, lastError, reason: tx.reason });
}
