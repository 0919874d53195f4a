/**
 * When a job is retried (rules 5): a first attempt plus the waits of its kind, then it has failed. No jitter: 1 s
 * means 1 s.
 */
import { addMs } from '../clock.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

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

export interface PastError {
  attempt: number;
  at: string;
  error: string;
}

const LAST_ERRORS_KEPT = 9;

/** The errors of a job's attempts: the first and the last nine. */
export function pastErrors({ errors }: { errors: string }): PastError[] {
  return JSON.parse(errors);
}

/** Adds an error to such a list. */
export function rememberError(all: readonly PastError[], error: PastError): PastError[] {
  const [first, ...later] = [...all, error];
  return [first, ...later.slice(-LAST_ERRORS_KEPT)];
}
