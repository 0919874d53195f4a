/** Requests as the operator sees them: of every customer, and one with all its contracts and payments. */
import { listContractsOfRequest, listPaymentsOfContracts } from '../../db/case-file.js';
import { listRequests, type RequestFilter } from '../../db/request-lists.js';
import type { ContractRow, PaymentRow, RequestRow, RequestStatus, UserRow } from '../../db/schema.js';
import { findUser, findUserByUsername } from '../../db/users.js';
import type { Data } from '../data.js';
import { notFound } from '../errors.js';
import type { Listing } from '../listing.js';
import { normalUsername } from '../users/user-fields.js';

export interface RequestSearch {
  statuses?: readonly RequestStatus[] | undefined;
  /** E-mail address of the owner. */
  customer?: string | undefined;
  /** Entered at or after, entered before: ISO 8601. */
  after?: string | undefined;
  before?: string | undefined;
}

export interface ListedRequest {
  request: RequestRow;
  customer: UserRow;
}

/** The newest first; throws `user_not_found` for a customer nobody knows. */
export function searchRequests(
  ctx: Data,
  { statuses, customer, after, before }: RequestSearch,
  limit: number,
): Listing<ListedRequest> {
  const filter: RequestFilter = {
    ownerId: customer === undefined ? null : ownerOf(ctx, customer),
    status: statuses ?? null,
    equipment: null,
    createdAt: { from: after ?? null, until: before ?? null },
  };
  const { total, rows } = listRequests(ctx.db, { filter, direction: 'desc', limit, offset: 0 });
  return {
    total,
    rows: rows.map((request) => ({ request, customer: findUser(ctx.db, request.ownerId) as UserRow })),
  };
}

function ownerOf(ctx: Data, customer: string): number {
  const owner = findUserByUsername(ctx.db, normalUsername(customer));
  if (!owner) throw notFound('not_found', `There is no user ${customer}.`);
  return owner.id;
}

export interface WholeRequest extends ListedRequest {
  contracts: ContractRow[];
  payments: PaymentRow[];
}

/** A request with everything that hangs on it. */
export function wholeRequest(ctx: Data, request: RequestRow): WholeRequest {
  const contracts = listContractsOfRequest(ctx.db, request.id);
  const payments = listPaymentsOfContracts(
    ctx.db,
    contracts.map(({ id }) => id),
  );
  return { request, customer: findUser(ctx.db, request.ownerId) as UserRow, contracts, payments };
}
