/** Working days, Monday to Friday in ESIGN_TIMEZONE; holidays are not known. */
import { iso } from '../clock.js';
import type { Config } from '../settings/config.js';
import { momentOf, plusDays, wallClock } from '../zone.js';

/** What has been new since then or before has waited for too long by now (setting `ESIGN_NEW_DAYS`). */
export function newTooLongSince(
  { newDays, timeZone }: Pick<Config, 'newDays' | 'timeZone'>,
  now: Date,
): string {
  return iso(workingDaysBefore(timeZone, now, newDays));
}

/** At the same time of an earlier day. */
export function workingDaysBefore(zone: string, now: Date, days: number): Date {
  const { day: today, time } = wallClock(zone, now);
  let day = today;
  for (let left = days; left > 0;) {
    day = plusDays(day, -1);
    if (isWorkingDay(day)) left -= 1;
  }
  return momentOf(zone, { day, time });
}

function isWorkingDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday >= 1 && weekday <= 5;
}
