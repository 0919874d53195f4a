/** Times in filters as clients write them (rules 6): dates, date-times, offsets. */
import type { TimeRange } from '../../core/calls/listing.js';
import { nearestIso } from '../../core/clock.js';
import { HttpError } from '../http/errors.js';
import type { QueryValue } from '../http/query.js';

const SECOND_MS = 1000;

/** Which end of the span each spelling sets, and its offset from the named second. */
const BOUNDS = new Map<string, { end: keyof TimeRange; plusMs: number }>([
  ['before', { end: 'until', plusMs: SECOND_MS }],
  ['strictly_before', { end: 'until', plusMs: 0 }],
  ['after', { end: 'from', plusMs: 0 }],
  ['strictly_after', { end: 'from', plusMs: SECOND_MS }],
]);

/**
 * `[after]` and `[before]` include their second, the strict ones do not. Compares whole seconds, as the API shows
 * them, so that a shown time finds its own row. Throws 400 naming each invalid date.
 */
export function timeRangeOf(value: QueryValue | undefined, property: string): TimeRange {
  const ends = { from: [] as string[], until: [] as string[] };
  const faults = new Map<string, string>();
  for (const { name, key, text } of boundsIn(value, property)) {
    const bound = BOUNDS.get(key);
    const ms = parseTime(text);
    if (!bound) faults.set(name, `This filter should be one of ${spellingsOf(property)}.`);
    else if (ms === undefined) faults.set(name, 'This value is not a valid date.');
    else ends[bound.end].push(nearestIso(Math.floor(ms / SECOND_MS) * SECOND_MS + bound.plusMs));
  }
  if (faults.size > 0) throw new HttpError(400, 'Invalid filter', { fields: Object.fromEntries(faults) });
  return { from: ends.from.sort().at(-1) ?? null, until: ends.until.sort().at(0) ?? null };
}

/** Each part of the filter by its name; empty parts are left out. */
function boundsIn(value: QueryValue | undefined, property: string) {
  const parts = typeof value === 'object' ? Object.entries(value) : [['', value ?? ''] as const];
  return parts
    .filter(([, text]) => text !== '')
    .map(([key, text]) => ({ name: key === '' ? property : `${property}[${key}]`, key, text }));
}

function spellingsOf(property: string): string {
  return [...BOUNDS.keys()].map((key) => `${property}[${key}]`).join(', ');
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(Z|[+ -]\d\d:?\d\d)?)?$/i;

/** Milliseconds. A date means its midnight, a time without offset is UTC. Undefined for an invalid date. */
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
  // An unencoded plus arrives as a space.
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
