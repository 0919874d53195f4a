/** What callers ask of lists and get (rules 6). */
import type { Direction, TimeRange } from '../../db/sql.js';

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
