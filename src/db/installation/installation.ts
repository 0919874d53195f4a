/** The row that identifies this installation, and the settings with which the daemon last ran, as digests. */
import { all, required, run, sqlite, type Db } from '../db.js';
import { putRow } from '../table.js';

const only = required(() => sqlite.selectFrom('installation').select(['id', 'createdAt']).limit(1));
export const findInstallation = only;

/** 16 hexadecimal digits, made with the database and included in backups. */
export function findInstallationId(db: Db): string {
  return only(db).id;
}

export const listSettingsInForce = all(() => sqlite.selectFrom('settingsInForce').selectAll());

export const putSettingInForce = run(putRow('settingsInForce', ['name'], ['digest']));
