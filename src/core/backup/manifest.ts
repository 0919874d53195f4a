/**
 * The form of a copy of the data, the same for all that makes or reads one. `esignctl snapshot` keeps it in a directory,
 * for a program that sends changed files elsewhere; `esignctl backup` packs it into a tar file, in this order:
 *
 *     esign.db                   page for page as in the data directory
 *     keys/NAME
 *     contracts/0/12/1234.pdf    drafts, signed PDFs and audit trails, of a hundred contracts in each directory
 *     manifest.json              written last: a copy without it was never finished
 *
 * Such a program saves the list of a directory anew when one file in it changes, so none may be long. The digests of
 * signed PDFs and audit trails are in the database; the manifest has those of the database and the keys.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { contractOfFile } from '../contracts/contract-files.js';
import { refused, type AppError } from '../errors.js';

export const MANIFEST = 'manifest.json';
export const DATABASE = 'esign.db';

const FORMAT = 'esign-snapshot/1';

const KEY = /^keys\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const CONTRACT_FILE = /^\d{1,15}((\.draft|\.audit-trail)?\.pdf|\.audit-trail(-\d{1,3})?\.json)$/;
const PER_DIRECTORY = 100;

export function isKey(name: string): boolean {
  return KEY.test(name);
}

/** Where a file of the data directory's `contracts/` lies below that of a copy; undefined for one that is half written, or none of ours. */
export function placeOf(name: string): string | undefined {
  const id = contractOfFile(name);
  if (id === undefined || !CONTRACT_FILE.test(name)) return undefined;
  const hundred = Math.floor(id / PER_DIRECTORY);
  return `${Math.floor(hundred / PER_DIRECTORY)}/${hundred % PER_DIRECTORY}/${name}`;
}

/** No other name is read from a copy, so that none can lead out of a directory. */
export function belongs(name: string): boolean {
  if (name === DATABASE || name === MANIFEST || isKey(name)) return true;
  const place = placeOf(basename(name));
  return place !== undefined && name === `contracts/${place}`;
}

const fileSchema = z.object({
  name: z.string(),
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The program that made it. */
  version: z.string(),
  /** What was committed by then is in it. */
  madeAt: z.iso.datetime(),
  /** The id of the installation; a snapshot of another one is never replaced. */
  installation: z.string().regex(/^[0-9a-f]{16}$/),
  /** Of the database. */
  schema: z.number().int(),
  /** Rows of the most telling tables. */
  counts: z.record(z.string(), z.number().int()),
  database: fileSchema.refine(({ name }) => name === DATABASE),
  keys: z.array(fileSchema.refine(({ name }) => isKey(name))),
  contractFiles: z.number().int(),
  /** The state of the directory of contracts in which its files were last compared; null: compare them. */
  contractsSeen: z.string().nullable(),
});

export type MeasuredFile = z.infer<typeof fileSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

export function manifestText(manifest: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 1)}\n`;
}

/** Undefined: not a manifest of this format. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Undefined when no snapshot was finished there. Does not look at its files. */
export function findManifest(directory: string): Manifest | undefined {
  const file = join(directory, MANIFEST);
  return existsSync(file) ? parseManifest(readFileSync(file, 'utf8')) : undefined;
}

/** Throws `backup_damaged`. */
export function mustBeFinished(file: string, manifest: Manifest | undefined): Manifest {
  if (!manifest) throw damaged(file, `it has no valid ${MANIFEST}: it was never finished`);
  return manifest;
}

export function damaged(file: string, what: string): AppError {
  return refused(
    'backup_damaged',
    `${file} is not an intact backup: ${what}.`,
    'Use another backup; nothing was changed.',
  );
}

export async function measureFile(name: string, path: string, signal?: AbortSignal): Promise<MeasuredFile> {
  const file: MeasuredFile = { name, size: 0, sha256: '' };
  for await (const _ of measured(createReadStream(path), file)) signal?.throwIfAborted();
  return file;
}

/** Passes the bytes on, counting and hashing them into `file`. */
export async function* measured(
  bytes: AsyncIterable<Uint8Array>,
  file: Pick<MeasuredFile, 'size' | 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    file.size += chunk.byteLength;
    yield chunk;
  }
  file.sha256 = hash.digest('hex');
}
