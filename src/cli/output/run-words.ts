/** The numbers in the result of a run, in words. */
import type { PrunedCounts } from '../../core/retention/prune.js';
import { bytes, counted } from './words.js';

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
