/** Times for people: stored in UTC, shown in the settings' zone. */
import { zoneAt } from '../../core/texts/format.js';
import { wallClock } from '../../core/zone.js';

/** `2026-03-02 10:14:07 CET`. */
export function localTime(timeZone: string, iso: string): string {
  const { day, time } = wallClock(timeZone, iso);
  return `${day} ${time} ${zoneAt({ locale: 'en', timeZone }, iso)}`;
}

/**
 * Local times without their common zone, and that zone; with several zones, as across summer time, each keeps its
 * own.
 */
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
