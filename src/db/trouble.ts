/** What SQLite and the system mean by their codes, when a database cannot be worked on. */

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
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return MEANINGS.find(([codes]) => codes.test(code))?.[1];
}
