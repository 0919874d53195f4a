/** Named locks with a lease, for work at a provider that must not run twice at once, in any process. */
import { first, run } from '../db.js';
import { deleteBy, putRow, rowsBy } from '../table.js';

export const findLock = first(rowsBy('locks', 'name'));

/** Writes the lock over an existing one; the caller has checked that it may. */
export const putLock = run(putRow('locks', ['name'], ['token', 'holder', 'until']));

export const deleteLock = run(deleteBy('locks', 'name', 'token'));
