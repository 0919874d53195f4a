/**
 * The kinds of filters a collection may have (spec 4.3). Each reads what clients write and tells the documents about the
 * API how it is written. What makes no sense is ignored; what names nothing finds nothing.
 */
import { statusOf } from '../core/lifecycle.js';
import type { TimeRange } from '../core/listing.js';
import { timeRangeOf } from './filter-times.js';
import { idOfIri, type CollectionName } from './iri.js';
import type { QueryValue } from './query.js';

export interface Filter<T> {
  /** How the property's name goes on in the query: nothing, `[]`, `[after]` …, with the JSON schema of the value. */
  readonly spellings: Readonly<Record<string, Record<string, unknown>>>;
  /** From the value under the property's name; null: not filtered by it. */
  read(value: QueryValue | undefined): T;
}

/** One of these statuses or a list of them, whatever their letter case. */
export function statusFilter<S extends string>(statuses: readonly S[]): Filter<S[] | null> {
  return {
    spellings: listSpellings({ type: 'string', enum: [...statuses] }),
    read: (value) => distinct(listOf(value)?.flatMap((word) => statusOf(statuses, word) ?? [])),
  };
}

/** Resources of another collection, by id or IRI. */
export function iriFilter(collection: CollectionName): Filter<number[] | null> {
  return {
    spellings: listSpellings({ type: 'string', examples: ['1', `/api/${collection}/1`] }),
    read: (value) => distinct(listOf(value)?.flatMap((each) => idOf(each, collection))),
  };
}

const TIME = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
};

/** A span of time; `[before]` and `[after]` include the second they name. */
export function timeFilter(): Filter<TimeRange> {
  return {
    spellings: { '[before]': TIME, '[strictly_before]': TIME, '[after]': TIME, '[strictly_after]': TIME },
    read: timeRangeOf,
  };
}

function listSpellings(schema: Record<string, unknown>) {
  return { '': schema, '[]': { type: 'array', items: schema } };
}

/** The values of `name`, `name[]`, `name[0]` and of comma lists; undefined: the caller did not filter by it. */
function listOf(value: QueryValue | undefined): string[] | undefined {
  const values = typeof value === 'string' ? [value] : [...(value ?? [])].flatMap(listMember);
  return values.length === 0
    ? undefined
    : values.flatMap((each) => each.split(',')).map((each) => each.trim());
}

function listMember([key, value]: [string, QueryValue]): string[] {
  return /^\d+$/.test(key) && typeof value === 'string' ? [value] : [];
}

/** One that can name nothing is left out of the list. */
function idOf(text: string, collection: CollectionName): number[] {
  const id = /^\d+$/.test(text) ? Number(text) : idOfIri(text, collection);
  return id !== undefined && Number.isSafeInteger(id) ? [id] : [];
}

function distinct<T>(list: T[] | undefined): T[] | null {
  return list ? [...new Set(list)] : null;
}
