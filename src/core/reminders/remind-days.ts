/** The days after which a customer is reminded (setting `ESIGN_REMIND_DAYS`), for payments and as the signature provider takes them. */
import { addDays, iso } from '../clock.js';

/** When to remind next of what waits since then; null when no day is left. */
export function nextReminder(days: readonly number[], since: string, now: string): string | null {
  const moments = days.map((day) => iso(addDays(new Date(since), day)));
  return moments.find((moment) => moment > now) ?? null;
}

export interface ReminderSettings {
  intervalInDays: number;
  maxOccurrences: number;
}

/** The only steps that the signature provider knows. */
const STEPS = [14, 7, 2, 1] as const;
const OCCURRENCES_MAX = 10;

/** The nearest to these days that the provider can do; the larger step of two that are as near. Undefined: no reminders. */
export function asProviderSettings(days: readonly number[]): ReminderSettings | undefined {
  if (days.length === 0) return undefined;
  const distance = (step: number) => days.reduce((sum, day, i) => sum + Math.abs(day - step * (i + 1)), 0);
  const [intervalInDays] = STEPS.toSorted((a, b) => distance(a) - distance(b));
  return { intervalInDays: intervalInDays as number, maxOccurrences: Math.min(days.length, OCCURRENCES_MAX) };
}
