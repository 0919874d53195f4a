/** Parts of lists (rules 6): by LIMIT over an index that fits filter and order. */
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db } from './db.js';
import type { Schema } from './schema.js';
import type { Direction, Place } from './sql.js';

/** Which rows of a list. The id breaks ties of what it is ordered by. */
export interface Part<By extends string = 'id'> {
  by?: By | 'id' | undefined;
  direction: Direction;
  /** Those behind it: a walk through all of them misses none and repeats none while others come. */
  past?: Place | undefined;
  limit: number;
  offset?: number;
}

export interface Page<Row> {
  /** How many rows there are on all pages. */
  total: number;
  rows: Row[];
}

/** `some`: the rows that match; `rows`: the same with their columns. */
export function pageOf<T extends keyof Schema, Row>(
  db: Db,
  some: SelectQueryBuilder<Schema, T, object>,
  rows: SelectQueryBuilder<Schema, T, Row>,
  part: Part<string> & { offset: number },
): Page<Row> {
  const total = db.count(some);
  return { total, rows: part.offset < total ? db.list(partOf(rows, part)) : [] };
}

export function partOf<T extends keyof Schema, Row>(
  rows: SelectQueryBuilder<Schema, T, Row>,
  { by = 'id', direction, past, limit, offset }: Part<string>,
): SelectQueryBuilder<Schema, T, Row> {
  const columns = by === 'id' ? ['id'] : [by, 'id'];
  let some = rows.limit(limit);
  for (const column of columns) some = some.orderBy(sql.ref(column), direction);
  if (offset !== undefined) some = some.offset(offset);
  if (!past) return some;
  const place = by === 'id' ? [past.id] : [past.key ?? '', past.id];
  const sign = sql.raw(direction === 'asc' ? '>' : '<');
  return some.where(
    sql<boolean>`(${sql.join(columns.map((each) => sql.ref(each)))}) ${sign} (${sql.join(place)})`,
  );
}

/** What all the rows amount to, a row a currency. */
export function sumsOf<T extends 'contracts' | 'payments', Row>(some: SelectQueryBuilder<Schema, T, Row>) {
  return some
    .clearSelect()
    .select([sql<number>`sum("amount")`.as('amount'), sql<string>`"currency"`.as('currency')])
    .groupBy(sql`"currency"`)
    .having(sql<boolean>`sum("amount") is not null and "currency" is not null`);
}
