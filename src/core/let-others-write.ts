/** Between two batches of long work that holds the write lock each time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../db/db.js';

/**
 * SQLite lets a process that waits for the lock try again after 1, 3, 8, 18, 33 ms. A batch that takes 3 and a pause longer
 * than the 2 between the first tries let it in within 3; anything in between would make it miss the pauses again and again.
 */
const PAUSE_MS = 3;
const LOOK_MS = 1;

/** Lets another process that waits for the write lock have it: goes on when one has written, or after 3 ms. */
export async function letOthersWrite(db: Db): Promise<void> {
  const seen = db.dataVersion();
  const until = performance.now() + PAUSE_MS;
  do await pause(LOOK_MS);
  while (performance.now() < until && db.dataVersion() === seen);
}
