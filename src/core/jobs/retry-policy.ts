/** When a job is tried again (spec 4.8, 8): a first try plus these waits, then it is failed. No jitter: 1 s means 1 s. */
import type { JobKind } from '../../db/schema.js';
import { addMs } from '../clock.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const PATIENT = [1 * SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR];

export const RETRY_WAITS_MS: Readonly<Record<JobKind, readonly number[]>> = {
  'create-payment-session': [1 * SECOND, 2 * SECOND, 4 * SECOND],
  'send-mail': PATIENT,
  'complete-signature': PATIENT,
  'deliver-webhook': [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
};

/** The time of the try after `attempt` tries, not before `atLeastMs` from now; undefined: that was the last. */
export function nextTryAt(kind: JobKind, attempt: number, now: Date, atLeastMs = 0): Date | undefined {
  const wait = RETRY_WAITS_MS[kind][attempt - 1];
  return wait === undefined ? undefined : addMs(now, Math.max(wait, atLeastMs));
}

export interface PastError {
  attempt: number;
  at: string;
  error: string;
}

const LAST_ERRORS_KEPT = 9;

/** Adds an error to a job's history, which keeps the first and the last nine. */
export function rememberError(history: readonly PastError[], error: PastError): PastError[] {
  const all = [...history, error];
  return all.length <= LAST_ERRORS_KEPT + 1 ? all : [all[0] as PastError, ...all.slice(-LAST_ERRORS_KEPT)];
}
