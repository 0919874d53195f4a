/** Named locks with a lease, for work at a provider that must not run twice at once, in any process. */
import { first, run, sqlite } from '../db.js';
import { deleteBy, rowsBy } from '../table.js';

export interface Lock {
  name: string;
  token: string;
  holder: string;
  until: string;
}

export const findLock = first(rowsBy('locks', 'name'));

/** Writes the lock over an existing one; the caller has checked that it may. */
export const putLock = run(({ name, token, holder, until }: Lock) =>
  sqlite
    .insertInto('locks')
    .values({ name, token, holder, until })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ token, holder, until })),
);

export const deleteLock = run(deleteBy('locks', 'name', 'token'));
