/** Small words for messages. */
import type { PrunedCounts } from '../../core/retention/prune.js';

/** A noun, or its singular and plural when an s is not enough. */
export type Noun = string | readonly [one: string, many: string];

export function counted(count: number, noun: Noun): string {
  const [one, many] = typeof noun === 'string' ? [noun, `${noun}s`] : noun;
  return `${count} ${count === 1 ? one : many}`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `512 bytes`, `34.1 kB`, `1.2 GB`. */
export function bytes(count: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const number = count / 1000 ** step;
  return `${step === 0 ? number : number.toFixed(1)} ${UNITS[step]}`;
}

const AGES = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 days`, `1 hour`: in the largest full unit. */
export function ageWords(seconds: number): string {
  const [unit, length] = AGES.find((each) => seconds >= each[1]) ?? [];
  if (!unit) return 'less than a minute';
  return counted(Math.floor(seconds / length), unit);
}

/** What a command that enables or disables something has done. `isNew`: it was not so before. */
export function turned(
  it: string,
  { isEnabled, isNew, dryRun }: { isEnabled: boolean; isNew: boolean; dryRun: boolean },
): string {
  const word = isEnabled ? 'enabled' : 'disabled';
  if (!isNew) return `${it} is ${word} already`;
  return `${dryRun ? `would have ${word}` : word} ${it}`;
}

// The numbers in the result of a run, in words.

/** What the nightly housekeeping removes. */
export const PRUNED: readonly (readonly [keyof PrunedCounts, string])[] = [
  ['jobs', 'completed job'],
  ['inboxBodies', 'webhook content'],
  ['deliveries', 'outbound webhook'],
  ['refreshTokens', 'expired refresh token'],
  ['passwordLinks', 'old password link'],
  ['sessions', 'expired session'],
  ['idempotencyKeys', 'expired idempotency key'],
  ['userCalls', 'old call count'],
  ['runs', 'run record'],
  ['files', 'half-written file'],
];

const OTHERS = new Map<string, (count: number) => string>([
  ['expired', (count) => `${count} expired`],
  ['checked', (count) => `${count} checked`],
  ['changed', (count) => `${count} changed`],
  ['failed', (count) => `${count} failed`],
  ['kept', (count) => `${count} kept`],
  ['missing', (count) => `${count} missing`],
  ['reminded', (count) => `${count} reminded`],
  ['needs', (count) => (count > 0 ? 'mail sent' : 'nothing to report')],
  ['size', bytes],
  ['removed', (count) => `${counted(count, 'old backup')} removed`],
]);

export function resultWords(result: Readonly<Record<string, number>>): string[] {
  const removed = PRUNED.flatMap(([what, noun]) => {
    const count = result[what] ?? 0;
    return count > 0 ? counted(count, noun) : [];
  });
  const others = Object.entries(result).flatMap(([name, count]) => OTHERS.get(name)?.(count) ?? []);
  const isHousekeeping = PRUNED.some(([what]) => what in result);
  if (isHousekeeping && removed.length === 0) return ['nothing to remove'];
  return [...others, ...(isHousekeeping ? [`removed ${removed.join(', ')}`] : [])];
}
