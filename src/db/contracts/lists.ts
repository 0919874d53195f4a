/** Lists of contracts: in pages, by owner of the request, and the newest of each request. */
import { sql } from 'kysely';
import { all, first, sqlite, type Db, run } from '../db.js';
import type { ContractRow, ContractStatus } from '../schema.js';
import { listOf, sumsOf, within, type Own } from '../page.js';
import { anyOf, type TimeRange } from '../sql.js';
import { oldestBy, rowsIn, newRow, rowsBy } from '../table.js';

export const findContractOwner = first((p: { id: number }) =>
  sqlite
    .selectFrom('contracts')
    .innerJoin('requests', 'requests.id', 'contracts.requestId')
    .select('requests.ownerId')
    .where('contracts.id', '=', p.id),
);

/** Null means "any"; an empty list means "none". */
export interface ContractFilter {
  status: readonly ContractStatus[] | null;
  request: readonly number[] | null;
  /** Their end waits for a decision. */
  term: readonly 'ends'[] | null;
  createdAt: TimeRange;
}

export const { page: listContracts, walk: walkContracts } = listOf({
  rows: (filter: ContractFilter & Own) => matching(filter).selectAll(),
  orders: { createdAt: 'createdAt' },
});

export function sumContracts(db: Db, filter: ContractFilter & Own) {
  return db.list(sumsOf(matching(filter)));
}

const byStatus = all(() =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status'),
);

export function countContractsByStatus(db: Db): Record<ContractStatus, number> {
  const counts = Object.fromEntries(byStatus(db).map(({ status, count }) => [status, count]));
  return { PENDING: 0, SIGNED: 0, EXPIRED: 0, ...counts };
}

const newestIds = all((p: { requestIds: readonly number[] }) =>
  sqlite
    .selectFrom('contracts')
    .select((eb) => ['requestId', eb.fn.max<number>('id').as('id')])
    .where('requestId', 'in', anyOf(p.requestIds))
    .groupBy('requestId'),
);

export function listNewestContractIds(db: Db, requestIds: readonly number[]): Map<number, number> {
  return new Map(newestIds(db, { requestIds }).map(({ requestId, id }) => [requestId, id]));
}

export const listContractsByIds = all(rowsIn('contracts', 'id', 'ids'));

/** The newest contract of each of these requests, by the request's id. */
export function listNewestContracts(db: Db, requestIds: readonly number[]): Map<number, ContractRow> {
  const ids = [...listNewestContractIds(db, requestIds).values()];
  return new Map(listContractsByIds(db, { ids }).map((contract) => [contract.requestId, contract]));
}

function matching({ ownerId, status, request, term, createdAt }: ContractFilter & Own) {
  let some = sqlite.selectFrom('contracts');
  if (ownerId !== null)
    some = some.where('requestId', 'in', (own) =>
      own.selectFrom('requests').select('id').where('ownerId', '=', ownerId),
    );
  if (status) some = some.where(sql<boolean>`+"status" in ${anyOf(status)}`);
  if (request) some = some.where('requestId', 'in', anyOf(request));
  if (term)
    some = some.where(
      sql<boolean>`"id" in (select "contractId" from "cases" where "decidedAt" is null and "kind" = 'term_ends')`,
    );
  return within(some, 'createdAt', createdAt);
}

/** All contracts of a request, oldest first; the last one counts. */
export const listContractsOfRequest = all(oldestBy('contracts', 'requestId'));

export const listContractsOfRequests = all((p: { requestIds: readonly number[] }) =>
  sqlite.selectFrom('contracts').selectAll().where('requestId', 'in', anyOf(p.requestIds)).orderBy('id'),
);

// How long customers took.

/** From the contract to the signature, the newest first. */
export const listSigningTimes = all((p: { from: string; limit: number }) =>
  sqlite
    .selectFrom('contracts')
    .select(['createdAt as begin', 'signedAt as end'])
    .where('signedAt', '>=', p.from)
    .orderBy('signedAt', 'desc')
    .limit(p.limit),
);

/** From the signature to the payment, the newest first. */
export const listPayingTimes = all((p: { from: string; limit: number }) =>
  sqlite
    .selectFrom('payments')
    .innerJoin('contracts', 'contracts.id', 'payments.contractId')
    .select(['contracts.signedAt as begin', 'payments.paidAt as end'])
    .where('payments.paidAt', '>=', p.from)
    .where('payments.state', '=', 'paid')
    .orderBy('payments.paidAt', 'desc')
    .limit(p.limit),
);

// The audit trails of signed contracts: which are to be fetched, and the digests of those that are kept.

/** A signed contract's is to be fetched; once. */
export const oweAuditTrail = run(
  newRow('auditTrails', ['contractId', 'dueAt'], { end: sql`on conflict do nothing` }),
);

export const findAuditTrail = first(rowsBy('auditTrails', 'contractId'));

/** The signed contracts whose trail is due, the earliest first. */
export const listDueAuditTrails = all((p: { now: string; limit: number }) =>
  sqlite
    .selectFrom('auditTrails')
    .innerJoin('contracts', 'contracts.id', 'auditTrails.contractId')
    .selectAll('contracts')
    .where('auditTrails.dueAt', '<=', p.now)
    .orderBy('auditTrails.dueAt')
    .limit(p.limit),
);

/** Null: the provider is not asked again. */
export const setAuditTrailDue = run((p: { contractId: number; dueAt: string | null }) =>
  sqlite.updateTable('auditTrails').set({ dueAt: p.dueAt }).where('contractId', '=', p.contractId),
);

export const keepAuditTrail = run((p: { contractId: number; files: string }) =>
  sqlite
    .updateTable('auditTrails')
    .set({ dueAt: null, files: p.files })
    .where('contractId', '=', p.contractId),
);
