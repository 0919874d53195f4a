/**
 * What the queries of lists share (rules 6): their parts, by LIMIT over an index that fits filter and order; a span of time, the owners,
 * and what all rows amount to.
 */
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db } from './db.js';
import type { Schema } from './schema.js';
import type { Direction, Place, TimeRange } from './sql.js';

/** Which rows of a list. The id breaks ties of what it is ordered by. */
export interface Part<By extends string = string> {
  /** The list's own order by default. */
  by?: By | undefined;
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

type Query<T extends keyof Schema, Row> = SelectQueryBuilder<Schema, T, Row>;

interface Declared<F, T extends keyof Schema, Row, By extends string> {
  /** Those that a filter finds. */
  rows: (filter: F, db: Db) => Query<T, Row>;
  /** The same for a count, where another way to them is shorter. */
  counted?: (filter: F) => Query<T, object>;
  /** The column of each order; the first is the list's own. */
  orders: Readonly<Record<By, Extract<keyof Schema[T], string>>>;
}

/** A list in pages with their number, and as it is walked. */
export function listOf<F, T extends keyof Schema, Row, By extends string>({
  rows,
  counted,
  orders,
}: Declared<F, T, Row, By>) {
  type Asked = Part<By> & { filter: F };
  const walk = (db: Db, { filter, by, ...part }: Asked): Row[] => {
    const [own = 'id'] = Object.values<string>(orders);
    return db.list(partOf(rows(filter, db), { ...part, by: by === undefined ? own : orders[by] }));
  };
  const page = (db: Db, asked: Asked & { offset: number }): Page<Row> => {
    const { filter, offset } = asked;
    const total = db.count(counted?.(filter) ?? rows(filter, db).clearSelect());
    return { total, rows: offset < total ? walk(db, asked) : [] };
  };
  return { page, walk };
}

export function partOf<T extends keyof Schema, Row>(
  rows: Query<T, Row>,
  { by = 'id', direction, past, limit, offset }: Part,
): Query<T, Row> {
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

/** Those of a time. */
export function within<T extends keyof Schema, Row>(
  some: Query<T, Row>,
  column: Extract<keyof Schema[T], string>,
  { from, until }: TimeRange,
): Query<T, Row> {
  const since = from === null ? some : some.where(sql<boolean>`${sql.ref(column)} >= ${from}`);
  return until === null ? since : since.where(sql<boolean>`${sql.ref(column)} < ${until}`);
}

export interface Own {
  /** Only what this user owns; null: what anybody does. */
  ownerId: number | null;
}

export function ownersIn({
  owner,
  ownerId,
}: Partial<Own> & { owner: readonly number[] | null }): readonly number[] | null {
  return ownerId == null ? owner : [ownerId];
}

/** What all the rows amount to, a row a currency. */
export function sumsOf<T extends 'contracts' | 'payments', Row>(some: SelectQueryBuilder<Schema, T, Row>) {
  return some
    .clearSelect()
    .select([sql<number>`sum("amount")`.as('amount'), sql<string>`"currency"`.as('currency')])
    .groupBy(sql`"currency"`)
    .having(sql<boolean>`sum("amount") is not null and "currency" is not null`);
}
