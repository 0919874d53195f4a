/** Requests by words of the title, newest first (an FTS5 index kept by triggers). */
import { sql } from 'kysely';
import { sqlite, type Db } from '../db.js';
import type { RequestRow } from '../schema.js';
import { anyOf, rows } from '../sql.js';
import type { RequestFilter } from './lists.js';

/** A filter is applied to the newest hits only, so that a common word costs no more than a rare one. */
export const TITLE_HITS_MAX = 5_000;

export type StaffFilter = Pick<RequestFilter, 'status' | 'createdAt'>;

export interface TitleSearch {
  /** An FTS5 query. */
  match: string;
  filter: StaffFilter;
}

/** The ids of the newest hits. */
function hits(match: string, limit: number) {
  return sqlite
    .selectFrom('requestTitles')
    .select('rowid')
    .where(sql<boolean>`"requestTitles" match ${match}`)
    .orderBy('rowid', 'desc')
    .limit(rows(limit));
}

function matching({ match, filter: { status, createdAt } }: TitleSearch) {
  let some = sqlite.selectFrom('requests').where('id', 'in', hits(match, TITLE_HITS_MAX));
  if (status) some = some.where('status', 'in', anyOf(status));
  if (createdAt.from !== null) some = some.where('createdAt', '>=', createdAt.from);
  if (createdAt.until !== null) some = some.where('createdAt', '<', createdAt.until);
  return some;
}

export function searchRequests(
  db: Db,
  { limit, offset, ...search }: TitleSearch & { limit: number; offset: number },
): RequestRow[] {
  return db.list(matching(search).selectAll().orderBy('id', 'desc').limit(limit).offset(offset));
}

/** How many were found, TITLE_HITS_MAX at most. */
export function countFoundRequests(db: Db, search: TitleSearch): number {
  return db.count(matching(search));
}
