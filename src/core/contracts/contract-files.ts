/** The contract PDFs on disk: the draft that is sent, and the signed one, which is whole or not there (spec 2, 4.10). */
import { createHash } from 'node:crypto';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../context.js';
import { ProviderError } from '../http/provider-error.js';
import { paths } from '../paths.js';
import { syncDirectory } from '../sync-directory.js';

export const PDF_BYTES_MAX = 50 * 1024 * 1024;

/** Readable by the group of the service, by nobody else. */
const PDF_MODE = 0o640;
const TEMPORARY = '.tmp';
/** A PDF ends with this marker; some writers put a few bytes after it. */
const END_MARKER = '%%EOF';
const TAIL_BYTES = 1024;

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
 * ProviderError and leaves what was there before; a full disk throws the system's error and does the same.
 */
export async function saveSignedPdf(
  ctx: Context,
  contractId: number,
  pdf: AsyncIterable<Uint8Array>,
): Promise<StoredPdf> {
  return store(signedPdfPath(ctx, contractId), pdf);
}

/** Stores the PDF that will be sent for signature. */
export async function saveDraftPdf(ctx: Context, contractId: number, pdf: Buffer): Promise<StoredPdf> {
  return store(draftPdfPath(ctx, contractId), [pdf]);
}

export function readDraftPdf(ctx: Context, contractId: number): Promise<Buffer> {
  return readFile(draftPdfPath(ctx, contractId));
}

/** Removes what a crash left half written. Only at the start of the daemon, when nobody else writes. */
export async function sweepTemporaryFiles(ctx: Context): Promise<number> {
  const directory = paths.contracts(ctx.config.dataDir);
  const left = (await readdir(directory)).filter((name) => name.endsWith(TEMPORARY));
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true })));
  return left.length;
}

let temporaryCount = 0;

async function store(
  path: string,
  pdf: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredPdf> {
  temporaryCount += 1;
  const temporary = `${path}.${process.pid}.${temporaryCount}${TEMPORARY}`;
  try {
    const stored = await writeChecked(temporary, pdf);
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return stored;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeChecked(
  path: string,
  pdf: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredPdf> {
  const file = await open(path, 'wx', PDF_MODE);
  try {
    // The process's umask takes bits away from the mode of `open`.
    await file.chmod(PDF_MODE);
    const hash = createHash('sha256');
    const check = new PdfCheck();
    for await (const chunk of pdf) {
      check.add(chunk);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    check.end();
    await file.sync();
    return { sha256: hash.digest('hex'), size: check.size };
  } finally {
    await file.close();
  }
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
