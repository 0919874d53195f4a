/**
 * When a job is retried (rules 5): a first attempt plus the waits of its kind, then it has failed. No jitter: 1 s
 * means 1 s.
 */
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';

export const PATIENT = [
  1 * SECOND_MS,
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
];

/**
 * The time of the next attempt after `attempt` attempts, at least `atLeastMs` from now; undefined when that was the
 * last.
 */
export function nextTryAt(
  { waitsMs }: { waitsMs: readonly number[] },
  attempt: number,
  now: Date,
  atLeastMs = 0,
): Date | undefined {
  const wait = waitsMs[attempt - 1];
  return wait === undefined ? undefined : addMs(now, Math.max(wait, atLeastMs));
}
