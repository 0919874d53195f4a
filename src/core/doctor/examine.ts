/** Everything that `esignctl doctor` looks at (decisions 10, 12). It works with the daemon down, and changes nothing. */
import { ConfigError, loadConfig, type Environment, type LoadedConfig } from '../config.js';
import type { UnknownSetting } from '../unknown-settings.js';
import { failed, ok, warning, type Check } from './check.js';
import { checkDaemon, checkWebhookSecret } from './daemon-checks.js';
import { checkDatabase } from './database-check.js';
import { checkDirectory, checkDisk } from './directory-checks.js';
import { checkSecrets, checkSettingFiles } from './secret-checks.js';
import { checkMail, checkPaymentProvider, checkSignatureProvider } from './service-checks.js';
import { checkUnknownSignatures } from './unknown-signatures-check.js';

export type { Check } from './check.js';

/** Settings that are wrong are the answer: without them there is nothing else to look at. Rejects when `cut` ends it. */
export async function examine(
  environment: Environment,
  envFile: string | undefined,
  cut?: AbortSignal,
): Promise<Check[]> {
  let loaded: LoadedConfig;
  try {
    loaded = loadConfig(environment, envFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = error.faults.map(({ variable, fault, mend }) => failed(`setting ${variable}`, fault, mend));
    return [...wrong, ...error.unknown.map(notASetting)];
  }
  const { config, given, unknown } = loaded;
  const daemon = checkDaemon(config);
  const read = new Set(Object.values(given).map(({ from }) => from));
  const files = checkSettingFiles(
    environment,
    [...read].filter((from) => from !== 'environment' && from !== 'default'),
  );
  const here = [
    ok('settings', 'all settings are right'),
    ...unknown.map(notASetting),
    ...(files ? [files] : []),
    checkSecrets(config),
    ...checkDirectory(config),
    ...(await checkDatabase(config, daemon.state === 'ok', cut)),
    checkDisk(config),
    daemon,
  ];
  const asked = await Promise.all([
    checkSignatureProvider(config, cut),
    checkPaymentProvider(config, cut),
    checkMail(config, cut),
    checkWebhookSecret(config, cut),
    checkUnknownSignatures(config, cut),
  ]);
  cut?.throwIfAborted();
  return [...here, ...asked.flat()];
}

function notASetting({ name, nearest, from }: UnknownSetting): Check {
  const where = from === 'environment' ? 'the environment' : from;
  return warning(
    `setting ${name}`,
    'it is not a setting and is not read',
    `If you mean ${nearest}, rename it in ${where}; otherwise remove it.`,
  );
}
