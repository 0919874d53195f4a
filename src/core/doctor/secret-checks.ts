/** Finds secrets that can be guessed, or read by others. */
import type { Config, Environment } from '../settings/config.js';
import { ok, warning, type Check } from './check.js';
import { allows, chmodLine } from './directory-checks.js';

const DIFFERENT_MIN = 10;
const PLACEHOLDER = /change.?me|replace.?me|your.?secret|example|password|0123456789/i;

/** Names variables, never their values. */
export function checkSecrets(config: Config): Check {
  const held = Object.entries({
    ESIGN_WEBHOOK_SECRET: config.webhookSecrets,
    ESIGN_PAYMENT_WEBHOOK_SECRET: config.paymentWebhookSecrets,
    ESIGN_JWT_SECRET: config.jwtSecret ? [config.jwtSecret] : [],
    ESIGN_METRICS_TOKEN: config.metricsToken ? [config.metricsToken] : [],
  });
  const holding = (isBad: (value: string, variable: string) => boolean) =>
    held.filter(([variable, values]) => values.some((value) => isBad(value, variable))).map(([name]) => name);
  const name = 'secrets';
  const fix = 'Create a new one: openssl rand -base64 32';
  const weak = holding((value) => new Set(value).size < DIFFERENT_MIN || PLACEHOLDER.test(value));
  if (weak.length > 0) return warning(name, `easy to guess: ${weak.join(', ')}`, fix);
  const twice = holding((value, variable) =>
    held.some(([other, values]) => other !== variable && values.includes(value)),
  );
  if (twice.length > 0) return warning(name, `the same in ${twice.join(' and ')}`, fix);
  return ok(name, 'all are strong, and none is used twice');
}

/** Checks the files with settings or secrets, if there are any. */
export function checkSettingFiles(environment: Environment, read: readonly string[]): Check[] {
  const named = Object.entries(environment).flatMap(([name, value]) =>
    /^ESIGN_\w+_FILE$/.test(name) && name !== 'ESIGN_ENV_FILE' && value ? [value] : [],
  );
  const files = [...new Set([...read, ...named])];
  if (files.length === 0) return [];
  const open = files.filter((file) => allows(file, 0o007));
  const name = 'settings files';
  return open.length === 0
    ? [ok(name, 'other users cannot read them')]
    : [warning(name, `readable by other users: ${open.join(', ')}`, `Run: ${chmodLine('o-rwx', open)}`)];
}
