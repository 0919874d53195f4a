/** Everything that `esignctl doctor` checks (rules 10). Works without the daemon and changes nothing. */
import {
  ConfigError,
  loadConfig,
  NO_FILES,
  type Environment,
  type LoadedConfig,
} from '../settings/config.js';
import { companyLine, companyName } from '../settings/company.js';
import type { UnknownSetting } from '../settings/unknown.js';
import { failed, ok, warning, type Check, type Extent } from './check.js';
import {
  checkDaemon,
  checkWebhookSecret,
  checkMail,
  checkPaymentProvider,
  checkSignatureProvider,
  type Ways,
  checkUnknownSignatures,
} from './service-checks.js';
import {
  checkDatabase,
  checkDirectory,
  checkDisk,
  checkSecrets,
  checkSettingFiles,
} from './database-check.js';

export type { Check } from './check.js';

/** With invalid settings these are the only result, since nothing else can be checked. Rejects when `cut` aborts. */
export async function examine(
  environment: Environment,
  envFile: string | undefined,
  ways: Ways = {},
  extent: Extent = { isFull: false },
): Promise<Check[]> {
  const { cut } = ways;
  let loaded: LoadedConfig;
  try {
    loaded = loadConfig(environment, envFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const wrong = error.faults.map(({ variable, fault, fix }) => failed(`setting ${variable}`, fault, fix));
    return [...wrong, ...error.unknown.map(notASetting)];
  }
  const { config, given, unknown } = loaded;
  const daemon = checkDaemon(config);
  const sources = new Set(Object.values(given).map(({ from }) => from));
  const files = [...sources].filter((from) => !NO_FILES.includes(from));
  const isDaemonRunning = daemon.state === 'ok';
  // The database is read while the services are asked.
  const [data, ...asked] = await Promise.all([
    checkDatabase(config, isDaemonRunning, extent, cut),
    checkSignatureProvider(config, ways),
    checkPaymentProvider(config, ways),
    checkMail(config, ways),
    checkWebhookSecret(config, isDaemonRunning, cut),
    checkUnknownSignatures(config, ways),
  ]);
  cut?.throwIfAborted();
  return [
    ok('settings', 'all settings are valid'),
    ...unknown.map(notASetting),
    ...checkSettingFiles(environment, files),
    checkSecrets(config),
    ...checkDirectory(config),
    ...data,
    checkDisk(config),
    ok(
      'firm',
      companyLine(config) ?? `${companyName(config)}; contracts show neither address nor registration`,
    ),
    daemon,
    ...asked.flat(),
  ];
}

function notASetting({ name, nearest, from }: UnknownSetting): Check {
  const where = from === 'environment' ? 'the environment' : from;
  return warning(
    `setting ${name}`,
    'it is not a setting and is not read',
    `If you mean ${nearest}, rename it in ${where}; otherwise remove it.`,
  );
}
