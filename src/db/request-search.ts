/** Requests by the words of their title, the newest first (an FTS5 index kept by triggers). */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { RequestFilter } from './request-lists.js';
import type { RequestRow, RequestStatus } from './schema.js';
import { anyOf, rows } from './sql.js';

/** How many hits, the newest ones, a filter is applied to: a common word must not cost more than a rare one. */
export const TITLE_HITS_MAX = 5_000;

export type StaffFilter = Pick<RequestFilter, 'status' | 'createdAt'>;

export interface TitleSearch {
  /** As FTS5 reads it. */
  match: string;
  filter: StaffFilter;
}

/** The newest hits: their ids. */
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
  if (status) some = some.where('status', 'in', anyOf<RequestStatus>(JSON.stringify(status)));
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
  const counted = matching(search).select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(counted)[0]?.count ?? 0;
}

const byPaymentId = query((p: { paymentId: string }) =>
  sqlite.selectFrom('requests').selectAll().where('paymentId', '=', p.paymentId),
);

export function findRequestByPaymentId(db: Db, paymentId: string): RequestRow | undefined {
  return db.first(byPaymentId, { paymentId });
}
