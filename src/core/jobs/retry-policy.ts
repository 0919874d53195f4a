/**
 * When a job is retried (rules 5): a first attempt plus the waits of its kind, then it has failed. No jitter: 1 s
 * means 1 s.
 */
import { addMs } from '../clock.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const PATIENT = [1 * SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR];

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
