/** Filters of collections as clients spell them (spec 4.3). What makes no sense is ignored; what names nothing finds nothing. */
import { idOfIri } from './iri.js';
import type { QueryMap, QueryValue } from './query.js';

/** The values of `name`, `name[]`, `name[0]` and of comma lists; undefined: the caller did not filter by it. */
export function listOf(value: QueryValue | undefined): string[] | undefined {
  const values = typeof value === 'string' ? [value] : [...(value ?? [])].flatMap(listMember);
  return values.length === 0
    ? undefined
    : values.flatMap((each) => each.split(',')).map((each) => each.trim());
}

function listMember([key, value]: [string, QueryValue]): string[] {
  return /^\d+$/.test(key) && typeof value === 'string' ? [value] : [];
}

/** Ids given as numbers or as IRIs of a collection; one that can name nothing is left out of the list. */
export function idsOf(value: QueryValue | undefined, collection: string): number[] | undefined {
  return listOf(value)?.flatMap((each) => {
    const id = /^\d+$/.test(each) ? Number(each) : idOfIri(each, collection);
    return id !== undefined && Number.isSafeInteger(id) ? [id] : [];
  });
}

export interface TimeRange {
  from: string | null;
  until: string | null;
}

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

/** The direction of `order[property]`; undefined when it is missing or no direction. */
export function directionOf(query: QueryMap, property: string): 'asc' | 'desc' | undefined {
  const order = query.get('order');
  const value = order instanceof Map ? order.get(property) : undefined;
  const direction = typeof value === 'string' ? value.toLowerCase() : undefined;
  return direction === 'asc' || direction === 'desc' ? direction : undefined;
}
