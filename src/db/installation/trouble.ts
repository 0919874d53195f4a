/** Interprets error codes of SQLite and the system that make a database unusable. */
import { codeOf } from '../caught.js';

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
