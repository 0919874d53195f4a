/** The row that identifies this installation. */
import { required, sqlite, type Db } from '../db.js';

const only = required(() => sqlite.selectFrom('installation').select(['id', 'createdAt']).limit(1));
export const findInstallation = only;

/** 16 hexadecimal digits, made with the database and included in backups. */
export function findInstallationId(db: Db): string {
  return only(db).id;
}
