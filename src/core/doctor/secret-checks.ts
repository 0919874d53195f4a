/** Secrets that can be guessed, or read by others. */
import { statSync } from 'node:fs';
import type { Config, Environment } from '../config.js';
import { ok, warning, type Check } from './check.js';

const DIFFERENT_MIN = 10;
const PLACEHOLDER = /change.?me|replace.?me|your.?secret|example|password|0123456789/i;

/** No secret is shown, only the variable that holds it. */
export function checkSecrets({
  webhookSecrets,
  paymentWebhookSecrets,
  jwtSecret,
  metricsToken,
}: Config): Check {
  const held: [string, string][] = [
    ...webhookSecrets.map((value): [string, string] => ['ESIGN_WEBHOOK_SECRET', value]),
    ...paymentWebhookSecrets.map((value): [string, string] => ['ESIGN_PAYMENT_WEBHOOK_SECRET', value]),
    ...(jwtSecret ? [['ESIGN_JWT_SECRET', jwtSecret] as [string, string]] : []),
    ...(metricsToken ? [['ESIGN_METRICS_TOKEN', metricsToken] as [string, string]] : []),
  ];
  const name = 'secrets';
  const mend = 'Make another one: openssl rand -base64 32';
  const weak = held.filter(([, value]) => new Set(value).size < DIFFERENT_MIN || PLACEHOLDER.test(value));
  if (weak.length > 0) {
    const variables = [...new Set(weak.map(([variable]) => variable))];
    return warning(name, `easy to guess: ${variables.join(', ')}`, mend);
  }
  const twice = held.filter(([variable, value]) =>
    held.some(([v, other]) => v !== variable && other === value),
  );
  if (twice.length > 0) {
    return warning(
      name,
      `the same in ${[...new Set(twice.map(([variable]) => variable))].join(' and ')}`,
      mend,
    );
  }
  return ok(name, 'none is short of variety, none is used twice');
}

/** The files that hold settings or secrets; undefined: there is none. */
export function checkSettingFiles(environment: Environment, read: readonly string[]): Check | undefined {
  const named = Object.entries(environment).flatMap(([name, value]) =>
    /^ESIGN_\w+_FILE$/.test(name) && name !== 'ESIGN_ENV_FILE' && value ? [value] : [],
  );
  const files = [...new Set([...read, ...named])];
  if (files.length === 0) return undefined;
  const open = files.filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0);
  const name = 'settings files';
  return open.length === 0
    ? ok(name, 'they are closed to others')
    : warning(name, `open to others: ${open.join(', ')}`, `Run: chmod o-rwx ${open.join(' ')}`);
}
