/** Contracts as their owners see them: with the owner of their request, in pages, and the newest of each request. */
import type { SelectQueryBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { OwnedPage } from './equipments.js';
import type { ContractRow, Schema } from './schema.js';
import { anyOf } from './sql.js';

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

/** In the order of their ids; an owner of null stands for every owner. */
export function listContracts(db: Db, { ownerId, limit, offset }: OwnedPage): ContractRow[] {
  const all = sqlite.selectFrom('contracts').selectAll('contracts').orderBy('contracts.id');
  return db.list(ofOwner(all, ownerId).limit(limit).offset(offset));
}

export function countContracts(db: Db, ownerId: number | null): number {
  const all = sqlite.selectFrom('contracts').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(ofOwner(all, ownerId))[0]?.count ?? 0;
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

function ofOwner<O>(
  all: SelectQueryBuilder<Schema, 'contracts', O>,
  ownerId: number | null,
): SelectQueryBuilder<Schema, 'contracts', O> {
  if (ownerId === null) return all;
  const theirs = sqlite.selectFrom('requests').select('id').where('ownerId', '=', ownerId);
  return all.where('contracts.requestId', 'in', theirs);
}
