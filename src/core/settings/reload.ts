/** SIGHUP applies new secrets and the log level at once; other settings wait for a restart. */
import { SIGNAL } from '../actor.js';
import { change } from '../change.js';
import type { Config } from './config.js';
import type { Context } from '../context.js';
import { rememberSettings } from './in-force.js';
import { SETTINGS } from './settings.js';

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
