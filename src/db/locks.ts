/** Named locks with a lease, for work that talks to a provider and must not run twice at once, in whichever process. */
import { query, sqlite, type Db } from './db.js';

export interface Lock {
  name: string;
  token: string;
  pid: number;
  until: string;
}

const byName = query((p: { name: string }) =>
  sqlite.selectFrom('locks').selectAll().where('name', '=', p.name),
);

export function findLock(db: Db, name: string): Lock | undefined {
  return db.first(byName, { name });
}

const taking = query((p: Lock) =>
  sqlite
    .insertInto('locks')
    .values({ name: p.name, token: p.token, pid: p.pid, until: p.until })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ token: p.token, pid: p.pid, until: p.until }),
    ),
);

/** Writes the lock, over whatever was there; the caller has looked that it may. */
export function putLock(db: Db, lock: Lock): void {
  db.run(taking, lock);
}

const release = query((p: { name: string; token: string }) =>
  sqlite.deleteFrom('locks').where('name', '=', p.name).where('token', '=', p.token),
);

export function deleteLock(db: Db, name: string, token: string): void {
  db.run(release, { name, token });
}
