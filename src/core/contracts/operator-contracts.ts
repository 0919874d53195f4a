/** Contracts as the operator sees them: of every customer, and one with a link to sign that works. */
import { countContracts, listContracts, type ContractFilter } from '../../db/contract-lists.js';
import { findContract } from '../../db/contracts.js';
import type { ContractRow, ContractStatus } from '../../db/schema.js';
import type { Context } from '../context.js';
import type { Data } from '../data.js';
import { notFound } from '../errors.js';
import type { Listing } from '../listing.js';
import { withFreshSignLink } from '../signature/fresh-sign-link.js';

export interface ContractSearch {
  statuses?: readonly ContractStatus[] | undefined;
  requestId?: number | undefined;
}

/** The newest first. */
export function searchContracts(
  ctx: Data,
  { statuses, requestId }: ContractSearch,
  limit: number,
): Listing<ContractRow> {
  const filter: ContractFilter = {
    ownerId: null,
    status: statuses ?? null,
    request: requestId === undefined ? null : [requestId],
    createdAt: { from: null, until: null },
  };
  return {
    total: countContracts(ctx.db, filter),
    rows: listContracts(ctx.db, { filter, direction: 'desc', limit, offset: 0 }),
  };
}

/** The contract, its link to sign renewed when it is over; throws `contract_not_found`. */
export async function showContract(ctx: Context, id: number): Promise<ContractRow> {
  const contract = findContract(ctx.db, id);
  if (!contract) throw notFound('contract_not_found', `There is no contract ${id}.`);
  return withFreshSignLink(ctx, contract);
}
