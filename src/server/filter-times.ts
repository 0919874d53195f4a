/** Times in the filters of collections, as clients spell them (spec 4.3): dates, date-times, offsets. */
import type { TimeRange } from '../core/listing.js';
import type { QueryValue } from './query.js';

/**
 * `[after]` and `[before]` include their second, the strict ones do not. Whole seconds are compared, because that is
 * what the API shows: a time that it showed finds its own row.
 */
export function timeRangeOf(value: QueryValue | undefined): TimeRange {
  if (!(value instanceof Map)) return { from: null, until: null };
  const second = (name: string, plus: number) => {
    const ms = parseTime(value.get(name));
    return ms === undefined ? [] : [stored(Math.floor(ms / 1000) * 1000 + plus)];
  };
  const from = [...second('after', 0), ...second('strictly_after', 1000)].sort().at(-1);
  const until = [...second('before', 1000), ...second('strictly_before', 0)].sort().at(0);
  return { from: from ?? null, until: until ?? null };
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(Z|[+ -]\d\d:?\d\d)?)?$/i;

/** Milliseconds; a date is its midnight, a time without offset is UTC. Undefined for what is no date of the calendar. */
function parseTime(value: QueryValue | undefined): number | undefined {
  const match = typeof value === 'string' ? TIME.exec(value.trim()) : null;
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as Six;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  const date = new Date(ms);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return ms - offsetMs(match[7]);
}

type Six = [number, number, number, number, number, number];

function offsetMs(offset: string | undefined): number {
  const [, sign, hours, minutes] = /^([+ -])(\d\d):?(\d\d)$/.exec(offset ?? '') ?? [];
  if (sign === undefined) return 0;
  // A plus that was not encoded arrives as a space.
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The text form stops being in the order of time outside these years. */
function stored(ms: number): string {
  const first = new Date(0).setUTCFullYear(0, 0, 1);
  const end = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  return new Date(Math.min(Math.max(ms, first), end)).toISOString();
}
