/** Requests (rules 1, 6), shown in one view, beside their customer and the contract that counts. */
import { listNewestContracts, listContractsOfRequests } from '../../db/contracts/lists.js';
import type { Db } from '../../db/db.js';
import { listPaymentsOfContracts } from '../../db/payments/payments.js';
import {
  countRequestsByStatus,
  findRequest,
  listCustomersOf,
  listRenewals,
  listRequestsByIds,
} from '../../db/requests/requests.js';
import type { ContractRow, PaymentRow, RequestRow, RequestStatus, UserRow } from '../../db/schema.js';
import { listUsersByIds } from '../../db/users/users.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import { invalid, notFound, refused } from '../errors.js';
import type { GetOne } from '../calls/owned.js';
import { maySee, seenBy } from '../users/rights.js';
import { nameOrAddress } from '../users/names.js';

type Reader = Pick<Context, 'db'>;

export interface RequestView {
  request: RequestRow;
  customer: UserRow;
  /** The current contract, if any. */
  contract: ContractRow | undefined;
  renewal: RequestRow | undefined;
}

/** Requests beside their customers and contracts, which are read together. */
export function requestViews(db: Db, rows: readonly RequestRow[]): RequestView[] {
  const ownerIds = [...new Set(rows.map(({ ownerId }) => ownerId))];
  const customers = new Map(listUsersByIds(db, { ids: ownerIds }).map((user) => [user.id, user]));
  const ids = rows.map(({ id }) => id);
  const contracts = listNewestContracts(db, ids);
  const renewals = new Map(listRenewals(db, { ids }).map((renewal) => [renewal.renewsId, renewal]));
  return rows.flatMap((request) => {
    const { id, ownerId } = request;
    const customer = customers.get(ownerId);
    return customer ? { request, customer, contract: contracts.get(id), renewal: renewals.get(id) } : [];
  });
}

export function viewOf(db: Db, row: RequestRow): RequestView {
  return present(requestViews(db, [row])[0], row.id);
}

function present(view: RequestView | undefined, id: number): RequestView {
  if (!view) throw new Error(`request ${id} has no owner`);
  return view;
}

/** One request, without a check of rights; throws `request_not_found`. */
export function getRequest({ db }: Reader, id: number): RequestRow {
  const request = findRequest(db, { id });
  if (!request) throw notFound('request_not_found', 'There is no request with this number.');
  return request;
}

/** Throws `not_found` also for somebody else's. */
export const getRequestOf: GetOne<RequestView> = ({ db }, user, id) =>
  viewOf(db, seenBy(user, findRequest(db, { id })));

/** The request that a new item is about; throws `invalid` for one that the user cannot see. */
export function requestNamed(db: Db, user: UserRow, id: number): RequestRow {
  const request = findRequest(db, { id });
  if (!request || !maySee(user, request.ownerId)) throw invalid({ request: 'There is no such request.' });
  return request;
}

/** Throws `request_canceled`: it is reopened first. */
export function mustNotBeCanceled({ id, status }: RequestRow): void {
  if (status !== 'CANCELED') return;
  const reopen = { ...command('requests reopen', id), reason: '…' };
  throw refused('request_canceled', 'The request is canceled.', ['Run `', reopen, '` first.']);
}

export interface WholeRequest extends RequestView {
  /** The oldest first. */
  contracts: ContractRow[];
  payments: PaymentRow[];
  renews: RequestRow | undefined;
}

export function wholeRequest(reader: Reader, request: RequestRow): WholeRequest {
  return wholeRequests(reader, [request])(request);
}

/** The same of each of these, which are read together. */
export function wholeRequests({ db }: Reader, requests: readonly RequestRow[]) {
  const views = new Map(requestViews(db, requests).map((view) => [view.request.id, view]));
  const all = listContractsOfRequests(db, { requestIds: [...views.keys()] });
  const paid = listPaymentsOfContracts(db, { contractIds: all.map(({ id }) => id) });
  const renewed = listRequestsByIds(db, { ids: requests.flatMap(({ renewsId }) => renewsId ?? []) });
  return ({ id, renewsId }: RequestRow): WholeRequest => {
    const contracts = all.filter(({ requestId }) => requestId === id);
    const ids = new Set(contracts.map((contract) => contract.id));
    const payments = paid.filter(({ contractId }) => ids.has(contractId));
    const renews = renewed.find((each) => each.id === renewsId);
    return { ...present(views.get(id), id), contracts, payments, renews };
  };
}

export function countByStatus({ db }: Reader): Record<RequestStatus, number> {
  const none = { new: 0, in_progress: 0, WAITING_SIGNATURE: 0, WAITING_PAYMENT: 0, COMPLETE: 0, CANCELED: 0 };
  return { ...none, ...countRequestsByStatus(db) };
}

// Whose something is, for lists.

interface OfRequest {
  requestId: number;
}

/** The names of the customers of all these rows, read at once. */
export function customerNames(db: Db, rows: readonly OfRequest[]): (row: OfRequest) => string {
  const requestIds = [...new Set(rows.map(({ requestId }) => requestId))];
  const names = new Map(
    listCustomersOf(db, { requestIds }).map(({ id, ...user }) => [id, nameOrAddress(user)]),
  );
  return ({ requestId }) => names.get(requestId) ?? '';
}
