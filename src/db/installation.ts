/** The one row that tells this installation from every other. */
import { query, sqlite, type Db } from './db.js';

const only = query(() => sqlite.selectFrom('installation').select('id').limit(1));

/** 16 hexadecimal digits, made once with the database; a backup takes them along. */
export function findInstallationId(db: Db): string {
  return (db.first(only, {}) as { id: string }).id;
}

const renaming = query((p: { id: string }) =>
  sqlite.updateTable('installation').set({ id: p.id }).where('one', '=', 1),
);

/** Goes on under an id that the providers know already. */
export function setInstallationId(db: Db, id: string): void {
  db.run(renaming, { id });
}
