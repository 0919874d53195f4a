/** When a payment is overdue: a day after the last reminder of it (setting `ESIGN_REMIND_DAYS`), or of that day where nobody is reminded. */
import { addDays, iso } from '../clock.js';
import type { Config } from '../settings/config.js';

const DAYS_WITHOUT_REMINDERS = 7;

/** What waits for its payment since then or before is overdue by now. */
export function overdueSince({ remindDays }: Pick<Config, 'remindDays'>, now: Date): string {
  return iso(addDays(now, -1 - (remindDays.at(-1) ?? DAYS_WITHOUT_REMINDERS)));
}
