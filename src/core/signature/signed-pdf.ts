/**
 * The stored signed PDF: exactly the bytes that were stored when the contract was signed, or none. A changed or missing file is
 * fetched again from the provider.
 */
import { statSync } from 'node:fs';
import { listSignedContracts, newestContractId, setPdf } from '../../db/contracts/contracts.js';
import type { ContractRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { everyById } from '../calls/listing.js';
import { Round, type Pacing } from '../calls/round.js';
import { change, type By, type Try } from '../change.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import {
  openIf,
  placeSignedPdf,
  receiveSignedPdf,
  signedPdfPath,
  type StoredPdf,
  type OpenFile,
} from '../contracts/contract-files.js';
import { getContract } from '../contracts/contracts.js';
import { digestOf } from '../contracts/proven-files.js';
import { describeError, refused, AppError } from '../errors.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { proveOurs } from './is-ours.js';

export type PdfState = 'whole' | 'missing' | 'damaged';

/**
 * Undefined when the contract was never signed. Reads the whole file, unless it is trusted: then not if it has not changed since it was last
 * proven.
 */
export async function examinePdf(
  ctx: Context,
  { id, pdfSha256 }: Pick<ContractRow, 'id' | 'pdfSha256'>,
  { isTrusted = false }: { isTrusted?: boolean } = {},
): Promise<PdfState | undefined> {
  if (pdfSha256 === null) return undefined;
  if (isTrusted) {
    // Many are looked at for one page, and opening a file takes ten times as long.
    const seen = statSync(signedPdfPath(ctx, id), { bigint: true, throwIfNoEntry: false });
    if (!seen) return 'missing';
    if (ctx.provenFiles.isProven(id, seen, pdfSha256)) return 'whole';
  }
  const found = await openGenuine(ctx, { id, pdfSha256 }, isTrusted);
  if (typeof found === 'string') return found;
  await found.file.close();
  return 'whole';
}

export interface PdfFix {
  state: PdfState;
  /** The provider's document differs from the one stored at signing, and has replaced it. */
  differs: boolean;
}

/**
 * Fetches the PDF again if it is missing or damaged. Throws `contract_not_found`, `contract_not_signed`, or a
 * ProviderError when the provider does not deliver it; then nothing has changed.
 */
export async function fixPdf(
  ctx: Context,
  contractId: number,
  { dryRun = false, ...by }: Try,
): Promise<PdfFix> {
  const contract = getContract(ctx.db, contractId);
  const state = await examinePdf(ctx, contract);
  if (!state) throw refused('contract_not_signed', `Contract ${contractId} was never signed.`);
  if (state === 'whole' || dryRun) return { state, differs: false };
  const { sha256 } = await fetchPdf(ctx, contract, by);
  return { state, differs: sha256 !== contract.pdfSha256 };
}

/**
 * Replaces our PDF by the provider's. Refuses with `foreign_signature` and, with `mustBeSame`, a different document
 * with `signed_pdf_differs`. Throws a ProviderError when it is not available.
 */
export async function fetchPdf(
  ctx: Context,
  contract: ContractRow,
  { mustBeSame = false, ...by }: By & { mustBeSame?: boolean },
): Promise<StoredPdf> {
  const { id, signId, pdfSha256: was } = contract;
  if (!signId) throw refused('no_sign_id', `Contract ${id} has no signId.`);
  if (!(await proveOurs(ctx, await ctx.provider.getSignatureStatus({ ...contract, signId }), contract))) {
    throw refused('foreign_signature', `The document at the provider is not that of contract ${id}.`);
  }
  const pdf = await ctx.provider.downloadDocument(signId, (stream) =>
    receiveSignedPdf(ctx, id, stream, { mustBe: mustBeSame ? was : null }),
  );
  const { sha256, size } = pdf;
  return placeSignedPdf(pdf, (place) =>
    change(ctx, by, (tx) => {
      place();
      setPdf(tx.db, { id, pdfSha256: sha256, pdfSize: size });
      const detail = { sha256, size, ...(sha256 !== was && { was }), reason: tx.reason };
      tx.record('contract.pdf_fetched', ofContract(contract), detail);
      return { sha256, size };
    }),
  );
}

export interface FetchedPdf {
  requestId: number;
  contractId: number;
  /** Null when it is there again. */
  error: string | null;
}

/** Fetches again the signed PDFs that are missing here or not as they were stored; the provider keeps them. */
export async function fetchMissingPdfs(
  ctx: Context,
  { actor, ...pacing }: By & Pacing,
): Promise<FetchedPdf[]> {
  const fetched: FetchedPdf[] = [];
  const report = ({ requestId, id: contractId }: ContractRow, error: string | null) =>
    fetched.push({ requestId, contractId, error });
  await new Round(pacing).each(ctx, await contractsWithoutPdf(ctx, pacing.signal), {
    keyOf: ({ id }) => id,
    nameOf: ({ id }) => `contract ${id}`,
    act: async (contract) => {
      await fetchPdf(ctx, contract, { actor, mustBeSame: true });
      report(contract, null);
    },
    failed: (contract, error) => report(contract, describeError(error)),
    name: 'pdfs',
  });
  return fetched;
}

/** A database that was put back without its files can meet the files of later contracts with the same numbers. */
const READ_IN_FULL = 1_000;

/** Contracts whose signed PDF is missing or has another size; among the newest, also those whose PDF has other content. */
export async function contractsWithoutPdf(ctx: Context, signal?: AbortSignal): Promise<ContractRow[]> {
  const signed = everyById((part) => listSignedContracts(ctx.db, part));
  const readAfter = newestContractId(ctx.db) - READ_IN_FULL;
  const without: ContractRow[] = [];
  for (const contract of signed) {
    if (signal?.aborted) break;
    const isWhole =
      hasItsSize(ctx, contract) &&
      (contract.id <= readAfter || (await examinePdf(ctx, contract).catch(() => undefined)) === 'whole');
    if (!isWhole) without.push(contract);
  }
  return without;
}

function hasItsSize(ctx: Context, { id, pdfSize }: ContractRow): boolean {
  return statSync(signedPdfPath(ctx, id), { throwIfNoEntry: false })?.size === pdfSize;
}

type Signed = ContractRow & { pdfSha256: string };

/** The caller closes it. Throws `signed_pdf_damaged` or `signed_pdf_missing` when the genuine one is not available. */
export async function openSignedPdf(ctx: Context, contract: Signed, actor: Actor): Promise<OpenFile> {
  const found = await openGenuine(ctx, contract);
  if (typeof found !== 'string') return found;
  await ctx.provenFiles.fixOnce(contract.id, () => fix(ctx, contract, { state: found, actor }));
  const fixed = await openGenuine(ctx, contract);
  if (typeof fixed !== 'string') return fixed;
  throw notGenuine(contract, fixed);
}

type Trouble = Exclude<PdfState, 'whole'>;

function openGenuine(
  ctx: Context,
  { id, pdfSha256 }: Pick<Signed, 'id' | 'pdfSha256'>,
  isTrusted = true,
): Promise<OpenFile | Trouble> {
  return openIf(signedPdfPath(ctx, id), async (file, seen) => {
    if (isTrusted && ctx.provenFiles.isProven(id, seen, pdfSha256)) return true;
    if ((await digestOf(file)) !== pdfSha256) return false;
    ctx.provenFiles.remember(id, seen, pdfSha256);
    return true;
  });
}

async function fix(
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
