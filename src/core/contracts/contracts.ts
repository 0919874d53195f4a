/** Contracts (rules 1, 6): shown, and their PDFs. */
import { findContractOwner } from '../../db/contracts/lists.js';
import { findContract, findCurrentContract } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { notFound, refused } from '../errors.js';
import type { GetOne } from '../calls/owned.js';
import { maySee } from '../users/rights.js';
import { withFreshSignLink } from '../signature/sent.js';
import { openSignedPdf } from '../signature/signed-pdf.js';
import { openDraftPdf, type OpenFile } from './contract-files.js';
import type { Db } from '../../db/db.js';

export type { ContractRow };

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

/** Throws `contract_not_found`. */
export function getContract(db: Db, id: number): ContractRow {
  const contract = findContract(db, { id });
  if (!contract) throw notFound('contract_not_found', `There is no contract ${id}.`);
  return contract;
}

/** Of the request's contract that was named, by default of the one that counts. Throws `contract_not_found`; refuses another request's with `already_reset`. */
export function contractIdOf(db: Db, requestId: number, named?: number): number {
  const contract = named === undefined ? findCurrentContract(db, { requestId }) : getContract(db, named);
  if (!contract) throw notFound('contract_not_found', 'The request has no contract.');
  if (contract.requestId !== requestId)
    throw refused('already_reset', `Contract ${contract.id} is not one of this request.`);
  return contract.id;
}
