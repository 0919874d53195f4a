/** Pages of requests and how many there are, by the filters of the list (spec 4.3). */
import type { SelectQueryBuilder } from 'kysely';
import { sqlite, type Db } from './db.js';
import type { RequestRow, RequestStatus, Schema } from './schema.js';
import { anyOf } from './sql.js';

/** Null stands for "any"; an empty list for "none". */
export interface RequestFilter {
  ownerId: number | null;
  statuses: readonly RequestStatus[] | null;
  equipmentIds: readonly number[] | null;
  /** Created at this time or later. */
  createdFrom: string | null;
  /** Created earlier than this. */
  createdUntil: string | null;
}

export interface RequestOrder {
  by: 'id' | 'createdAt';
  direction: 'asc' | 'desc';
}

export interface RequestPage {
  filter: RequestFilter;
  order: RequestOrder;
  limit: number;
  offset: number;
}

export function listRequests(db: Db, { filter, order, limit, offset }: RequestPage): RequestRow[] {
  const filtered = where(sqlite.selectFrom('requests').selectAll(), filter).limit(limit).offset(offset);
  if (order.by === 'id') return db.list(filtered.orderBy('id', order.direction));
  // id breaks ties, so that pages never repeat a row.
  return db.list(filtered.orderBy('createdAt', order.direction).orderBy('id', order.direction));
}

export function countRequests(db: Db, filter: RequestFilter): number {
  const all = sqlite.selectFrom('requests').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(where(all, filter))[0]?.count ?? 0;
}

function where<O>(
  all: SelectQueryBuilder<Schema, 'requests', O>,
  { ownerId, statuses, equipmentIds, createdFrom, createdUntil }: RequestFilter,
): SelectQueryBuilder<Schema, 'requests', O> {
  let some = all;
  if (ownerId !== null) some = some.where('ownerId', '=', ownerId);
  if (statuses) some = some.where('status', 'in', anyOf<RequestStatus>(JSON.stringify(statuses)));
  if (equipmentIds) some = some.where('equipmentId', 'in', anyOf<number>(JSON.stringify(equipmentIds)));
  if (createdFrom !== null) some = some.where('createdAt', '>=', createdFrom);
  if (createdUntil !== null) some = some.where('createdAt', '<', createdUntil);
  return some;
}
