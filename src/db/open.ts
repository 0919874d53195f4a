/** Opens the database file with the settings that every connection needs. */
import Database from 'better-sqlite3';
import { codeOf } from './caught.js';
import { Db } from './db.js';

export interface OpenOptions {
  /** How long a statement may block while another process writes. The daemon keeps it short and waits asynchronously. */
  busyTimeoutMs: number;
  /** Refuse to create the file. */
  mustExist?: boolean;
}

/** Opens `file` in WAL mode. Commits survive even a power loss. */
export function openDb(file: string, { busyTimeoutMs, mustExist = false }: OpenOptions): Db {
  const raw = new Database(file, { timeout: busyTimeoutMs, fileMustExist: mustExist });
  raw.pragma('journal_mode = WAL');
  // better-sqlite3's default for WAL is NORMAL, which may lose the last commits in a power loss.
  raw.pragma('synchronous = FULL');
  raw.pragma('foreign_keys = ON');
  raw.pragma('trusted_schema = OFF');
  // What is removed is overwritten: erased personal data must not stay in freed pages.
  raw.pragma('secure_delete = ON');
  // What a unit may have to undo stays in memory. Above 64 KB SQLite would write it to a file, and a webhook's is larger than its change.
  raw.pragma('temp_store = MEMORY');
  // Shrinks a WAL that has grown in a burst.
  raw.pragma('journal_size_limit = 67108864');
  return new Db(raw);
}

/**
 * Turns an unused database into one self-contained file by writing back and removing its log. Calls `inUse` when
 * another connection has it open. Leaves a missing or damaged file as it is.
 */
export function closeForGood(file: string, inUse: () => never): void {
  let raw: Database.Database | undefined;
  try {
    raw = new Database(file, { timeout: 1_000, fileMustExist: true });
    raw.pragma('journal_mode = DELETE');
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_BUSY')) inUse();
  } finally {
    raw?.close();
  }
}
