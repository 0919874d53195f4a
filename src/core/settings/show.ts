/** The settings as people read them: value and source. A secret never leaves this file. */
import { defaultOf, loadConfig, type Environment, type Given } from './config.js';
import { SETTINGS, type Setting } from './settings.js';

export interface ShownSetting {
  name: string;
  /** As it would stand in the environment; null: not set, and no default. */
  value: string | null;
  /** `environment`, `default`, or the file that says it. */
  from: string;
  secret: boolean;
  /** For a name that is not a setting: the most similar setting. */
  nearest: string | null;
}

const MASK = '********';

/** Throws a ConfigError that names every fault. */
export function showSettings(environment: Environment, envFile?: string): ShownSetting[] {
  const { given, unknown } = loadConfig(environment, envFile);
  const settings = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const { secret = false } = setting;
    const { text = textOf(defaultOf(setting)), from } = given[name] as Given;
    return { name, value: secret && text ? masked(text) : (text ?? null), from, secret, nearest: null };
  });
  // The value may be a secret meant for another name.
  return [...settings, ...unknown.map((each) => ({ ...each, value: null, secret: false }))];
}

/** In an address only user and password are secret. */
function masked(text: string): string {
  if (text.startsWith('file:')) return text;
  return /^smtps?:\/\//.test(text) ? text.replace(/\/\/.*@/, `//${MASK}@`) : MASK;
}

function textOf(byDefault: unknown): string | undefined {
  if (byDefault === undefined || (Array.isArray(byDefault) && byDefault.length === 0)) return undefined;
  if (Array.isArray(byDefault)) return byDefault.join(',');
  return typeof byDefault === 'string' ? byDefault : String(Number(byDefault));
}
