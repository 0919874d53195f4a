/**
 * Checks an exported archive without the installation that made it: every file against the manifest, and the seal over
 * the whole. The archive may come from anybody: nothing is unpacked, and no more is read than the manifest promises.
 */
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { codeOf } from '../../db/caught.js';
import { notFound } from '../errors.js';
import { MANIFEST, manifestSchema, SEAL, SEAL_DIGITS, type Manifest, digestBefore } from './write-archive.js';

/**
 * unreadable: no zip, or damaged beyond reading. no_manifest: none, or not ours. changed, missing, extra, twice: a
 * file. seal: a byte outside of the files differs. too_large: more than is ever exported.
 */
export type Problem =
  | 'unreadable'
  | 'no_manifest'
  | 'changed'
  | 'missing'
  | 'extra'
  | 'twice'
  | 'seal'
  | 'too_large';

export interface Verification {
  file: string;
  /** Every byte is as it was when the archive was made. */
  isWhole: boolean;
  manifest: Manifest | null;
  /** The digest of its seal, which the history of the installation knows; null without a seal. */
  sha256: string | null;
  /** `name`: of the file in it; null: the archive. */
  problems: { problem: Problem; name: string | null }[];
}

const LIMITS = { entries: 20_000, manifestBytes: 16 * 1024 ** 2, totalBytes: 16 * 1024 ** 3 };

type Tell = (problem: Problem, name?: string) => void;

/** Throws `not_found` when there is no such file. */
export async function verifyArchive(file: string, signal?: AbortSignal): Promise<Verification> {
  const problems: Verification['problems'] = [];
  const tell: Tell = (problem, name) => void problems.push({ problem, name: name ?? null });
  const sha256 = await checkSeal(file, tell, signal);
  const manifest = await checkFiles(file, tell, signal);
  return { file, isWhole: problems.length === 0, manifest, sha256, problems };
}

async function checkSeal(file: string, tell: Tell, signal: AbortSignal | undefined): Promise<string | null> {
  const size = await sizeOf(file);
  const sealed = await endOf(file, size);
  if (!sealed) {
    tell('seal');
    return null;
  }
  const digest = await digestBefore(file, size - SEAL_DIGITS, signal);
  if (digest !== sealed) tell('seal');
  return sealed;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
    throw notFound('not_found', `There is no file ${file}.`);
  });
  if (!found.isFile()) throw notFound('not_found', `${file} is not a file.`);
  return found.size;
}

/** The digest at the end of the file; undefined when it has no seal. */
async function endOf(path: string, size: number): Promise<string | undefined> {
  const length = SEAL.length + SEAL_DIGITS;
  if (size < length) return undefined;
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const [, digest] = new RegExp(`^${SEAL}([0-9a-f]{64})$`).exec(buffer.toString('latin1')) ?? [];
    return digest;
  } finally {
    await file.close();
  }
}

async function checkFiles(
  file: string,
  tell: Tell,
  signal: AbortSignal | undefined,
): Promise<Manifest | null> {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    const entries = await entriesOf(zip, tell);
    const manifest = await manifestOf(zip, entries, tell);
    if (manifest) await compare(zip, { manifest, entries, tell, signal });
    return manifest;
  } catch {
    signal?.throwIfAborted();
    tell('unreadable');
    return null;
  } finally {
    zip?.close();
  }
}

/** By name. yauzl refuses names that lead out of a directory. */
async function entriesOf(zip: ZipFile, tell: Tell): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (zip.entryCount > LIMITS.entries) throw new Error(`it has ${zip.entryCount} entries`);
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) tell('twice', entry.fileName);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function manifestOf(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  tell: Tell,
): Promise<Manifest | null> {
  const entry = entries.get(MANIFEST);
  if (!entry || entry.isEncrypted() || entry.uncompressedSize > LIMITS.manifestBytes) {
    tell('no_manifest');
    return null;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of await contentOf(zip, entry)) chunks.push(chunk);
  const manifest = parsed(Buffer.concat(chunks).toString('utf8'));
  if (!manifest) tell('no_manifest');
  return manifest;
}

function parsed(text: string): Manifest | null {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

interface Comparison {
  manifest: Manifest;
  entries: ReadonlyMap<string, Entry>;
  tell: Tell;
  signal: AbortSignal | undefined;
}

async function compare(zip: ZipFile, { manifest, entries, tell, signal }: Comparison): Promise<void> {
  const listed = new Set([MANIFEST, ...manifest.files.map(({ name }) => name)]);
  for (const name of entries.keys()) if (!listed.has(name)) tell('extra', name);
  const total = manifest.files.reduce((sum, { size }) => sum + size, 0);
  if (total > LIMITS.totalBytes) return tell('too_large');
  for (const file of manifest.files) {
    signal?.throwIfAborted();
    const entry = entries.get(file.name);
    if (!entry) tell('missing', file.name);
    else if (!(await isSame(zip, entry, file))) tell('changed', file.name);
  }
}

/** Reads no more than the size that the manifest gives, whatever the entry holds. */
async function isSame(
  zip: ZipFile,
  entry: Entry,
  { size, sha256 }: Manifest['files'][number],
): Promise<boolean> {
  if (entry.uncompressedSize !== size || entry.isEncrypted()) return false;
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const chunk of await contentOf(zip, entry)) {
      read += chunk.byteLength;
      if (read > size) return false;
      hash.update(chunk);
    }
  } catch {
    return false;
  }
  return read === size && hash.digest('hex') === sha256;
}

function contentOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  return zip.openReadStreamPromise(entry);
}
