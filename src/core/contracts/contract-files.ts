/** The contract PDFs on disk: the draft to send, and the signed one, which is complete or absent (rules 1, 3). */
import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fchmodSync,
  fstatSync,
  fsync as fsyncCallback,
  open as openCallback,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { open as openFile, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../../db/caught.js';
import type { ContractRow } from '../../db/schema.js';
import type { Context } from '../context.js';
import { invalid, refused } from '../errors.js';
import { ProviderError } from '../http/provider-error.js';
import { paths } from '../installation/paths.js';
import { hasEnded } from '../installation/process.js';
import { syncDirectory } from '../installation/sync-directory.js';
import { digestNow, digestOf } from './proven-files.js';
import { PDF_BYTES_MAX, PdfCheck } from './whole-pdf.js';

/** Readable by the service's group, not by others. */
export const PDF_MODE = 0o640;
const TEMPORARY = '.tmp';
const BLOCK_BYTES = 256 * 1024;

const fsync = promisify(fsyncCallback);
const open = promisify(openCallback);

export interface StoredPdf {
  sha256: string;
  size: number;
}

export function signedPdfPath(ctx: Context, contractId: number): string {
  return join(paths.contracts(ctx.config.dataDir), `${contractId}.pdf`);
}

export function draftPdfPath(ctx: Context, contractId: number): string {
  return join(paths.contracts(ctx.config.dataDir), `${contractId}.draft.pdf`);
}

/** A PDF in a file, judged. */
export interface PdfFile extends StoredPdf {
  path: string;
}

/** One that is open; the caller closes it. */
export interface OpenFile {
  file: FileHandle;
  size: number;
}

export interface OpenPdf extends OpenFile, PdfFile {}

/** A signed PDF that is whole on disk, and not yet in its place. */
export interface ReceivedPdf extends PdfFile {
  temporary: string;
  inode: number;
}

/**
 * Stores the signed PDF as it arrives. Throws a ProviderError for an answer that is empty, truncated, not a PDF or
 * larger than 50 MB; the system's error for a full disk; and `signed_pdf_differs` unless its digest is `mustBe`.
 */
export async function receiveSignedPdf(
  ctx: Context,
  contractId: number,
  pdf: AsyncIterable<Uint8Array>,
  { mustBe }: { mustBe?: string | null } = {},
): Promise<ReceivedPdf> {
  const path = signedPdfPath(ctx, contractId);
  const temporary = temporaryName(ctx, path);
  return orRemoved(temporary, async () => {
    const stored = await writeChecked(temporary, pdf).catch(asBrokenAnswer);
    if (mustBe == null || mustBe === stored.sha256) return { ...stored, path, temporary };
    throw refused(
      'signed_pdf_differs',
      `The document at the signature provider is not the one that was stored when contract ${contractId} was signed.`,
    );
  });
}

/**
 * Puts it in its place, or drops it. `decide` calls `place` in the transaction that may do so: the write lock keeps any other
 * from coming between. What was placed survives a power loss once this resolves.
 */
export async function placeSignedPdf<T>(
  { path, temporary }: ReceivedPdf,
  decide: (place: () => void) => Promise<T>,
): Promise<T> {
  let isPlaced = false;
  const place = () => {
    renameSync(temporary, path);
    isPlaced = true;
  };
  return orRemoved(temporary, async () => {
    const result = await decide(place);
    if (isPlaced) await syncDirectory(dirname(path));
    else await rm(temporary, { force: true });
    return result;
  });
}

/** Whether the file in place says what this one says; another call may have placed its own. Reads it only then. */
export function isInPlace({ path, inode, sha256 }: ReceivedPdf): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === inode || digestNow(path) === sha256;
}

/**
 * Keeps a PDF that somebody supplies until `removeSupplied`. Refuses, naming `file`, what cannot be sent: nothing has been made
 * for it by then.
 */
export async function receiveSuppliedPdf(ctx: Context, pdf: AsyncIterable<Uint8Array>): Promise<PdfFile> {
  const path = temporaryName(ctx, join(paths.contracts(ctx.config.dataDir), 'supplied.pdf'));
  return orRemoved(path, async () => {
    const { sha256, size } = await writeChecked(path, pdf).catch(asWrongInput);
    return { path, sha256, size };
  });
}

export async function removeSupplied({ path }: PdfFile): Promise<void> {
  await rm(path, { force: true });
}

/** Stores the PDF that will be sent for signature; a file must still be the one that was judged. */
export async function saveDraftPdf(ctx: Context, contractId: number, pdf: Buffer | PdfFile): Promise<void> {
  const path = draftPdfPath(ctx, contractId);
  const temporary = temporaryName(ctx, path);
  await orRemoved(temporary, async () => {
    if (Buffer.isBuffer(pdf)) await inNewFile(temporary, (file) => writeWhole(file, pdf));
    else await copy(pdf, temporary);
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  });
}

async function copy({ path, sha256 }: PdfFile, target: string): Promise<void> {
  const copied = await writeChecked(target, createReadStream(path));
  if (copied.sha256 !== sha256)
    throw invalid({ file: 'The file changed while it was being read. Try again.' });
}

type Draft = Pick<ContractRow, 'id' | 'draftSha256'>;

/** The contract's PDF to sign; undefined when there is none, or when the file belongs to another contract with the same number. */
export async function openDraftPdf(ctx: Context, { id, draftSha256 }: Draft): Promise<OpenPdf | undefined> {
  if (draftSha256 === null) return undefined;
  const path = draftPdfPath(ctx, id);
  const found = await openIf(path, async (file) => (await digestOf(file)) === draftSha256);
  return typeof found === 'string' ? undefined : { ...found, path, sha256: draftSha256 };
}

/** The file if it is as it was stored, and otherwise what is wrong. */
export async function openIf(
  path: string,
  isGenuine: (file: FileHandle, seen: BigIntStats) => Promise<boolean>,
): Promise<OpenFile | 'missing' | 'damaged'> {
  const file = await openFile(path, 'r').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (!file) return 'missing';
  let isKept = false;
  try {
    const seen = await file.stat({ bigint: true });
    isKept = await isGenuine(file, seen);
    return isKept ? { file, size: Number(seen.size) } : 'damaged';
  } finally {
    if (!isKept) await file.close();
  }
}

/** The same, closed. */
export async function findDraftPdf(ctx: Context, contract: Draft): Promise<PdfFile | undefined> {
  const draft = await openDraftPdf(ctx, contract);
  await draft?.file.close();
  return draft;
}

/** Whether somebody has supplied the contract's PDF to sign, and it is not here any more. */
export async function isSuppliedPdfLost(
  ctx: Context,
  contract: Draft & Pick<ContractRow, 'ownPdf'>,
): Promise<boolean> {
  return contract.ownPdf === 1 && !(await findDraftPdf(ctx, contract));
}

export function sha256Of(content: Buffer): string {
  return hash('sha256', content);
}

/** The contract that a file in `contracts/` belongs to; undefined for any other file. */
export function contractOfFile(name: string): number | undefined {
  const [, id] = /^(\d+)(?:\.draft|\.audit-trail(?:-\d+)?)?\.(?:pdf|json)(?:\..*)?$/.exec(name) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The PDF to sign, or the signed one. */
export function isContractPdf(name: string): boolean {
  return /^\d+(\.draft)?\.pdf$/.test(name);
}

/**
 * Removes any file with a new contract's id: ids come back when a database is restored without its files. Done before
 * the contract is committed, so that no crash combines the two.
 */
export function clearDraft(ctx: Context, contractId: number): void {
  rmSync(draftPdfPath(ctx, contractId), { force: true });
}

/** Removes half-written files after a crash; those of a command that still writes stay. */
export async function sweepTemporaryFiles(dataDir: string, holder: string): Promise<number> {
  const left = await findLeftFiles(dataDir, holder);
  await removeLeftFiles(dataDir, left);
  return left.length;
}

/** Half-written files whose process has ended, as far as `holder` can tell. */
export async function findLeftFiles(dataDir: string, holder: string): Promise<string[]> {
  const names = await readdir(paths.contracts(dataDir));
  const writer = (name: string) => name.split('.').at(-3) ?? '';
  return names.filter((name) => name.endsWith(TEMPORARY) && hasEnded(writer(name), holder));
}

export async function removeLeftFiles(dataDir: string, names: readonly string[]): Promise<void> {
  const directory = paths.contracts(dataDir);
  await Promise.all(names.map((name) => rm(join(directory, name), { force: true })));
}

let temporaryCount = 0;

export function temporaryName({ holder }: Context, path: string): string {
  temporaryCount += 1;
  return `${path}.${holder}.${temporaryCount}${TEMPORARY}`;
}

export async function orRemoved<T>(temporary: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Throws an UnfitFile for what is no whole PDF. */
export async function writeChecked(
  path: string,
  pdf: AsyncIterable<Uint8Array>,
): Promise<StoredPdf & { inode: number }> {
  return inNewFile(path, async (file) => {
    const hash = createHash('sha256');
    const check = new PdfCheck();
    for await (const block of inBlocks(pdf)) {
      check.add(block);
      if (check.size > PDF_BYTES_MAX) break;
      hash.update(block);
      writeWhole(file, block);
    }
    const fault = check.fault();
    if (fault) throw new UnfitFile(fault);
    return { sha256: hash.digest('hex'), size: check.size, inode: fstatSync(file).ino };
  });
}

/**
 * Writes synchronously: it only fills the page cache, and a thread-pool hop costs more. Creating a file waits while
 * its directory is being synced, and fsync waits for the disk, so these are async.
 */
async function inNewFile<T>(path: string, write: (file: number) => T): Promise<Awaited<T>> {
  const file = await open(path, 'wx', PDF_MODE);
  try {
    // The umask removes bits from the mode given to `open`.
    fchmodSync(file, PDF_MODE);
    const written = await write(file);
    await fsync(file);
    return written;
  } finally {
    closeSync(file);
  }
}

/** A disk that fills up accepts a part first. */
function writeWhole(file: number, block: Uint8Array): void {
  for (let at = 0; at < block.byteLength;) at += writeSync(file, block, at);
}

/** Joins network chunks, so that most contracts are one write. */
async function* inBlocks(pdf: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pdf) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size < BLOCK_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pieces);
}

/** What a file is instead of what it should be. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';
}

function asBrokenAnswer(error: unknown): never {
  if (!(error instanceof UnfitFile)) throw error;
  throw new ProviderError('unavailable', `the document ${error.message}`);
}

function asWrongInput(error: unknown): never {
  if (!(error instanceof UnfitFile)) throw error;
  throw invalid({ file: `The file ${error.message}.` });
}
