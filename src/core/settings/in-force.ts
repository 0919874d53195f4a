/**
 * Which settings have changed since the daemon last ran, for the history (rules 9): their names, never their values. The
 * database keeps digests, keyed because some settings are secrets.
 */
import { createHmac } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { listSettingsInForce, putSettingInForce } from '../../db/installation/installation.js';
import { RESTART } from '../actor.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { secretFile } from '../installation/secret-file.js';
import type { Config } from './config.js';
import { SETTINGS } from './settings.js';

/** Writes what a restart has changed into the history, and remembers it. The first start has nothing to compare with. */
export async function noteSettings(ctx: Context): Promise<void> {
  if (changedSettings(ctx).length === 0) return;
  await change(ctx, { actor: RESTART }, (tx) => {
    const known = new Set(listSettingsInForce(tx.db).map(({ name }) => name));
    const changed = changedSettings(ctx);
    for (const setting of changed) putSettingInForce(tx.db, setting);
    // One that is not known came with this version.
    const taken = changed.flatMap(({ name }) => (known.has(name) ? name : []));
    if (taken.length > 0) tx.record('settings.reloaded', null, { taken, needRestart: [] });
  });
}

/** In the unit that writes the history of a reload: the next start does not tell these again. */
export function rememberSettings(db: Db, config: Config, names: readonly string[]): void {
  for (const setting of digestsOf(config)) {
    if (names.includes(setting.name)) putSettingInForce(db, setting);
  }
}

function changedSettings({ db, config }: Context) {
  const known = new Map(listSettingsInForce(db).map(({ name, digest }) => [name, digest]));
  return digestsOf(config).filter(({ name, digest }) => known.get(name) !== digest);
}

function digestsOf(config: Config) {
  const key = secretFile(config.dataDir, 'settings.key');
  return Object.entries(SETTINGS).map(([name, setting]) => {
    const value = JSON.stringify(config[setting.key]) ?? '';
    return { name, digest: createHmac('sha256', key).update(`${name}=${value}`).digest('base64url') };
  });
}
