/** Contracts as their owners see them: with the owner of their request, in pages, and the newest of each request. */
import { sql, type SelectQueryBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { ContractRow, ContractStatus, Schema } from './schema.js';
import { anyOf, rows, type Direction, type TimeRange } from './sql.js';

const owner = query((p: { id: number }) =>
  sqlite
    .selectFrom('contracts')
    .innerJoin('requests', 'requests.id', 'contracts.requestId')
    .select('requests.ownerId')
    .where('contracts.id', '=', p.id),
);

/** Whose request a contract belongs to; undefined when there is no such contract. */
export function findContractOwner(db: Db, id: number): number | undefined {
  return db.first(owner, { id })?.ownerId;
}

/** Null stands for "any"; an empty list for "none". */
export interface ContractFilter {
  ownerId: number | null;
  status: readonly ContractStatus[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

export interface ContractPage {
  filter: ContractFilter;
  /** Of their creation. */
  direction: Direction;
  limit: number;
  offset: number;
}

/** In the order of their creation; id breaks ties, so that pages never repeat a row. */
export function listContracts(db: Db, { filter, direction, limit, offset }: ContractPage): ContractRow[] {
  const filtered = where(sqlite.selectFrom('contracts').selectAll('contracts'), filter);
  const ordered = filtered.orderBy('createdAt', direction).orderBy('id', direction);
  return db.list(ordered.limit(rows(limit)).offset(rows(offset)));
}

export function countContracts(db: Db, filter: ContractFilter): number {
  const all = sqlite.selectFrom('contracts').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(where(all, filter))[0]?.count ?? 0;
}

const inStatus = (status: ContractStatus) =>
  sql<number>`count(*) FILTER (WHERE status = ${sql.lit(status)})`.as(status);

const byStatus = query(() =>
  sqlite.selectFrom('contracts').select([inStatus('PENDING'), inStatus('SIGNED'), inStatus('EXPIRED')]),
);

/** One walk over an index, whatever the statuses. */
export function countContractsByStatus(db: Db): Record<ContractStatus, number> {
  return db.first(byStatus, {}) as Record<ContractStatus, number>;
}

const newestIds = query((p: { requestIds: string }) =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => ['requestId', eb.fn.max<number>('id').as('id')])
    .where('requestId', 'in', anyOf<number>(p.requestIds))
    .groupBy('requestId'),
);

/** The id of the newest contract of each of these requests that has one. */
export function listNewestContractIds(db: Db, requestIds: readonly number[]): Map<number, number> {
  const found = db.all(newestIds, { requestIds: JSON.stringify(requestIds) });
  return new Map(found.map(({ requestId, id }) => [requestId, id]));
}

const byIds = query((p: { ids: string }) =>
  sqlite.selectFrom('contracts').selectAll().where('id', 'in', anyOf<number>(p.ids)),
);

/** The newest contract of each of these requests that has one, by the request's id. */
export function listNewestContracts(db: Db, requestIds: readonly number[]): Map<number, ContractRow> {
  const ids = [...listNewestContractIds(db, requestIds).values()];
  const found = db.all(byIds, { ids: JSON.stringify(ids) });
  return new Map(found.map((contract) => [contract.requestId, contract]));
}

function where<O>(
  all: SelectQueryBuilder<Schema, 'contracts', O>,
  { ownerId, status, request, createdAt }: ContractFilter,
): SelectQueryBuilder<Schema, 'contracts', O> {
  let some = all;
  if (ownerId !== null) {
    some = some.where(
      'requestId',
      'in',
      sqlite.selectFrom('requests').select('id').where('ownerId', '=', ownerId),
    );
  }
  if (status) some = some.where('status', 'in', anyOf<ContractStatus>(JSON.stringify(status)));
  if (request) some = some.where('requestId', 'in', anyOf<number>(JSON.stringify(request)));
  if (createdAt.from !== null) some = some.where('createdAt', '>=', createdAt.from);
  if (createdAt.until !== null) some = some.where('createdAt', '<', createdAt.until);
  return some;
}
