/** Names that look like settings but are not: most are misspelt, and their values would be lost. */
import { nearestOf } from '../nearest.js';
import { SETTINGS } from './settings.js';

export interface UnknownSetting {
  name: string;
  /** The most similar setting. */
  nearest: string;
  /** `environment`, or the file that says it. */
  from: string;
}

const KNOWN: ReadonlySet<string> = new Set([
  'ESIGN_ENV_FILE',
  'ESIGN_SETTINGS_DIR',
  ...Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]),
]);

/** The script of the off-site copies reads these, from the file and the units that start esignctl too. */
const OF_THE_COPIES: ReadonlySet<string> = new Set([
  'ESIGN_SNAPSHOT_DIR',
  'ESIGN_RESTIC_KEEP',
  'ESIGN_RESTIC_PLACE',
  'ESIGN_RESTIC_CHECKED',
]);

/** Those of `names` that begin with ESIGN_ in any letter case and that nothing reads. */
export function unknownSettings(names: readonly string[], from: string): UnknownSetting[] {
  const unknown = names.filter(
    (name) => /^ESIGN_/i.test(name) && !KNOWN.has(name) && !OF_THE_COPIES.has(name),
  );
  return unknown.map((name) => ({ name, nearest: nearestTo(name), from }));
}

export function unknownWords({ name, nearest, from }: UnknownSetting): string {
  return `${name} (${from}) is not a setting and is not read; the nearest is ${nearest}`;
}

/** The nearest word would be another setting, which switches something else off. */
const RENAMED: Readonly<Record<string, string>> = { ESIGN_CARE_CRON: 'ESIGN_HOUSEKEEPING_CRON' };

function nearestTo(name: string): string {
  const renamed = RENAMED[name.toUpperCase()];
  if (renamed) return renamed;
  return nearestOf(name.toUpperCase(), [...KNOWN])?.word ?? '';
}
