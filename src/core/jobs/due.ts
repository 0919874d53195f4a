/** When the next work is due. */
import type { Db } from '../../db/db.js';
import { firstDueTimes } from '../../db/jobs/waiting.js';
import { JOB_NAMES } from './names.js';

/** When the first waiting job was or will be due (ISO 8601); undefined when none waits. */
export function firstDueAt(db: Db): string | undefined {
  const times = firstDueTimes(db, JOB_NAMES);
  return earliest(JOB_NAMES.map((name) => times[name]));
}

export function earliest(times: readonly (string | null | undefined)[]): string | undefined {
  return times.filter((time) => time != null).toSorted()[0];
}
