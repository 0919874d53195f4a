/** The last day to sign, as the provider counts it: a calendar day in the time zone of the signature request. */
import type { SignatureRequest } from './types.js';

/** The calendar day (yyyy-mm-dd) of a moment in a zone. */
export function dayIn(timezone: string, ms: number): string {
  let days = DAYS.get(timezone);
  // Swedish writes dates as ISO 8601 does.
  if (!days)
    DAYS.set(timezone, (days = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })));
  return days.format(ms);
}

/** By zone: making one takes far longer than using it. */
const DAYS = new Map<string, Intl.DateTimeFormat>();

/** The last second in which the request can be signed, in milliseconds. */
export function lastSecondOf({ expirationDate, timezone }: LastDay): number {
  const day = `${timezone} ${expirationDate}`;
  const known = LAST_SECONDS.get(day) ?? lastSecondOfDay(timezone, expirationDate);
  LAST_SECONDS.set(day, known);
  return known;
}

/** By zone and day: each list asks for those of all its requests. */
const LAST_SECONDS = new Map<string, number>();

function lastSecondOfDay(timezone: string, date: string): number {
  const noon = Date.parse(`${date}T12:00:00Z`) / 1000;
  // Found by bisection, so days of 23 or 25 hours need no special case.
  let [within, after] = [noon - 30 * 3600, noon + 30 * 3600];
  while (after - within > 1) {
    const middle = Math.floor((within + after) / 2);
    if (dayIn(timezone, middle * 1000) <= date) within = middle;
    else after = middle;
  }
  return within * 1000;
}

type LastDay = Pick<SignatureRequest, 'expirationDate' | 'timezone'>;

/** True when the last day to sign has ended. */
export function isOver(request: LastDay, now: number): boolean {
  return now >= lastSecondOf(request) + 1000;
}

export function isZone(name: string): boolean {
  try {
    return dayIn(name, 0) !== '';
  } catch {
    return false;
  }
}
