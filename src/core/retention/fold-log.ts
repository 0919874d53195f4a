/** Folds the write-ahead log into the database file and cuts it (rules 5, 13). */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/db.js';

const TRIES = 20;
const PAUSE_MS = 50;

/** False when somebody who reads the database was in the way all along: what could be folded is, and the rest stays. */
export async function foldLog(db: Db): Promise<boolean> {
  for (let i = 0; i < TRIES; i += 1) {
    if (i > 0) await pause(PAUSE_MS);
    if (fold(db)) return true;
  }
  return false;
}

/** Waits for nobody: within SQLite that would hold up the whole process. */
function fold(db: Db): boolean {
  const patience = db.pragma('busy_timeout');
  db.pragma('busy_timeout = 0');
  const busy = db.pragma('wal_checkpoint(TRUNCATE)');
  db.pragma(`busy_timeout = ${patience}`);
  return busy === 0;
}
