/** Pieces of SQL that Kysely has no word for. */
import { sql, type Expression } from 'kysely';

export type Direction = 'asc' | 'desc';

/** From the first time on, and before the second; null: open on that side. */
export interface TimeRange {
  from: string | null;
  until: string | null;
}

/** The elements of a JSON list parameter, so that one compiled query serves lists of every length. */
export function anyOf<T>(jsonList: string): Expression<T> {
  return sql<T>`(select value from json_each(${jsonList}))`;
}

/** A bound LIMIT costs SQLite a new plan at each call; an expression does not. */
export function rows(count: number): Expression<number> {
  return sql<number>`+${count}`;
}
