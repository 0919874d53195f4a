/**
 * Waits are stored as times of the wall clock. When that clock is set back, they would last as much longer: such a wait
 * begins anew, at its own length, from the time that it is now. Nothing is tried earlier than it was to be.
 */
import type { Db } from '../../db/db.js';
import { listJobsDueAfter } from '../../db/waiting-jobs.js';
import { pullJob } from '../../db/jobs.js';
import type { JobKind, JobRow } from '../../db/schema.js';
import type { Writer } from '../../db/writer.js';
import { addMs, iso } from '../clock.js';
import type { PastError } from './retry-policy.js';

/** Clocks are put right by fractions of a second all the time. */
export const TOLERANCE_MS = 1_000;
const BATCH = 500;

/** Mends the waits of a kind; tells how many there were. */
export async function beginWaitsAnew(
  { db, writer }: { db: Db; writer: Writer },
  kind: JobKind,
  now: Date,
): Promise<number> {
  let mended = 0;
  let after = { runAt: iso(now), id: 0 };
  for (;;) {
    const page = listJobsDueAfter(db, { kind, ...after, limit: BATCH });
    const wrong = page.filter((job) => beganAt(job) > iso(addMs(now, TOLERANCE_MS)));
    if (wrong.length > 0) {
      await writer.write((db) => {
        for (const job of wrong) pullJob(db, job.id, iso(addMs(now, waitOf(job))));
      });
    }
    mended += wrong.length;
    const last = page.at(-1);
    if (!last || page.length < BATCH) return mended;
    after = last;
  }
}

/** When its wait began: at its last try, or when it was owed. */
function beganAt({ errors, createdAt }: JobRow): string {
  return (JSON.parse(errors) as PastError[]).at(-1)?.at ?? createdAt;
}

function waitOf(job: JobRow): number {
  return Math.max(0, Date.parse(job.runAt) - Date.parse(beganAt(job)));
}
