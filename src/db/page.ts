/** Pages of lists (rules 6): a count, and LIMIT and OFFSET over an index that fits filter and order. */
import type { SelectQueryBuilder } from 'kysely';
import type { Db } from './db.js';
import type { Schema } from './schema.js';

export interface Page<Row> {
  /** How many rows there are on all pages. */
  total: number;
  rows: Row[];
}

/** `some`: the rows that match; `ordered`: the same with their columns, in an order that its last column makes unambiguous. */
export function pageOf<T extends keyof Schema, Row>(
  db: Db,
  some: SelectQueryBuilder<Schema, T, object>,
  ordered: SelectQueryBuilder<Schema, T, Row>,
  { limit, offset }: { limit: number; offset: number },
): Page<Row> {
  const total = db.count(some);
  return { total, rows: offset < total ? db.list(ordered.limit(limit).offset(offset)) : [] };
}
