/** Lists of contracts: in pages, by owner of the request, and the newest of each request. */
import { countedList, type CountedPage } from '../counted-list.js';
import { COUNTED } from '../counts.js';
import { all, first, sqlite, type Db } from '../db.js';
import type { ContractRow, ContractStatus } from '../schema.js';
import { anyOf, type TimeRange } from '../sql.js';
import { oldestBy } from '../table.js';

/** The owner of a contract's request. */
export const findContractOwner = first((p: { id: number }) =>
  sqlite
    .selectFrom('contracts')
    .innerJoin('requests', 'requests.id', 'contracts.requestId')
    .select('requests.ownerId')
    .where('contracts.id', '=', p.id),
);

/** Null means "any"; an empty list means "none". */
export interface ContractFilter {
  ownerId: number | null;
  status: readonly ContractStatus[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

/** Those of a customer or of some requests are few, and found by their requests. All others are counted by time. */
const isFew = ({ ownerId, request }: ContractFilter) => ownerId !== null || request !== null;

const counted = countedList(
  'contracts',
  ({ status }: ContractFilter) => {
    if (status?.length === 0) return undefined;
    return { first: status && { is: COUNTED.contracts.status, oneOf: status }, also: {} };
  },
  () => true,
);

/** A page in order of creation, and the total of all pages. */
export function listContracts(
  db: Db,
  page: CountedPage<ContractFilter>,
): { total: number; rows: ContractRow[] } {
  const { filter, direction, limit, offset } = page;
  if (!isFew(filter)) return counted.page(db, page);
  const some = few(filter);
  const ordered = some.selectAll().orderBy('createdAt', direction).orderBy('id', direction);
  return { total: db.count(some), rows: db.list(ordered.limit(limit).offset(offset)) };
}

export function countContractsByStatus(db: Db): Record<ContractStatus, number> {
  const inStatus = (status: ContractStatus) =>
    counted.count(db, {
      ownerId: null,
      status: [status],
      request: null,
      createdAt: { from: null, until: null },
    });
  return { PENDING: inStatus('PENDING'), SIGNED: inStatus('SIGNED'), EXPIRED: inStatus('EXPIRED') };
}

const newestIds = all((p: { requestIds: readonly number[] }) =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => ['requestId', eb.fn.max<number>('id').as('id')])
    .where('requestId', 'in', anyOf(p.requestIds))
    .groupBy('requestId'),
);

/** The newest contract's id of each of these requests. */
export function listNewestContractIds(db: Db, requestIds: readonly number[]): Map<number, number> {
  return new Map(newestIds(db, { requestIds }).map(({ requestId, id }) => [requestId, id]));
}

const byIds = all((p: { ids: readonly number[] }) =>
  sqlite.selectFrom('contracts').selectAll().where('id', 'in', anyOf(p.ids)),
);

/** The newest contract of each of these requests, by the request's id. */
export function listNewestContracts(db: Db, requestIds: readonly number[]): Map<number, ContractRow> {
  const ids = [...listNewestContractIds(db, requestIds).values()];
  return new Map(byIds(db, { ids }).map((contract) => [contract.requestId, contract]));
}

function few({ ownerId, status, request, createdAt }: ContractFilter) {
  let some = sqlite.selectFrom('contracts');
  if (ownerId !== null) {
    some = some.where(
      'requestId',
      'in',
      sqlite.selectFrom('requests').select('id').where('ownerId', '=', ownerId),
    );
  }
  if (status) some = some.where('status', 'in', anyOf(status));
  if (request) some = some.where('requestId', 'in', anyOf(request));
  if (createdAt.from !== null) some = some.where('createdAt', '>=', createdAt.from);
  if (createdAt.until !== null) some = some.where('createdAt', '<', createdAt.until);
  return some;
}

/** All contracts of a request, oldest first; the last one counts. */
export const listContractsOfRequest = all(oldestBy('contracts', 'requestId'));
