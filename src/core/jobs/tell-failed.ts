/**
 * Tells the office at once when jobs fail for good (rules 12): one mail for all that fail within a few minutes, and for
 * what fails later in the same hour one more at its end.
 */
import { requireJob } from '../../db/jobs/jobs.js';
import type { Change } from '../change.js';
import { addMs, iso } from '../clock.js';
import { mailJob } from '../mail/mail-job.js';

const GATHERED_MS = 5 * 60_000;
/** `2026-03-02T09`. */
const HOUR = 13;

export function tellFailed(tx: Change): void {
  const { db, now: since } = tx;
  const hour = since.slice(0, HOUR);
  const soon = { runAt: iso(addMs(tx.time, GATHERED_MS)) };
  const { id } = tx.enqueue(mailJob, { mail: 'jobs-failed', since, part: `${hour}/1` }, soon);
  const isWaiting = requireJob(db, { id }).state === 'available';
  if (isWaiting) return;
  const later = { runAt: `${hour}:59:59.999Z` };
  tx.enqueue(mailJob, { mail: 'jobs-failed', since, part: `${hour}/2` }, later);
}
