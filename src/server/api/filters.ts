/**
 * The kinds of filters (rules 6). Each parses what clients write and describes itself for the API's documents. An
 * empty value is ignored, one that names nothing finds nothing. Only an invalid date is refused: ignoring it would
 * silently return everything.
 */
import { statusOf } from '../../core/lifecycle.js';
import type { TimeRange } from '../../core/calls/listing.js';
import { timeRangeOf } from './filter-times.js';
import { idOfIri, type CollectionName } from './iri.js';
import type { QueryValue } from '../http/query.js';
import type { Filter as Declared, Filters as Narrowing } from '../../core/resources/resource.js';

/** One way to write a filter. */
export interface Spelling {
  about: string;
  /** The JSON schema of the value. */
  schema: Record<string, unknown>;
}

export interface Filter<T> {
  /** By the suffix of the property's name in the query: nothing, `[]`, `[after]` … */
  readonly spellings: Readonly<Record<string, Spelling>>;
  /** Parses the value under the property's name; null when it is not filtered by. May throw 400. */
  read(value: QueryValue | undefined, about: FilterContext): T;
}

export interface FilterContext {
  property: string;
  /** The address of this service. */
  baseUrl: string;
}

/** The filters of a declared noun. */
export function filtersOf<F extends Narrowing>(declared: F): { [P in keyof F]: Filter<ValueOf<F[P]>> } {
  const filters = Object.entries(declared).map(([name, filter]) => [name, filterOf(filter)]);
  return Object.fromEntries(filters) as { [P in keyof F]: Filter<ValueOf<F[P]>> };
}

type ValueOf<F> = F extends Declared<infer T> ? (T extends TimeRange ? T : T | null) : never;

function filterOf({ kind, about, words = [], collection, example = '' }: Declared<unknown>): Filter<unknown> {
  switch (kind) {
    case 'choice':
      return wordFilter(words);
    case 'text':
      return textFilter({ example, about });
    case 'flag':
      return flagFilter();
    case 'ref':
      return iriFilter(collection as CollectionName, about);
    case 'span':
      return timeFilter();
    case 'search':
      return searchFilter(about);
  }
}

/** One or several of these words, in any letter case: statuses, names of events. */
export function wordFilter<Word extends string>(words: readonly Word[]): Filter<Word[] | null> {
  return {
    spellings: listSpellings(
      { type: 'string', enum: [...words] },
      {
        about: `${words.join(', ')}, in any letter case`,
        examples: [words[0]],
      },
    ),
    read: (value) => distinct(listOf(value)?.flatMap((word) => statusOf(words, word) ?? [])),
  };
}

interface TextRule {
  example: string;
  /** For the documents. */
  about?: string;
  /** Converts to the stored form. */
  normal?: (text: string) => string;
}

/** Words that are searched for. */
export function searchFilter(about: string): Filter<string | null> {
  return {
    spellings: { '': { about, schema: { type: 'string', examples: ['dupont'] } } },
    read: (value) => (typeof value === 'string' && value.trim() !== '' ? value : null),
  };
}

/** One text or several, matched as a whole. Only `[]` makes a list, because texts may hold commas. */
export function textFilter({
  example,
  about = 'The whole value',
  normal = (text) => text,
}: TextRule): Filter<string[] | null> {
  const schema = { type: 'string', examples: [example] };
  const list = { type: 'array', items: schema };
  return {
    spellings: {
      '': { about: `${about}.`, schema },
      '[]': { about: `${about}; once for each of several.`, schema: list },
    },
    read: (value) => distinct(valuesOf(value)?.map(normal)),
  };
}

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** True or false, also as 1 or 0. */
export function flagFilter(): Filter<boolean | null> {
  return {
    spellings: { '': { about: 'Also as 1 or 0.', schema: { type: 'boolean' } } },
    read: (value) => FLAGS.get(typeof value === 'string' ? value.toLowerCase() : '') ?? null,
  };
}

/** Resources of another collection, by id or IRI. */
export function iriFilter(collection: CollectionName, about = 'Id or IRI'): Filter<number[] | null> {
  return {
    spellings: listSpellings({ type: 'string' }, { about, examples: ['1', `/api/${collection}/1`] }),
    read: (value, { baseUrl }) => distinct(listOf(value)?.flatMap((each) => idOf(each, collection, baseUrl))),
  };
}

const TIME = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
};

/** A span of time; `[before]` and `[after]` include their second. */
export function timeFilter(): Filter<TimeRange> {
  return {
    spellings: {
      '[before]': time('Then or earlier'),
      '[strictly_before]': time('Earlier than this'),
      '[after]': time('Then or later'),
      '[strictly_after]': time('Later than this'),
    },
    read: (value, { property }) => timeRangeOf(value, property),
  };
}

function time(about: string): Spelling {
  return { about: `${about}; a date is its midnight, and what has no offset is UTC.`, schema: TIME };
}

/** Comma lists are documented as plain text: generated clients would repeat the name, and only the last one counts. */
function listSpellings(
  items: Record<string, unknown>,
  { about, examples }: { about: string; examples: unknown[] },
) {
  return {
    '': { about: `${about}; several with commas between them.`, schema: { type: 'string', examples } },
    '[]': {
      about: `${about}; once for each of several.`,
      schema: { type: 'array', items, examples: [examples] },
    },
  };
}

/** The values of `name`, `name[]`, `name[0]` and comma lists; undefined when not filtered by it. */
function listOf(value: QueryValue | undefined): string[] | undefined {
  return given(allOf(value).flatMap((each) => each.split(',').map((part) => part.trim())));
}

/** Like `listOf`, but without comma lists. */
function valuesOf(value: QueryValue | undefined): string[] | undefined {
  return given(allOf(value));
}

/** Empty form fields are no values. */
function given(values: string[]): string[] | undefined {
  const some = values.filter((value) => value !== '');
  return some.length === 0 ? undefined : some;
}

function allOf(value: QueryValue | undefined): string[] {
  return typeof value === 'string' ? [value] : Object.entries(value ?? {}).flatMap(listMember);
}

function listMember([key, value]: [string, QueryValue]): string[] {
  return /^\d+$/.test(key) && typeof value === 'string' ? [value] : [];
}

/** Leaves out what cannot name anything. */
function idOf(text: string, collection: CollectionName, baseUrl: string): number[] {
  const id = /^\d+$/.test(text) ? Number(text) : idOfIri(text, collection, baseUrl);
  return id !== undefined && Number.isSafeInteger(id) ? [id] : [];
}

function distinct<T>(list: T[] | undefined): T[] | null {
  return list ? [...new Set(list)] : null;
}
