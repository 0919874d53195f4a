/** When the next work is due. */
import type { Db } from '../../db/db.js';
import { firstDueTimes } from '../../db/waiting-jobs.js';
import { JOB_KINDS } from './kinds.js';

/** When the job that waits longest was, or will be, due (ISO 8601); undefined: none waits. */
export function firstDueAt(db: Db): string | undefined {
  const times = firstDueTimes(db);
  return earliest(JOB_KINDS.map((kind) => times[kind]));
}

/** The first of these times in ISO 8601; undefined: there is none. */
export function earliest(times: readonly (string | null)[]): string | undefined {
  return times.filter((time) => time !== null).toSorted()[0];
}
