/** Times as people are shown them: stored and handed on in UTC, written in the zone of the settings. */
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
