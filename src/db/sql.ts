/** SQL fragments that Kysely lacks. */
import { sql, type Expression } from 'kysely';
import { first, sqlite, type Db } from './db.js';
import { newestIdOf } from './table.js';

export type Direction = 'asc' | 'desc';

/** The last row that was shown, with what it was ordered by: that may have changed since, and the row be gone. */
export interface Place {
  id: number;
  /** Missing where the list has one order, by id. */
  key?: string | undefined;
}

/** From the first time (inclusive) to the second (exclusive); null means open. */
export interface TimeRange {
  from: string | null;
  until: string | null;
}

/** The elements of a list parameter, so that one compiled query serves lists of every length. */
export function anyOf<T>(list: readonly T[]): Expression<T> {
  return sql<T>`(select value from json_each(${list}))`;
}

// Where a table stood at a time, by halves: rows are written in the order of their ids, so their times need no index. What was
// written while the clock was ahead may be left out.

const TIMES = { history: 'at', inbox: 'receivedAt', deliveries: 'createdAt' } as const;
type Logged = keyof typeof TIMES;

const queriesOf = (table: Logged) => ({
  newest: newestIdOf(table),
  from: first((p: { id: number }) =>
    sqlite
      .selectFrom(table)
      .select(['id', sql.ref<string>(TIMES[table]).as('at')])
      .where('id', '>=', p.id)
      .orderBy('id')
      .limit(1),
  ),
});

const queries = {
  history: queriesOf('history'),
  inbox: queriesOf('inbox'),
  deliveries: queriesOf('deliveries'),
};

export function firstIdSince(db: Db, table: Logged, since: string): number {
  const { newest, from } = queries[table];
  let [low, high] = [1, newest(db) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = from(db, { id: middle });
    if (!found || found.at >= since) high = middle;
    else low = found.id + 1;
  }
  return low;
}
