/** How soon the idle daemon starts a job that another process has stored. */
import { setTimeout as pause } from 'node:timers/promises';
import { openData } from '../src/core/installation/data.js';
import { iso } from '../src/core/clock.js';

const COMMITS = 30;
/** Longer than the time for which the daemon polls faster after a write, and no multiple of its polling interval. */
const APART_MS = 6_037;

/** Milliseconds from each commit until the job has begun. */
export async function startsOfJobs(dataDir: string): Promise<number[]> {
  const db = openData(dataDir);
  const insert = db.raw.prepare(
    "INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES ('send-mail', '{}', 'available', @now, @now)",
  );
  const hasBegun = db.raw
    .prepare("SELECT state <> 'available' OR attempt > 0 FROM jobs WHERE id = ?")
    .pluck();
  const times: number[] = [];
  for (let i = 0; i < COMMITS; i += 1) {
    await pause(APART_MS);
    const { lastInsertRowid } = insert.run({ now: iso(new Date()) });
    const committed = performance.now();
    while (hasBegun.get(lastInsertRowid) === 0) await pause(1);
    times.push(performance.now() - committed);
  }
  db.close();
  return times;
}
