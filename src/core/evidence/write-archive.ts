/** Writes an archive: its files in the order given, the manifest last, the seal at the end. Equal contents give equal bytes. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { PRIVATE, writeNewFile } from './new-file.js';
import { z } from 'zod';

export interface Content {
  name: string;
  about: string;
  bytes: string | Buffer | FileHandle;
  /** Where the record of the request names it. */
  sha256?: string;
}

export interface WrittenArchive extends Manifest {
  file: string;
  size: number;
  sha256: string;
}

interface ArchiveOptions {
  head: Omit<Manifest, 'format' | 'formatVersion' | 'files'>;
  contents: readonly Content[];
  signal?: AbortSignal | undefined;
}

/** Throws `file_exists`. On any failure nothing is left. */
export async function writeArchive(file: string, options: ArchiveOptions): Promise<WrittenArchive> {
  return writeNewFile(file, async (temporary) => {
    const manifest = await pack(temporary, options);
    const sha256 = await seal(temporary);
    const { size } = await stat(temporary);
    return { ...manifest, file, size, sha256 };
  });
}

async function pack(path: string, { head, contents, signal }: ArchiveOptions): Promise<Manifest> {
  const zip = new ZipFile();
  const target = createWriteStream(path, { flags: 'wx', mode: PRIVATE });
  const written = pipeline(zip.outputStream, target, signal ? { signal } : {});
  const failed = new Promise<never>((_, reject) => void zip.on('error', reject));
  const files: ArchivedFile[] = [];
  const settings = { mtime: new Date(head.madeAt), mode: 0o100000 | PRIVATE };
  for (const content of contents) {
    // PDFs are compressed already.
    const compress = !content.name.endsWith('.pdf');
    zip.addReadStreamLazy(content.name, { ...settings, compress }, (give) => {
      give(null, Readable.from(measured(content, files)));
    });
  }
  const manifest = { format: 'esign-export', formatVersion: 1, ...head, files } as const;
  // Its turn comes last: by then every file is measured.
  zip.addReadStreamLazy(MANIFEST, settings, (give) => {
    give(null, Readable.from([Buffer.from(jsonText(manifest))]));
  });
  zip.end({ forceZip64Format: false, comment: SEAL + '0'.repeat(SEAL_DIGITS) });
  await Promise.race([written, failed]);
  return { ...manifest, files };
}

async function* measured({ name, about, bytes }: Content, files: ArchivedFile[]): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of chunksOf(bytes)) {
    hash.update(chunk);
    size += chunk.byteLength;
    yield chunk;
  }
  files.push({ name, size, sha256: hash.digest('hex'), about });
}

function chunksOf(bytes: Content['bytes']): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof bytes === 'string') return [Buffer.from(bytes)];
  return Buffer.isBuffer(bytes) ? [bytes] : bytes.createReadStream({ start: 0, autoClose: false });
}

/** Writes the digest of everything before it into the end of the file. */
async function seal(path: string): Promise<string> {
  const { size } = await stat(path);
  const sha256 = await digestBefore(path, size - SEAL_DIGITS);
  const file = await open(path, 'r+');
  try {
    await file.write(sha256, size - SEAL_DIGITS, 'latin1');
  } finally {
    await file.close();
  }
  return sha256;
}

export async function digestBefore(path: string, end: number, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  if (end > 0) await pipeline(createReadStream(path, { end: end - 1 }), hash, signal ? { signal } : {});
  return hash.digest('hex');
}

export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

// What an exported archive says of itself: every file with its SHA-256, in `manifest.json`, and a seal over the whole
// file in the comment at its end. So any byte that differs is found, and mostly also in which file.

export const MANIFEST = 'manifest.json';

/** Before the seal's digest, which ends the file. */
export const SEAL = 'esign-export sha256:';
export const SEAL_DIGITS = 64;

const fileSchema = z.object({
  name: z.string(),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  about: z.string(),
});

export const manifestSchema = z.object({
  format: z.literal('esign-export'),
  formatVersion: z.literal(1),
  kind: z.enum(['request', 'user']),
  /** A reference or an e-mail address. */
  subject: z.string(),
  installation: z.string(),
  firm: z.string(),
  madeAt: z.iso.datetime(),
  version: z.string(),
  files: z.array(fileSchema),
  /** What belongs here and could not be had, with the reason. */
  missing: z.array(z.object({ name: z.string(), reason: z.string() })),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ArchivedFile = Manifest['files'][number];
export type Missing = Manifest['missing'][number];
