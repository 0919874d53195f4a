/** Found rows in the order of a list, and which of them stand behind a place: the row that it names may be gone. */
import type { Direction } from './listing.js';
import type { Place } from './cursor.js';

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
