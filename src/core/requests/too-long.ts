/** How long is too long: for a new request that nobody starts, for a payment that does not come, for money on its way. */
import { iso, addDays } from '../clock.js';
import type { Config } from '../settings/config.js';
import { momentOf, plusDays, wallClock } from '../zone.js';

/** What has been new since then or before has waited for too long by now (setting `ESIGN_NEW_DAYS`). */
export function newTooLongSince(
  { newDays, timeZone }: Pick<Config, 'newDays' | 'timeZone'>,
  now: Date,
): string {
  return iso(workingDaysBefore(timeZone, now, newDays));
}

/** At the same time of an earlier day. Monday to Friday in ESIGN_TIMEZONE; holidays are not known. */
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

const DAYS_WITHOUT_REMINDERS = 7;

/** What waits for its payment since then or before is overdue: a day after its last reminder (setting `ESIGN_REMIND_DAYS`). */
export function overdueSince({ remindDays }: Pick<Config, 'remindDays'>, now: Date): string {
  return iso(addDays(now, -1 - (remindDays.at(-1) ?? DAYS_WITHOUT_REMINDERS)));
}

/** Longer than any bank takes, even for a direct debit. */
const PENDING_DAYS_MAX = 14;

/** When money that has been on its way since then has taken too long. */
export function pendingTooLongAt(pendingSince: string): string {
  return iso(addDays(new Date(pendingSince), PENDING_DAYS_MAX));
}

/** Money that is on its way since then or before has taken too long by now. */
export function pendingTooLongSince(now: Date): string {
  return iso(addDays(now, -PENDING_DAYS_MAX));
}
