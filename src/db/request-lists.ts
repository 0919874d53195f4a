/** Pages of requests and how many there are, by the filters of the list (spec 4.3). */
import type { SelectQueryBuilder } from 'kysely';
import { sqlite, type Db } from './db.js';
import type { RequestRow, RequestStatus, Schema } from './schema.js';
import { anyOf, rows, type Direction, type TimeRange } from './sql.js';

/** Null stands for "any"; an empty list for "none". */
export interface RequestFilter {
  ownerId: number | null;
  status: readonly RequestStatus[] | null;
  equipment: readonly number[] | null;
  createdAt: TimeRange;
}

export interface RequestPage {
  filter: RequestFilter;
  /** Of their creation. */
  direction: Direction;
  limit: number;
  offset: number;
}

/** In the order of their creation; id breaks ties, so that pages never repeat a row. */
export function listRequests(db: Db, { filter, direction, limit, offset }: RequestPage): RequestRow[] {
  const filtered = where(sqlite.selectFrom('requests').selectAll(), filter);
  const ordered = filtered.orderBy('createdAt', direction).orderBy('id', direction);
  return db.list(ordered.limit(rows(limit)).offset(rows(offset)));
}

export function countRequests(db: Db, filter: RequestFilter): number {
  const all = sqlite.selectFrom('requests').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(where(all, filter))[0]?.count ?? 0;
}

function where<O>(
  all: SelectQueryBuilder<Schema, 'requests', O>,
  { ownerId, status, equipment, createdAt }: RequestFilter,
): SelectQueryBuilder<Schema, 'requests', O> {
  let some = all;
  if (ownerId !== null) some = some.where('ownerId', '=', ownerId);
  if (status) some = some.where('status', 'in', anyOf<RequestStatus>(JSON.stringify(status)));
  if (equipment) some = some.where('equipmentId', 'in', anyOf<number>(JSON.stringify(equipment)));
  if (createdAt.from !== null) some = some.where('createdAt', '>=', createdAt.from);
  if (createdAt.until !== null) some = some.where('createdAt', '<', createdAt.until);
  return some;
}
