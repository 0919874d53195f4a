/** Lists of requests by their filters (rules 6). */
import { sql } from 'kysely';
import { all, sqlite, type Db } from '../db.js';
import { pageOf, partOf, sumsOf, type Page, type Part } from '../page.js';
import type { RequestRow, RequestStatus } from '../schema.js';
import { anyOf, type TimeRange } from '../sql.js';

/** Null means "any"; an empty list means "none". */
export interface RequestFilter {
  owner: readonly number[] | null;
  status: readonly RequestStatus[] | null;
  equipment: readonly number[] | null;
  createdAt: TimeRange;
}

/** By their creation, or since when they have their status. */
type RequestPart = Omit<Part, 'by'> & { filter: RequestFilter; by?: 'createdAt' | 'statusSince' };

export function listRequests(
  db: Db,
  { filter, by = 'createdAt', ...part }: RequestPart & { offset: number },
): Page<RequestRow> {
  return pageOf(db, matching(filter, 'status'), matching(filter).selectAll(), { ...part, by });
}

export function walkRequests(db: Db, { filter, by = 'createdAt', ...part }: RequestPart): RequestRow[] {
  return db.list(partOf(matching(filter).selectAll(), { ...part, by }));
}

/** Of the contracts that count. */
export function sumRequests(db: Db, filter: RequestFilter) {
  const ids = matching(filter, 'status').select((eb) =>
    eb
      .selectFrom('contracts')
      .select((newest) => newest.fn.max('contracts.id').as('id'))
      .whereRef('contracts.requestId', '=', 'requests.id')
      .as('id'),
  );
  return db.list(sumsOf(sqlite.selectFrom('contracts').where('id', 'in', ids)));
}

/** Whose these requests are. */
export const listCustomersOf = all((p: { requestIds: readonly number[] }) =>
  sqlite
    .selectFrom('requests')
    .innerJoin('users', 'users.id', 'requests.ownerId')
    .select(['requests.id', 'users.firstName', 'users.lastName', 'users.username'])
    .where('requests.id', 'in', anyOf(p.requestIds)),
);

const ofOtherStatuses = (['<', '>'] as const).map((side) =>
  all(() =>
    sqlite
      .selectFrom('requests')
      .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
      .where('status', side, 'COMPLETE')
      .groupBy('status'),
  ),
);

/** Statuses without any are missing. Most are complete: they are what is left of all, which are counted without reading them. */
export function countRequestsByStatus(db: Db): Partial<Record<RequestStatus, number>> {
  const others = ofOtherStatuses.flatMap((counts) => counts(db));
  const total = db.count(sqlite.selectFrom('requests'));
  const complete = others.reduce((left, { count }) => left - count, total);
  const counts = Object.fromEntries(others.map(({ status, count }) => [status, count]));
  return complete > 0 ? { ...counts, COMPLETE: complete } : counts;
}

/** `along`: the order of the index that is read; a count needs none, and takes a third of the time along the statuses. */
function matching({ owner, status, equipment, createdAt }: RequestFilter, along: 'list' | 'status' = 'list') {
  const isByStatus = !owner && !equipment && (along === 'status' || status?.length === 1);
  let some = sqlite.selectFrom('requests');
  if (owner) some = some.where('ownerId', 'in', anyOf(owner));
  if (equipment) some = some.where('equipmentId', 'in', anyOf(equipment));
  // One status has an index in each order. The rows of several are met in the list's own order: sorting them costs more.
  if (status?.length === 1 && isByStatus) some = some.where('status', '=', status[0] as RequestStatus);
  else if (status && isByStatus) some = some.where('status', 'in', anyOf(status));
  else if (status) some = some.where(sql<boolean>`+"status" in ${anyOf(status)}`);
  if (createdAt.from !== null) some = some.where('createdAt', '>=', createdAt.from);
  if (createdAt.until !== null) some = some.where('createdAt', '<', createdAt.until);
  return some;
}
