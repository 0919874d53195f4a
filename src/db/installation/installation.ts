/** The row that identifies this installation. */
import { required, run, sqlite, type Db } from '../db.js';

const only = required(() => sqlite.selectFrom('installation').select(['id', 'createdAt']).limit(1));
export const findInstallation = only;

/** 16 hexadecimal digits, made with the database and included in backups. */
export function findInstallationId(db: Db): string {
  return only(db).id;
}

/** Continues under an id that the providers know. */
export const setInstallationId = run((p: { id: string }) =>
  sqlite.updateTable('installation').set({ id: p.id }).where('one', '=', 1),
);
