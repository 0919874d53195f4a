/** SIGHUP applies new secrets and the log level at once; other settings wait for a restart. */
import type { Config } from './config.js';
import type { Context } from '../context.js';
import { SETTINGS } from './settings.js';

const RELOADABLE: ReadonlySet<keyof Config> = new Set([
  'apiKey',
  'webhookSecrets',
  'paymentApiKey',
  'paymentWebhookSecrets',
  'metricsToken',
  'logLevel',
]);

export interface Reloaded {
  /** Variables whose new value is in force. */
  taken: string[];
  /** Changed variables that need a restart. */
  needRestart: string[];
}

/** Applies what may change while running. Both lists name variables, never values. */
export function reloadSettings(ctx: Context, fresh: Config): Reloaded {
  const changed = Object.entries(SETTINGS).filter(
    ([, { key }]) => JSON.stringify(ctx.config[key]) !== JSON.stringify(fresh[key]),
  );
  const taken = changed.filter(([, { key }]) => RELOADABLE.has(key));
  Object.assign(ctx.config, Object.fromEntries(taken.map(([, { key }]) => [key, fresh[key]])));
  ctx.log.level = ctx.config.logLevel;
  const names = (settings: typeof changed) => settings.map(([name]) => name);
  return { taken: names(taken), needRestart: names(changed.filter((each) => !taken.includes(each))) };
}
