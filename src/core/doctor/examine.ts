/** Everything that `esignctl doctor` looks at (decisions 10, 12). It works with the daemon down, and changes nothing. */
import { ConfigError, loadConfig, type Config, type Environment } from '../config.js';
import { failed, ok, type Check } from './check.js';
import { checkDaemon, checkWebhookSecret } from './daemon-checks.js';
import { checkDatabase } from './database-check.js';
import { checkDirectory, checkDisk } from './directory-checks.js';
import { checkMail, checkPaymentProvider, checkSignatureProvider } from './service-checks.js';

export type { Check } from './check.js';

/** Settings that are wrong are the answer: without them there is nothing else to look at. */
export async function examine(environment: Environment, envFile: string | undefined): Promise<Check[]> {
  let config: Config;
  try {
    ({ config } = loadConfig(environment, envFile));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map(({ variable, fault, mend }) => failed(`setting ${variable}`, fault, mend));
  }
  const here = [
    ok('settings', 'all settings are right'),
    ...checkDirectory(config),
    checkDatabase(config),
    checkDisk(config),
    checkDaemon(config),
  ];
  const asked = await Promise.all([
    checkSignatureProvider(config),
    checkPaymentProvider(config),
    checkMail(config),
    checkWebhookSecret(config),
  ]);
  return [...here, ...asked.flat()];
}
