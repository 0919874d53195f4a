/** The row that identifies this installation, its locks, and the settings with which it last ran. */
import { all, first, required, run, sqlite, type Db } from '../db.js';
import { deleteBy, putRow, rowsBy } from '../table.js';

const only = required(() => sqlite.selectFrom('installation').select(['id', 'createdAt']).limit(1));
export const findInstallation = only;

/** 16 hexadecimal digits, made with the database and included in backups. */
export function findInstallationId(db: Db): string {
  return only(db).id;
}

/** Named locks with a lease, for work at a provider that must not run twice at once, in any process. */
export const findLock = first(rowsBy('locks', 'name'));

/** Writes the lock over an existing one; the caller has checked that it may. */
export const putLock = run(putRow('locks', ['name'], ['token', 'holder', 'until']));

export const deleteLock = run(deleteBy('locks', 'name', 'token'));

/** As digests. */
export const listSettingsInForce = all(() => sqlite.selectFrom('settingsInForce').selectAll());

export const putSettingInForce = run(putRow('settingsInForce', ['name'], ['digest']));
