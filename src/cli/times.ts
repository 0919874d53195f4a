/** Times as they are typed, read strictly. Loaded at every start: nothing heavy here. */
import { InvalidArgumentError } from 'commander';

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A date or a date with a time, UTC unless it names an offset; the stored form of it. */
export function timeOption(text: string): string {
  const [, date, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = TIME.exec(text) ?? [];
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const time = new Date(`${date}T${minute}:${second}${fraction}${offset}`);
  // Rolled over: 31 February is no date.
  const isReal = date !== undefined && !Number.isNaN(time.getTime()) && isCalendarDate(date);
  if (!isReal) throw new InvalidArgumentError('Give a date or time such as 2026-03-02 or 2026-03-02T09:00Z.');
  return time.toISOString();
}

function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
