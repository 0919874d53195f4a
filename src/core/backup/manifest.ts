/**
 * The format of a backup: a gzipped tar archive of the database, the contracts' PDFs and the keys, with a list of all
 * files at its end. An archive without that list was never finished.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';

export const MANIFEST = 'manifest.json';
export const DATABASE = 'esign.db';

const FORMAT = 'esign-backup/1';
const BLOCK_BYTES = 1024 * 1024;

/** The only names allowed in an archive, so that no name can lead out of its directory. */
const NAMES = [
  /^esign\.db$/,
  /^contracts\/\d{1,15}(\.draft|\.audit-trail)?\.pdf$/,
  /^contracts\/\d{1,15}\.audit-trail(-\d{1,3})?\.json$/,
  /^keys\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
];

export function isArchiveName(name: string): boolean {
  return NAMES.some((pattern) => pattern.test(name));
}

export const fileSchema = z.object({
  name: z.string().refine(isArchiveName),
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The program that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** Of the database. */
  schema: z.number().int(),
  files: z.array(fileSchema),
});

export type ArchivedFile = z.infer<typeof fileSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

export function manifestText(manifest: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 1)}\n`;
}

/** Undefined: not a list of this format. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Reads a whole file. */
export async function measureFile(name: string, path: string, signal?: AbortSignal): Promise<ArchivedFile> {
  const file: ArchivedFile = { name, size: 0, sha256: '' };
  for await (const _ of measured(createReadStream(path, { highWaterMark: BLOCK_BYTES }), file))
    signal?.throwIfAborted();
  return file;
}

/** Passes the bytes on, counting and hashing them into `file`. */
export async function* measured(
  bytes: AsyncIterable<Uint8Array>,
  file: Pick<ArchivedFile, 'size' | 'sha256'>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    hash.update(chunk);
    file.size += chunk.byteLength;
    yield chunk;
  }
  file.sha256 = hash.digest('hex');
}
