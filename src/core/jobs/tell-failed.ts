/**
 * Tells the office at once when jobs fail for good (rules 12): one mail for all that fail within a few minutes, and for
 * what fails later in the same hour one more at its end.
 */
import { requireJob, setJobPayload } from '../../db/jobs/jobs.js';
import type { Change } from '../change.js';
import { addMs, iso } from '../clock.js';
import { mailJob } from '../mail/mail-job.js';

const GATHERED_MS = 5 * 60_000;
/** `2026-03-02T09`. */
const HOUR = 13;

export function tellFailed(tx: Change): void {
  const hour = tx.now.slice(0, HOUR);
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
