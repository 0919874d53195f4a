/**
 * Opens the signed PDF: exactly the bytes stored when the contract was signed, or none. A changed or missing file is
 * first fetched again from the provider, and must be the same document.
 */
import { open, type FileHandle } from 'node:fs/promises';
import type { ContractRow } from '../../db/schema.js';
import { command } from '../commands.js';
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { signedPdfPath, type OpenFile } from '../contracts/contract-files.js';
import { digestOf } from '../contracts/file-digest.js';
import { AppError } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { fetchPdf, type PdfState } from './signed-pdf.js';
import { codeOf } from '../../db/caught.js';

type Signed = ContractRow & { pdfSha256: string };

/** The caller closes it. Throws `signed_pdf_damaged` or `signed_pdf_missing` when the genuine one is not available. */
export async function openSignedPdf(ctx: Context, contract: Signed, actor: Actor): Promise<OpenFile> {
  const found = await openProven(ctx, contract);
  if (typeof found !== 'string') return found;
  await ctx.provenFiles.mendOnce(contract.id, () => mend(ctx, contract, { state: found, actor }));
  const mended = await openProven(ctx, contract);
  if (typeof mended !== 'string') return mended;
  throw notGenuine(contract, mended);
}

/** Cheap for a file that has not changed since it was last proven. */
export async function lookAtSignedPdf(ctx: Context, contract: Signed): Promise<PdfState> {
  const found = await openProven(ctx, contract);
  if (typeof found === 'string') return found;
  await found.file.close();
  return 'whole';
}

type Trouble = Exclude<PdfState, 'whole'>;

async function openProven(ctx: Context, { id, pdfSha256 }: Signed): Promise<OpenFile | Trouble> {
  let file: FileHandle;
  try {
    file = await open(signedPdfPath(ctx, id), 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'missing';
    throw error;
  }
  try {
    const seen = await file.stat({ bigint: true });
    const isGenuine = ctx.provenFiles.isProven(id, seen, pdfSha256) || (await digestOf(file)) === pdfSha256;
    if (isGenuine) {
      ctx.provenFiles.remember(id, seen, pdfSha256);
      return { file, size: Number(seen.size) };
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return 'damaged';
}

async function mend(
  ctx: Context,
  contract: Signed,
  { state, actor }: { state: Trouble; actor: Actor },
): Promise<void> {
  ctx.log.error({ contractId: contract.id, state }, 'the signed PDF on disk is not the one that was stored');
  try {
    await fetchPdf(ctx, contract, { actor, reason: `it was ${state}`, mustBeSame: true });
  } catch (error) {
    if (isProviderError(error) || error instanceof AppError) throw notGenuine(contract, state, error);
    throw error;
  }
}

function notGenuine({ id }: ContractRow, state: Trouble, cause?: unknown): AppError {
  const what =
    state === 'missing'
      ? `The signed PDF of contract ${id} is not on disk`
      : `The signed PDF of contract ${id} on disk is not the one that was stored when it was signed`;
  return new AppError('unavailable', `signed_pdf_${state}`, `${what}, and it could not be fetched again.`, {
    cause,
    hint: ['Run `', command('contracts fetch-pdf', id), '` to see why.'],
  });
}
