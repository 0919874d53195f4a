/** SQL fragments that Kysely lacks. */
import { sql, type Expression } from 'kysely';

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
