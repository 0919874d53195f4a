/** What the tests of lists share: times in heaps, any page, and the naive list that it must be. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Direction, TimeRange } from '../../src/db/sql.js';

/** Times in heaps: many in one millisecond, one hour, one day, and some far away. */
export const time = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 30 }).map((n) => n * 100) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 3_600_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 86_400_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -5e10, max: 5e10 }) },
  )
  .map((ms) => new Date(Date.UTC(2026, 1, 28, 22) + ms).toISOString());

export const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });

export const timeRange: fc.Arbitrary<TimeRange> = fc.record({ from: maybe(time), until: maybe(time) });

interface Wanted<F> {
  filter: F;
  direction: Direction;
  limit: number;
  /** Where in the list the page begins, in percent; beyond its end, too. */
  place: number;
}

export function anyPage<F>(filter: fc.Arbitrary<F>): fc.Arbitrary<Wanted<F>> {
  return fc.record({
    filter,
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.constantFrom(0, 1, 7, 30, 100),
    place: fc.integer({ min: 0, max: 110 }),
  });
}

interface Row {
  id: number;
  createdAt: string;
}

export function byCreation(a: Row, b: Row): number {
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id - b.id;
}

export function isWithin(createdAt: string, { from, until }: TimeRange): boolean {
  return (from === null || createdAt >= from) && (until === null || createdAt < until);
}

/** `all`: the naive list, oldest first. */
export function expectPage<F>(
  list: (page: { filter: F; direction: Direction; limit: number; offset: number }) => {
    total: number;
    rows: { id: number }[];
  },
  all: readonly { id: number }[],
  { filter, direction, limit, place }: Wanted<F>,
): void {
  const ids = all.map(({ id }) => id);
  if (direction === 'desc') ids.reverse();
  const offset = Math.floor((place * ids.length) / 100);
  const found = list({ filter, direction, limit, offset });
  expect(found.total).toBe(ids.length);
  expect(found.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + limit));
}
