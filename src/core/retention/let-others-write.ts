/** The pause between two batches of long work, each of which holds the write lock. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/db.js';

/**
 * A process that waits for SQLite's lock tries again after 1, 3, 8, 18 and 33 ms. A batch of 3 ms and a pause longer
 * than the 2 ms between its first tries let it in within 3 ms; a shorter pause would be missed again and again.
 */
const PAUSE_MS = 3;
const LOOK_MS = 1;

/** Lets a waiting process have the write lock: resolves when one has written, or after 3 ms. */
export async function letOthersWrite(db: Db): Promise<void> {
  const seen = db.dataVersion();
  const until = performance.now() + PAUSE_MS;
  do await pause(LOOK_MS);
  while (performance.now() < until && db.dataVersion() === seen);
}

/** Batch after batch until none is left, with such a pause after each. False when it was stopped before. */
export async function inBatches<Row>(
  db: Db,
  signal: AbortSignal | undefined,
  next: () => Row[],
  act: (batch: Row[]) => Promise<unknown>,
): Promise<boolean> {
  for (;;) {
    const batch = next();
    if (batch.length === 0) return true;
    if (signal?.aborted) return false;
    await act(batch);
    await letOthersWrite(db);
  }
}
