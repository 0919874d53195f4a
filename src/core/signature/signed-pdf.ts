/** The signed PDF of a contract on our side: whether it is still what was stored, and fetching it again when it is not. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { findContract, setPdf } from '../../db/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { saveSignedPdf, signedPdfPath, type StoredPdf } from '../contracts/contract-files.js';
import { notFound, refused } from '../errors.js';
import { record } from '../history.js';
import { proveOurs } from './is-ours.js';

export type PdfState = 'whole' | 'missing' | 'damaged';

/** Undefined: the contract was never signed. Reads the whole file. */
export async function examinePdf(
  ctx: Context,
  { id, pdfSha256 }: Pick<ContractRow, 'id' | 'pdfSha256'>,
): Promise<PdfState | undefined> {
  if (pdfSha256 === null) return undefined;
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(signedPdfPath(ctx, id))) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw error;
  }
  return hash.digest('hex') === pdfSha256 ? 'whole' : 'damaged';
}

export interface FetchPdfOptions {
  actor: Actor;
  reason?: string | undefined;
  dryRun?: boolean;
}

export interface Mending {
  /** As it was. */
  state: PdfState;
  /** The provider's document is another than the one that was stored when the contract was signed; it has taken its place. */
  differs: boolean;
}

/**
 * Fetches the PDF again if it is missing or damaged. Throws `contract_not_found`, refuses with `contract_not_signed`, and
 * throws a ProviderError when the provider does not hand it out; nothing has changed then.
 */
export async function mendPdf(
  ctx: Context,
  contractId: number,
  { actor, reason, dryRun = false }: FetchPdfOptions,
): Promise<Mending> {
  const contract = findContract(ctx.db, contractId);
  if (!contract) throw notFound('contract_not_found', `There is no contract ${contractId}.`);
  const state = await examinePdf(ctx, contract);
  if (!state) throw refused('contract_not_signed', `Contract ${contractId} was never signed.`);
  if (state === 'whole' || dryRun) return { state, differs: false };
  const { sha256 } = await fetchPdf(ctx, contract, { actor, reason });
  return { state, differs: sha256 !== contract.pdfSha256 };
}

/**
 * Puts the provider's PDF in the place of ours. Refuses with `foreign_signature`, and with `mustBeSame` another document than
 * the one that was stored with `signed_pdf_differs`; throws a ProviderError when it cannot be had.
 */
export async function fetchPdf(
  ctx: Context,
  contract: ContractRow,
  { actor, reason, mustBeSame = false }: Pick<FetchPdfOptions, 'actor' | 'reason'> & { mustBeSame?: boolean },
): Promise<StoredPdf> {
  const { id, requestId, signId, pdfSha256: was } = contract;
  if (!signId) throw refused('no_sign_id', `Contract ${id} has no signId.`);
  if (!(await proveOurs(ctx, await ctx.provider.getSignatureStatus(signId), contract))) {
    throw refused('foreign_signature', `The document at the provider is not that of contract ${id}.`);
  }
  const stored = await ctx.provider.downloadDocument(signId, (pdf) =>
    saveSignedPdf(ctx, id, pdf, { mustBe: mustBeSame ? was : null }),
  );
  await ctx.writer.write((db) => {
    setPdf(db, { id, ...stored });
    const at = iso(ctx.clock.now());
    const detail = { ...stored, ...(stored.sha256 !== was && { was }), ...(reason && { reason }) };
    record(db, { at, actor, what: 'contract.pdf_fetched', requestId, contractId: id, detail });
  });
  return stored;
}
