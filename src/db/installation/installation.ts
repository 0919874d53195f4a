/** The row that identifies this installation, its locks, and the settings with which it last ran. */
import { all, first, required, run, sqlite, type Db, exists } from '../db.js';
import { deleteBy, putRow, rowsBy, rowsIn, newRow } from '../table.js';
import { sql } from 'kysely';
import { codeOf } from '../caught.js';
import Database from 'better-sqlite3';

const only = required(() => sqlite.selectFrom('installation').select(['id', 'createdAt']).limit(1));
export const findInstallation = only;

/** 16 hexadecimal digits, made with the database and included in backups. */
export function findInstallationId(db: Db): string {
  return only(db).id;
}

/** Named locks with a lease, for work at a provider that must not run twice at once, in any process. */
export const findLock = first(rowsBy('locks', 'name'));
export const listLocks = all(rowsIn('locks', 'name', 'names'));

/** Writes the lock over an existing one; the caller has checked that it may. */
export const putLock = run(putRow('locks', ['name'], ['token', 'holder', 'until']));

export const deleteLock = run(deleteBy('locks', 'name', 'token'));

/** As digests. */
export const listSettingsInForce = all(() => sqlite.selectFrom('settingsInForce').selectAll());

export const putSettingInForce = run(putRow('settingsInForce', ['name'], ['digest']));

// The hold of a restored installation: at most one row.

export const isHoldThere = exists(() => sqlite.selectFrom('hold').select('one').where('one', '=', 1));

export const findHold = first(() => sqlite.selectFrom('hold').selectAll().where('one', '=', 1));

/** The first one stays: what may have happened elsewhere is counted from the oldest copy. */
export const putHold = run(
  newRow('hold', ['since', 'madeAt', 'lastJobId'], { fixed: { one: 1 }, end: sql`on conflict do nothing` }),
);

export const deleteHold = run(() => sqlite.deleteFrom('hold').where('one', '=', 1));

// Interprets error codes of SQLite and the system that make a database unusable.

export type DatabaseTrouble = 'damaged' | 'busy' | 'read_only' | 'not_permitted' | 'full' | 'unreadable';

const MEANINGS: readonly [RegExp, DatabaseTrouble][] = [
  [/^SQLITE_(NOTADB|CORRUPT)/, 'damaged'],
  [/^SQLITE_BUSY/, 'busy'],
  [/^(EROFS|SQLITE_READONLY)/, 'read_only'],
  [/^(EACCES|EPERM|SQLITE_(CANTOPEN|PERM))/, 'not_permitted'],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, 'full'],
  [/^(EIO|SQLITE_IOERR)/, 'unreadable'],
];

/** Undefined for every other error. */
export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  const code = codeOf(error);
  return MEANINGS.find(([codes]) => codes.test(code))?.[1];
}

// Tests whether the database is usable.

/** About the size of a large webhook with all its effects. */
const FILLER_BYTES = 64 * 1024;

/** A unit that takes space for a row and frees it. Its commit waits for the disk like any other. */
export function probeSpace({ raw }: Db): void {
  raw.prepare('INSERT INTO probes (filler) VALUES (zeroblob(?))').run(FILLER_BYTES);
  raw.prepare('DELETE FROM probes').run();
}

/**
 * True unless the file on disk is damaged. Uses its own connection: a working one has most pages cached and would
 * miss damage.
 */
export function isWholeOnDisk(file: string): boolean {
  let raw: Database.Database | undefined;
  try {
    raw = new Database(file, { readonly: true, fileMustExist: true });
    return raw.pragma('quick_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    return databaseTrouble(error) !== 'damaged';
  } finally {
    raw?.close();
  }
}
