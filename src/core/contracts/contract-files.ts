/** The contract PDFs on disk: the draft that is sent, and the signed one, which is whole or not there (spec 2, 4.10). */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsync as fsyncCallback,
  open as openCallback,
  rmSync,
  writeSync,
} from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import { ProviderError } from '../http/provider-error.js';
import { paths } from '../paths.js';
import { isProcessAlive } from '../process.js';
import { syncDirectory } from '../sync-directory.js';

export const PDF_BYTES_MAX = 50 * 1024 * 1024;

/** Readable by the group of the service, by nobody else. */
const PDF_MODE = 0o640;
const TEMPORARY = '.tmp';
/** A PDF ends with this marker; some writers put a few bytes after it. */
const END_MARKER = '%%EOF';
const TAIL_BYTES = 1024;
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

/**
 * Stores the signed PDF as it arrives. An answer that is empty, no PDF, cut short or larger than 50 MB throws a
 * ProviderError and leaves what was there before; a full disk throws the system's error and does the same. So does
 * another document than the one with the digest `mustBe`: `signed_pdf_differs`.
 */
export async function saveSignedPdf(
  ctx: Context,
  contractId: number,
  pdf: AsyncIterable<Uint8Array>,
  { mustBe }: { mustBe?: string | null } = {},
): Promise<StoredPdf> {
  return store(signedPdfPath(ctx, contractId), pdf, ({ sha256 }) => {
    if (mustBe == null || mustBe === sha256) return;
    throw refused(
      'signed_pdf_differs',
      `The document at the signature provider is not the one that was stored when contract ${contractId} was signed.`,
    );
  });
}

/** Stores the PDF that will be sent for signature. */
export async function saveDraftPdf(ctx: Context, contractId: number, pdf: Buffer): Promise<StoredPdf> {
  return store(draftPdfPath(ctx, contractId), [pdf]);
}

export function readDraftPdf(ctx: Context, contractId: number): Promise<Buffer> {
  return readFile(draftPdfPath(ctx, contractId));
}

/**
 * Whatever lies under the number of a new contract is somebody else's: numbers come back with a database that was put back
 * without its files. Done before the contract is committed, so that no crash leaves the one with the other.
 */
export function clearDraft(ctx: Context, contractId: number): void {
  rmSync(draftPdfPath(ctx, contractId), { force: true });
}

/** Removes what a crash left half written. Only at the start of the daemon, when nobody else writes. */
export async function sweepTemporaryFiles(ctx: Context): Promise<number> {
  const left = await temporaryFiles(ctx);
  await removeLeftFiles(ctx, left);
  return left.length;
}

/** The names of half written files whose process is gone. */
export async function findLeftFiles(ctx: Context): Promise<string[]> {
  const writer = (name: string) => Number(name.split('.').at(-3));
  return (await temporaryFiles(ctx)).filter((name) => !isProcessAlive(writer(name)));
}

export async function removeLeftFiles(ctx: Context, names: readonly string[]): Promise<void> {
  const directory = paths.contracts(ctx.config.dataDir);
  await Promise.all(names.map((name) => rm(join(directory, name), { force: true })));
}

async function temporaryFiles(ctx: Context): Promise<string[]> {
  const names = await readdir(paths.contracts(ctx.config.dataDir));
  return names.filter((name) => name.endsWith(TEMPORARY));
}

let temporaryCount = 0;

async function store(
  path: string,
  pdf: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  check: (stored: StoredPdf) => void = () => undefined,
): Promise<StoredPdf> {
  temporaryCount += 1;
  const temporary = `${path}.${process.pid}.${temporaryCount}${TEMPORARY}`;
  try {
    const stored = await writeChecked(temporary, pdf);
    check(stored);
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return stored;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writing ends in the system's memory and is done here and now: handing it to a thread costs more than it does. A new file
 * waits while its directory is being synced, and the fsync waits for the disk.
 */
async function writeChecked(
  path: string,
  pdf: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredPdf> {
  const file = await open(path, 'wx', PDF_MODE);
  try {
    // The process's umask takes bits away from the mode of `open`.
    fchmodSync(file, PDF_MODE);
    const hash = createHash('sha256');
    const check = new PdfCheck();
    for await (const block of inBlocks(pdf)) {
      check.add(block);
      hash.update(block);
      writeWhole(file, block);
    }
    check.end();
    await fsync(file);
    return { sha256: hash.digest('hex'), size: check.size };
  } finally {
    closeSync(file);
  }
}

/** A disk that fills up takes a part first, and refuses the rest. */
function writeWhole(file: number, block: Uint8Array): void {
  for (let at = 0; at < block.byteLength;) at += writeSync(file, block, at);
}

/** Network pieces put together: most contracts are one write. */
async function* inBlocks(pdf: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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

/** Judges a PDF by its first and last bytes and its size, while it passes. */
class PdfCheck {
  size = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  add(chunk: Uint8Array): void {
    this.size += chunk.byteLength;
    if (this.size > PDF_BYTES_MAX) throw broken('is larger than 50 MB');
    if (this.#head.length < 5) this.#head = Buffer.concat([this.#head, chunk.subarray(0, 5)]);
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  }

  end(): void {
    if (this.size === 0) throw broken('is empty');
    if (this.#head.subarray(0, 5).toString('latin1') !== '%PDF-') throw broken('is not a PDF');
    if (!this.#tail.includes(END_MARKER)) throw broken('is cut short');
  }
}

function broken(what: string): ProviderError {
  return new ProviderError('unavailable', `the document ${what}`);
}
