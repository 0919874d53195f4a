/** What callers ask of lists and get (rules 6). */
import type { Direction, TimeRange, Place } from '../../db/sql.js';

export type { Direction, TimeRange };

export const ANY_TIME: TimeRange = { from: null, until: null };

/** A page of a list: its rows, and how many there are on all pages. */
export interface Listing<Row> {
  total: number;
  rows: Row[];
}

export interface PageOf {
  limit: number;
  offset: number;
}

export interface Order<Property extends string> {
  by: Property;
  direction: Direction;
}

// Where a list goes on that is walked step by step, since its pages cannot be counted. Opaque, so that nobody relies on what is in it.

export type { Place };

export function cursorOf({ id, key }: Place): string {
  return Buffer.from(key === undefined ? `past ${id}` : `past ${id} ${key}`).toString('base64url');
}

/** Undefined for what is no cursor. */
export function placeOfCursor(cursor: string): Place | undefined {
  const [, id, key] = /^past (\d{1,15})(?: (.*))?$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return id === undefined ? undefined : { id: Number(id), key };
}

/** At most so many of them at a time. */
export function* portionsOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

const PAGE = 500;

type Page<Row> = (after: Row | undefined, limit: number) => Row[];

/** All rows of a list, read a page at a time; `page` starts after the last row of the one before. */
export function* everyRow<Row>(page: Page<Row>): Generator<Row> {
  for (const rows of everyPage(page)) yield* rows;
}

/** The same of rows that are read by id. */
export function everyById<Row extends { id: number }>(
  page: (part: { after: number; limit: number }) => Row[],
): Generator<Row> {
  return everyRow((last, limit) => page({ after: last?.id ?? 0, limit }));
}

/** The pages themselves, for a caller that lets others work in between. */
export function* everyPage<Row>(page: Page<Row>): Generator<Row[]> {
  for (let after: Row | undefined; ;) {
    const rows = page(after, PAGE);
    yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1);
  }
}

// Found rows in the order of a list, and which of them stand behind a place: the row that it names may be gone.

export interface FoundOrder<Row> {
  direction: Direction;
  /** Before the id; by default that alone. */
  keyOf?: ((row: Row) => string) | undefined;
}

export function inOrder<Row extends { id: number }>(rows: readonly Row[], order: FoundOrder<Row>): Row[] {
  return rows.toSorted((a, b) => compare(order, a, placeIn(order, b)));
}

export function behind<Row extends { id: number }>(
  rows: readonly Row[],
  { past, limit, order }: { past?: Place | undefined; limit: number; order: FoundOrder<Row> },
): Row[] {
  return rows.filter((row) => past === undefined || compare(order, row, past) > 0).slice(0, limit);
}

function placeIn<Row extends { id: number }>({ keyOf }: FoundOrder<Row>, row: Row): Place {
  return { id: row.id, key: keyOf?.(row) };
}

function compare<Row extends { id: number }>(
  { direction, keyOf }: FoundOrder<Row>,
  row: Row,
  { id, key = '' }: Place,
): number {
  const own = keyOf?.(row) ?? key;
  const ascending = own === key ? row.id - id : own < key ? -1 : 1;
  return direction === 'asc' ? ascending : -ascending;
}
