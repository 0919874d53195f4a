/** Passing trouble of the machine: nothing was changed, and the same call may succeed a moment later. */
import { codeOf } from '../../db/caught.js';
import { DatabaseBusyError } from '../../db/writer.js';

const PASSING = ['SQLITE_BUSY', 'SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EMFILE'];

export function isPassingOutage(error: unknown): boolean {
  if (error instanceof DatabaseBusyError) return true;
  const code = codeOf(error);
  return PASSING.some((name) => code.startsWith(name));
}
