/**
 * The kinds of filters (rules 6). Each parses what clients write and describes itself for the API's documents. An
 * empty value is ignored, one that names nothing finds nothing. Only an invalid date is refused: ignoring it would
 * silently return everything.
 */
import { statusOf } from '../../core/lifecycle.js';
import type { TimeRange } from '../../core/calls/listing.js';
import { idOfIri, iriOf, type CollectionName } from './iri.js';
import type { QueryValue } from './hydra.js';
import type { Filter as Declared } from '../../core/resources/resource.js';
import { nearestIso, MINUTE_MS } from '../../core/clock.js';
import { HttpError } from '../http/errors.js';

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
  read(value: QueryValue | undefined, about: { property: string; baseUrl: string }): T;
}

export function filtersOf(
  declared: readonly (readonly [name: string, filter: Declared<unknown>])[],
): Record<string, Filter<unknown>> {
  return Object.fromEntries(declared.map(([name, filter]) => [name, filterOf(filter)]));
}

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function filterOf({
  kind,
  about: which,
  words = [],
  collection,
  example = '',
}: Declared<unknown>): Filter<unknown> {
  const about = `Only those ${which}`;
  switch (kind) {
    case 'choice':
      return {
        spellings: listSpellings(`${words.join(', ')}, in any letter case`, [words[0]], { enum: [...words] }),
        read: (value) => named(listOf(value), (word) => statusOf(words, word) ?? []),
      };
    // Only `[]` makes a list, because texts may hold commas.
    case 'text': {
      const schema = { type: 'string', examples: [example] };
      return {
        spellings: {
          '': { about: `${about}.`, schema },
          '[]': { about: `${about}; once for each of several.`, schema: { type: 'array', items: schema } },
        },
        read: (value) => named(allOf(value), (text) => text),
      };
    }
    case 'flag':
      return {
        spellings: { '': { about: 'Also as 1 or 0.', schema: { type: 'boolean' } } },
        read: (value) => FLAGS.get(typeof value === 'string' ? value.toLowerCase() : '') ?? null,
      };
    case 'ref': {
      const name = collection as CollectionName;
      return {
        spellings: listSpellings(about, ['1', iriOf(name, 1)]),
        read: (value, { baseUrl }) => named(listOf(value), (each) => idIn(each, name, baseUrl)),
      };
    }
    case 'span':
      return {
        spellings: {
          '[before]': time('Then or earlier'),
          '[strictly_before]': time('Earlier than this'),
          '[after]': time('Then or later'),
          '[strictly_after]': time('Later than this'),
        },
        read: (value, { property }) => timeRangeOf(value, property),
      };
    case 'search':
      return {
        spellings: { '': { about, schema: { type: 'string', examples: ['dupont'] } } },
        read: (value) => (typeof value === 'string' && value.trim() !== '' ? value : null),
      };
  }
}

const TIME = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
};

function time(about: string): Spelling {
  return { about: `${about}; a date is its midnight, and what has no offset is UTC.`, schema: TIME };
}

/** Comma lists are documented as plain text: generated clients would repeat the name, and only the last one counts. */
function listSpellings(about: string, examples: unknown[], items: object = {}) {
  const each = { type: 'string', ...items };
  return {
    '': { about: `${about}; several with commas between them.`, schema: { type: 'string', examples } },
    '[]': {
      about: `${about}; once for each of several.`,
      schema: { type: 'array', items: each, examples: [examples] },
    },
  };
}

/** The values of `name`, `name[]`, `name[0]` and comma lists. */
function listOf(value: QueryValue | undefined): string[] {
  return allOf(value).flatMap((each) =>
    each
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );
}

/** The same without comma lists. Empty form fields are no values. */
function allOf(value: QueryValue | undefined): string[] {
  const members = typeof value === 'string' ? [['0', value] as const] : Object.entries(value ?? {});
  return members.flatMap(([key, each]) =>
    /^\d+$/.test(key) && typeof each === 'string' && each !== '' ? [each] : [],
  );
}

/** Leaves out what cannot name anything. */
function idIn(text: string, collection: CollectionName, baseUrl: string): number[] {
  const id = /^\d+$/.test(text) ? Number(text) : idOfIri(text, collection, baseUrl);
  return id !== undefined && Number.isSafeInteger(id) ? [id] : [];
}

/** Null when nothing is asked for; empty when what is asked for names nothing. */
function named<T>(asked: string[], find: (each: string) => T | readonly T[]): T[] | null {
  return asked.length === 0 ? null : [...new Set(asked.flatMap(find))];
}

// Times in filters as clients write them (rules 6): dates, date-times, offsets.

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
function timeRangeOf(value: QueryValue | undefined, property: string): TimeRange {
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

const SPELLING = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(Z|[+ -]\d\d:?\d\d)?)?$/i;

/** Milliseconds. A date means its midnight, a time without offset is UTC. Undefined for an invalid date. */
function parseTime(value: QueryValue | undefined): number | undefined {
  const match = typeof value === 'string' ? SPELLING.exec(value.trim()) : null;
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
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
