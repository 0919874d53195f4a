/** The settings for people: what is in force and who says so. A secret never leaves this file. */
import { defaultOf, loadConfig, type Environment } from './config.js';
import { SETTINGS, type Setting } from './settings.js';

export interface ShownSetting {
  name: string;
  /** As it would stand in the environment; null: not set, and no default. */
  value: string | null;
  /** `environment`, `default`, or the file that says it. */
  from: string;
  secret: boolean;
  /** Of a name that is no setting: the setting spelt most alike. */
  nearest: string | null;
}

const MASK = '********';

/** Throws a ConfigError that names every fault. */
export function showSettings(environment: Environment, envFile?: string): ShownSetting[] {
  const { given, unknown } = loadConfig(environment, envFile);
  const settings = Object.entries<Setting>(SETTINGS).map(([name, setting]) => {
    const { secret = false } = setting;
    const { text = textOf(defaultOf(setting)), from } = given[name] as {
      text: string | undefined;
      from: string;
    };
    return { name, value: secret && text ? masked(text) : (text ?? null), from, secret, nearest: null };
  });
  // Its value may be a secret that was meant for another name.
  return [...settings, ...unknown.map((each) => ({ ...each, value: null, secret: false }))];
}

/** Of an address only the user and the password are secret. */
function masked(text: string): string {
  if (text.startsWith('file:')) return text;
  return /^smtps?:\/\//.test(text) ? text.replace(/\/\/.*@/, `//${MASK}@`) : MASK;
}

function textOf(byDefault: unknown): string | undefined {
  if (byDefault === undefined || (Array.isArray(byDefault) && byDefault.length === 0)) return undefined;
  return typeof byDefault === 'string' ? byDefault : String(Number(byDefault));
}
