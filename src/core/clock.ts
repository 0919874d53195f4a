/** Time comes from the context, so that tests can move it by hand. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The stored form of a time: ISO 8601 in UTC with milliseconds, so that text order is time order. */
export function iso(time: Date): string {
  const ms = time.getTime();
  if (ms !== last.ms) last = { ms, text: time.toISOString() };
  return last.text;
}

/** In a busy millisecond the same time is asked for many times. */
let last = { ms: NaN, text: '' };

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}

/** Whole seconds; 0 for a time to come. */
export function secondsSince(at: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / SECOND_MS));
}

export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

const FIRST_MS = new Date(0).setUTCFullYear(0, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The stored form of a time that somebody named; the nearest that has one, as text order is time order only in four-digit years. */
export function nearestIso(ms: number): string {
  return iso(new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)));
}
