/** Opens the database file with the settings that every connection must have, the command line's too. */
import Database from 'better-sqlite3';
import { Db } from './db.js';

export interface OpenOptions {
  /** How long a statement may block the process while another one writes. The daemon keeps it short and waits in async code. */
  busyTimeoutMs: number;
  /** Refuse to create the file. */
  mustExist?: boolean;
}

/** Opens `file` in WAL mode; what is committed survives a power loss, not only a crash. */
export function openDb(file: string, { busyTimeoutMs, mustExist = false }: OpenOptions): Db {
  const raw = new Database(file, { timeout: busyTimeoutMs, fileMustExist: mustExist });
  raw.pragma('journal_mode = WAL');
  // better-sqlite3 is compiled so that WAL means NORMAL: the last commits could vanish with the power.
  raw.pragma('synchronous = FULL');
  raw.pragma('foreign_keys = ON');
  raw.pragma('trusted_schema = OFF');
  // Keeps a WAL that a burst has grown from staying that large for ever.
  raw.pragma('journal_size_limit = 67108864');
  return new Db(raw);
}

/**
 * Makes one self-contained file of a database that nobody uses: its log is written back and removed. `inUse` is called
 * when another connection has it open. A file that is missing or damaged is left as it is.
 */
export function closeForGood(file: string, inUse: () => never): void {
  let raw: Database.Database | undefined;
  try {
    raw = new Database(file, { timeout: 1_000, fileMustExist: true });
    raw.pragma('journal_mode = DELETE');
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) inUse();
  } finally {
    raw?.close();
  }
}
