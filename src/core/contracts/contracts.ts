/** Contracts (rules 1, 6): shown, and their PDFs. */
import { findContractOwner } from '../../db/contracts/lists.js';
import { findContract } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import type { GetOne } from '../calls/use-cases.js';
import { maySee } from '../users/rights.js';
import { withFreshSignLink } from '../signature/sent.js';
import { openSignedPdf } from '../signature/signed-pdf.js';
import { getContract } from './contract.js';
import { openDraftPdf, type OpenFile } from './contract-files.js';

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
