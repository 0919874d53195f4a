/** Contracts and their PDFs as the owner of the request and administrators may read them (decisions 6). */
import { open, type FileHandle } from 'node:fs/promises';
import {
  countContracts,
  findContractOwner,
  listContracts as listRows,
  type ContractFilter,
} from '../../db/contract-lists.js';
import { findContract } from '../../db/contracts.js';
import type { ContractRow, UserRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { notFound } from '../errors.js';
import type { Listing, Order, PageOf } from '../listing.js';
import { maySee, ownerScope } from '../users/rights.js';
import { openSignedPdf } from '../signature/open-signed-pdf.js';
import { draftPdfPath } from './contract-files.js';

export type { ContractRow };

/** Throws `not_found` for one that is not there, and for one of somebody else. */
export function getContractOf(ctx: Context, user: UserRow, id: number): ContractRow {
  const contract = findContract(ctx.db, id);
  const ownerId = findContractOwner(ctx.db, id);
  if (!contract || ownerId === undefined || !maySee(user, ownerId)) throw notFound('not_found', 'Not Found');
  return contract;
}

/** What a caller may ask for; whose contracts it gets is not its choice. */
export interface ContractsAsked extends PageOf {
  filter: Omit<ContractFilter, 'ownerId'>;
  /** Oldest first when it names none. */
  order?: Order<'createdAt'> | undefined;
}

export function listContracts(ctx: Context, user: UserRow, asked: ContractsAsked): Listing<ContractRow> {
  const filter = { ...asked.filter, ownerId: ownerScope(user) };
  const { limit, offset, order } = asked;
  return {
    total: countContracts(ctx.db, filter),
    rows: listRows(ctx.db, { filter, direction: order?.direction ?? 'asc', limit, offset }),
  };
}

/** An open PDF; whoever gets it closes it. */
export interface ContractPdf {
  file: FileHandle;
  size: number;
  isSigned: boolean;
}

/**
 * The signed document of a contract that was signed, else the one that is to be signed. Throws `not_found` without either,
 * and `signed_pdf_damaged` or `signed_pdf_missing` when the genuine signed one cannot be had.
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
  try {
    const file = await open(draftPdfPath(ctx, contract.id), 'r');
    const { size } = await file.stat();
    return { file, size, isSigned: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw notFound('not_found', 'Not Found');
  }
}
