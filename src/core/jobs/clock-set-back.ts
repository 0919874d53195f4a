/**
 * Waits are stored as wall-clock times, so setting the clock back would prolong them. Such a wait starts over from
 * now, at its own length. Nothing is retried earlier than planned.
 */
import type { Db } from '../../db/db.js';
import { listJobsDueAfter } from '../../db/jobs/waiting.js';
import { runJobNow } from '../../db/jobs/jobs.js';
import type { JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { everyPage } from '../calls/listing.js';
import { addMs, iso } from '../clock.js';
import { pastErrors } from './past-errors.js';

/** Clocks are adjusted by fractions of a second all the time. */
export const TOLERANCE_MS = 1_000;

export async function beginWaitsAnew(
  { db, writer }: { db: Db; writer: Writer },
  kind: string,
  now: Date,
): Promise<number> {
  let fixed = 0;
  const first = { runAt: iso(now), id: 0 };
  const pages = everyPage<JobRow>((last, limit) => {
    const { runAt, id } = last ?? first;
    return listJobsDueAfter(db, { kind, runAt, id, limit });
  });
  for (const page of pages) {
    const wrong = page.filter((job) => beganAt(job) > iso(addMs(now, TOLERANCE_MS)));
    if (wrong.length === 0) continue;
    await writer.write((unit) => {
      for (const job of wrong) runJobNow(unit, { id: job.id, runAt: iso(addMs(now, waitOf(job))) });
    });
    fixed += wrong.length;
  }
  return fixed;
}

/** When its wait began: at its last attempt, or when it was enqueued. */
function beganAt(job: JobRow): string {
  return pastErrors(job).at(-1)?.at ?? job.createdAt;
}

function waitOf(job: JobRow): number {
  return Math.max(0, Date.parse(job.runAt) - Date.parse(beganAt(job)));
}
