/** Times: stored and handed on in UTC, shown to people in the zone of the settings, read strictly. */
import { InvalidArgumentError } from 'commander';
import { zoneAt } from '../core/texts/format.js';
import { wallClock } from '../core/zone.js';

/** `2026-03-02 10:14:07 CET`. */
export function localTime(timeZone: string, iso: string): string {
  const { day, time } = wallClock(timeZone, iso);
  return `${day} ${time} ${zoneAt({ locale: 'en', timeZone }, iso)}`;
}

/** Local times of one zone, and that zone once; with several zones, as after a summer, each keeps its own. */
export function withoutZone(times: readonly string[]): {
  zone: string | undefined;
  times: readonly string[];
} {
  const LOCAL = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) (\S+)$/;
  const parts = times.map((time) => LOCAL.exec(time));
  const zone = parts[0]?.[2];
  if (!zone || parts.some((part) => part?.[2] !== zone)) return { zone: undefined, times };
  return { zone, times: parts.map((part) => part?.[1] as string) };
}

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

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 days`, `1 hour`: in the largest unit that is full. */
export function ageWords(seconds: number): string {
  const [unit, length] = UNITS.find((each) => seconds >= each[1]) ?? [];
  if (!unit) return 'less than a minute';
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
