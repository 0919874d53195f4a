/** SIGHUP applies new secrets and the log level at once; other settings wait for a restart. */
import { SIGNAL, RESTART } from '../actor.js';
import { change } from '../change.js';
import type { Config } from './config.js';
import type { Context } from '../context.js';
import { SETTINGS } from './settings.js';
import { createHmac } from 'node:crypto';
import type { Db } from '../../db/db.js';
import { listSettingsInForce, putSettingInForce } from '../../db/installation/installation.js';
import { secretFile } from '../installation/secret-file.js';

const RELOADABLE: ReadonlySet<keyof Config> = new Set([
  'apiKey',
  'webhookSecrets',
  'paymentApiKey',
  'paymentWebhookSecrets',
  'metricsToken',
  'logLevel',
]);

type Reloaded = Awaited<ReturnType<typeof reloadSettings>>;

/** Applies what may change while running, and notes it in the history. Both lists name changed variables, never values. */
export async function reloadSettings(ctx: Context, fresh: Config) {
  const changed = Object.entries(SETTINGS).filter(
    ([, { key }]) => JSON.stringify(ctx.config[key]) !== JSON.stringify(fresh[key]),
  );
  const taken = changed.filter(([, { key }]) => RELOADABLE.has(key));
  Object.assign(ctx.config, Object.fromEntries(taken.map(([, { key }]) => [key, fresh[key]])));
  ctx.log.level = ctx.config.logLevel;
  const names = (settings: typeof changed) => settings.map(([name]) => name);
  const told = { taken: names(taken), needRestart: names(changed.filter((each) => !taken.includes(each))) };
  if (taken.length > 0) await tell(ctx, told);
  return told;
}

/** The settings are in force already; a full disk must not end the daemon. */
async function tell(ctx: Context, told: Reloaded): Promise<void> {
  try {
    await change(ctx, { actor: SIGNAL }, (tx) => {
      tx.record('settings.reloaded', null, { ...told });
      rememberSettings(tx.db, ctx.config, told.taken);
    });
  } catch (error) {
    ctx.log.error({ err: error }, 'new settings could not be written into the history');
  }
}

// Which settings have changed since the daemon last ran, for the history (rules 9): their names, never their values. The
// database keeps digests, keyed because some settings are secrets.

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
function rememberSettings(db: Db, config: Config, names: readonly string[]): void {
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
