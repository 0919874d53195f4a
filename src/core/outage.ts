/** Trouble of the machine that passes: nothing was changed, and the same call may succeed a moment later. */
import { DatabaseBusyError } from '../db/writer.js';

const PASSING = ['SQLITE_BUSY', 'SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EMFILE'];

export function isPassingOutage(error: unknown): boolean {
  if (error instanceof DatabaseBusyError) return true;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return PASSING.some((name) => code.startsWith(name));
}
