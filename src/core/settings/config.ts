/** The settings (environment): one table of name, default, check; every fault is reported at once, before anything starts. */
import { readFileSync } from 'node:fs';
import { codeOf, messageOf } from '../../db/caught.js';
import { once } from '../once.js';
import { parseEnvFile, instanceOf, ofInstance, userOf, usualFile } from './instance.js';
import { unknownSettings, unknownWords, type UnknownSetting } from './unknown.js';
import { faultOfPrice, SETTINGS, type Config, type Setting } from './settings.js';

export type { Config } from './settings.js';

export interface ConfigFault {
  variable: string;
  fault: string;
  fix: string;
}

/** The environment is not a valid configuration; `faults` has one entry per variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: ConfigFault[];
  /** A missing name is often a misspelt one. */
  readonly unknown: UnknownSetting[];
  constructor(faults: ConfigFault[], unknown: UnknownSetting[]) {
    const wrong = faults.map((f) => `  ${f.variable}: ${f.fault}. ${f.fix}`);
    super(['Wrong settings:', ...wrong, ...unknown.map((each) => `  ${unknownWords(each)}.`)].join('\n'));
    this.faults = faults;
    this.unknown = unknown;
  }
}

export type Environment = Record<string, string | undefined>;

/** A variable's value and where it comes from: one of `NO_FILES`, or the file. */
export interface Given {
  text: string | undefined;
  from: string;
}

/** Where values come from that are in no file. */
export const NO_FILES: readonly string[] = ['default', 'environment', 'ESIGN_INSTANCE'];

export interface LoadedConfig {
  config: Config;
  /** By variable, for `config show`. */
  given: Record<string, Given>;
  /** Names that nothing reads. */
  unknown: UnknownSetting[];
}

/**
 * Reads and checks the settings. The environment, including its X_FILE names, wins over `envFile` (or
 * ESIGN_ENV_FILE, or the file of ESIGN_INSTANCE).
 */
export function loadConfig(environment: Environment, envFile?: string): LoadedConfig {
  const faults: ConfigFault[] = [];
  const { sources, unreadable, isMeant } = sourcesOf(environment, envFile);
  let isFileMissed = isMeant;
  const unknown = sources.flatMap(({ values, from }) => unknownSettings(Object.keys(values), from));
  const config: Record<string, unknown> = {};
  const given: LoadedConfig['given'] = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    try {
      const { text } = (given[name] = givenIn(sources, name, setting));
      if (text === undefined && setting.required) {
        // It may be set in the file that cannot be read.
        if (unreadable) isFileMissed = true;
        else faults.push({ variable: name, fault: 'is required and not set', fix: setting.fix });
        continue;
      }
      const { key, found } = setting;
      if (text !== undefined) config[key] = setting.parse(text);
      else if (found && !process.env['TZ']) findLater(config, name, setting);
      else config[key] = defaultOf(setting);
    } catch (error) {
      faults.push(faultOf(name, setting, error));
    }
  }
  const fault = faultOfPrice(config);
  const variable = 'ESIGN_CONTRACT_AMOUNT';
  if (fault) faults.push({ variable, fault, fix: `${SETTINGS[variable].fix} Or change ESIGN_CURRENCY.` });
  if (unreadable && isFileMissed) faults.unshift(unreadable);
  if (faults.length > 0) throw new ConfigError(faults, unknown);
  // Nothing else says where the firm is.
  if (config['locale'] === 'fr') config['country'] ??= 'FR';
  return { config: config as unknown as Config, given, unknown };
}

/**
 * Finds the value when it is first asked for: the time zone of the machine costs a short command a tenth of its time. One
 * that TZ names is found at once, because it may be wrong.
 */
function findLater(config: Record<string, unknown>, name: string, setting: Setting): void {
  const get = once(() => {
    try {
      return defaultOf(setting);
    } catch (error) {
      throw new ConfigError([faultOf(name, setting, error)], []);
    }
  });
  Object.defineProperty(config, setting.key, { enumerable: true, get });
}

function faultOf(variable: string, setting: Setting, error: unknown): ConfigFault {
  const fix = error instanceof SecretFileError ? error.fix : setting.fix;
  return { variable, fault: messageOf(error), fix };
}

/** The value when nothing is set. */
export function defaultOf({ byDefault, found }: Setting): unknown {
  return found ? found.by() : byDefault;
}

/** ESIGN_DATA_DIR alone, for what needs no other setting. */
export function dataDirectory(environment: Environment, envFile?: string): string {
  const name = 'ESIGN_DATA_DIR';
  const { sources } = sourcesOf(environment, envFile);
  return givenIn(sources, name, SETTINGS[name]).text ?? SETTINGS[name].byDefault;
}

/** Names and values, and what says them. */
interface Source {
  values: Environment;
  from: string;
}

interface Sources extends Pick<EnvFile, 'unreadable'> {
  /** The first that has a value counts. */
  sources: Source[];
  /** The file was asked for. */
  isMeant: boolean;
}

function sourcesOf(environment: Environment, envFile: string | undefined): Sources {
  const instance = instanceOf(environment);
  const usual = usualFile(environment);
  const file = envFile ?? (environment['ESIGN_ENV_FILE'] || (instance && usual));
  const { values, unreadable } = readEnvFile(file ?? usual, { isMeant: file !== undefined, instance });
  const sources = [
    { values: environment, from: 'environment' },
    { values, from: file ?? usual },
    { values: ofInstance(instance), from: 'ESIGN_INSTANCE' },
  ];
  return { sources, isMeant: file !== undefined, ...(unreadable && { unreadable }) };
}

function givenIn(sources: readonly Source[], name: string, setting: Setting): Given {
  for (const { values, from } of sources) {
    const text = valueOf(values, name, setting);
    if (text !== undefined) return { text, from };
  }
  return { text: undefined, from: 'default' };
}

/** `X_FILE` names a file that holds the value of X (systemd credentials). An empty value counts as not set, unless it means something. */
function valueOf(
  env: Environment,
  name: string,
  { mayBeEmpty }: Pick<Setting, 'mayBeEmpty'> = {},
): string | undefined {
  const direct = env[name];
  if (mayBeEmpty && direct?.trim() === '') return '';
  if (direct !== undefined && direct.trim() !== '') return direct.trim();
  const file = env[`${name}_FILE`];
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new SecretFileError(`the file that ${name}_FILE names cannot be read (${codeOf(error)})`, {
      cause: error,
    });
  }
}

class SecretFileError extends Error {
  readonly fix = 'Name a file that the user of the service can read; commands run as that user too.';
}

interface EnvFile {
  values: Environment;
  /** The file exists or was asked for, and cannot be read. */
  unreadable?: ConfigFault;
}

/** One that nobody asked for need not exist. */
function readEnvFile(
  path: string,
  { isMeant, instance }: { isMeant: boolean; instance: string | undefined },
): EnvFile {
  try {
    return { values: parseEnvFile(readFileSync(path, 'utf8')) };
  } catch (error) {
    const code = codeOf(error);
    if (!isMeant && code === 'ENOENT') return { values: {} };
    const fault = `${path} cannot be read (${code})`;
    const fix =
      code === 'EACCES'
        ? `Run it as a user who may read it, such as that of the service (sudo -u ${userOf(instance)} …).`
        : 'Name a readable file, or leave the option out.';
    return { values: {}, unreadable: { variable: 'ESIGN_ENV_FILE', fault, fix } };
  }
}
