/** Contracts (rules 1, 6): shown, listed, and their PDFs. */
import {
  findContractOwner,
  listContracts as listRows,
  type ContractFilter,
} from '../../db/contracts/lists.js';
import { findContract } from '../../db/contracts/contracts.js';
import type { ContractRow, ContractStatus } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import { ANY_TIME, type ListAsked, type Listing } from '../calls/listing.js';
import type { GetOne, ListSome } from '../calls/use-cases.js';
import { maySee, ownerScope } from '../users/rights.js';
import { withFreshSignLink } from '../signature/fresh-sign-link.js';
import { openSignedPdf } from '../signature/open-signed-pdf.js';
import { getContract } from './contract.js';
import { openDraftPdf, type OpenFile } from './contract-files.js';

export type { ContractRow };

type Reader = Pick<Context, 'db'>;

/** Its link to sign is renewed when it is over; throws `contract_not_found`. */
export async function showContract(ctx: Context, id: number): Promise<ContractRow> {
  return withFreshSignLink(ctx, getContract(ctx.db, id));
}

/** Throws `not_found` also for somebody else's. */
export const getContractOf: GetOne<ContractRow> = ({ db }, user, id) => {
  const contract = findContract(db, { id });
  const owner = findContractOwner(db, { id });
  if (!contract || !owner || !maySee(user, owner.ownerId)) throw notFound('not_found', 'Not Found');
  return contract;
};

/** Those that the user may see, the oldest first by default. */
export const listContracts: ListSome<ContractRow, ListAsked<ContractFilter, 'createdAt'>> = (
  { db },
  user,
  { filter, order, limit, offset },
) => {
  const direction = order?.direction ?? 'asc';
  return listRows(db, { filter: { ...filter, ownerId: ownerScope(user) }, direction, limit, offset });
};

export interface ContractSearch {
  statuses?: readonly ContractStatus[] | undefined;
  requestId?: number | undefined;
}

/** Those of every customer, the newest first. */
export function searchContracts(
  { db }: Reader,
  { statuses, requestId }: ContractSearch,
  limit: number,
): Listing<ContractRow> {
  const request = requestId === undefined ? null : [requestId];
  const filter = { ownerId: null, status: statuses ?? null, request, createdAt: ANY_TIME };
  return listRows(db, { filter, direction: 'desc', limit, offset: 0 });
}

/** An open PDF; the caller closes it. */
export interface ContractPdf extends OpenFile {
  isSigned: boolean;
}

/**
 * The signed document of a signed contract, else the one to sign. Throws `not_found` without either, and
 * `signed_pdf_damaged` or `signed_pdf_missing` when the genuine signed one is not available.
 */
export async function openContractPdf(
  ctx: Context,
  contract: ContractRow,
  actor: Actor,
): Promise<ContractPdf> {
  const { pdfSha256 } = contract;
  if (pdfSha256 !== null) {
    return { ...(await openSignedPdf(ctx, { ...contract, pdfSha256 }, actor)), isSigned: true };
  }
  const draft = await openDraftPdf(ctx, contract);
  if (!draft) throw notFound('not_found', 'Not Found');
  return { ...draft, isSigned: false };
}
