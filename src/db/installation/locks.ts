/** Named locks with a lease, for work at a provider that must not run twice at once, in any process. */
import { first, run, sqlite } from '../db.js';

export interface Lock {
  name: string;
  token: string;
  pid: number;
  until: string;
}

export const findLock = first((p: { name: string }) =>
  sqlite.selectFrom('locks').selectAll().where('name', '=', p.name),
);

/** Writes the lock over an existing one; the caller has checked that it may. */
export const putLock = run(({ name, token, pid, until }: Lock) =>
  sqlite
    .insertInto('locks')
    .values({ name, token, pid, until })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ token, pid, until })),
);

export const deleteLock = run((p: { name: string; token: string }) =>
  sqlite.deleteFrom('locks').where('name', '=', p.name).where('token', '=', p.token),
);
