/** Names that look like settings but are not: most are misspelt, and their values would be lost. */
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
  ...Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]),
]);

/** Those of `names` that begin with ESIGN_ in any letter case and that nothing reads. */
export function unknownSettings(names: readonly string[], from: string): UnknownSetting[] {
  const unknown = names.filter((name) => /^ESIGN_/i.test(name) && !KNOWN.has(name));
  return unknown.map((name) => ({ name, nearest: nearestTo(name), from }));
}

export function unknownWords({ name, nearest, from }: UnknownSetting): string {
  return `${name} (${from}) is not a setting and is not read; the nearest is ${nearest}`;
}

function nearestTo(name: string): string {
  const upper = name.toUpperCase();
  const [first = '', ...others] = KNOWN;
  return others.reduce(
    (best, known) => (distance(upper, known) < distance(upper, best) ? known : best),
    first,
  );
}

/** The edit distance: letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    row = next;
  }
  return row[b.length] as number;
}
