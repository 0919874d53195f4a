/** Time comes from the context, so that tests can move it by hand. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The stored form of a time: ISO 8601 in UTC with milliseconds, so that text order is time order. */
export function iso(time: Date): string {
  return time.toISOString();
}

/** `days` times 24 hours after `time`. */
export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * 86_400_000);
}

export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
