/** Reads a whole backup and trusts nothing in it: names, sizes and hashes must all match its list. */
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { AppError, notFound, refused } from '../errors.js';
import {
  DATABASE,
  isArchiveName,
  MANIFEST,
  measured,
  parseManifest,
  type ArchivedFile,
  type Manifest,
} from './manifest.js';
import { codeOf, messageOf } from '../../db/caught.js';

const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;

/** Where a file of the archive is to be unpacked; undefined: it is only read. */
export type Unpacking = (name: string) => { path: string; mode: number } | undefined;

/** Resolves when everything was read and matches the list. Throws `backup_damaged` for anything wrong with the file. */
export async function readBackup(file: string, unpack: Unpacking, signal?: AbortSignal): Promise<Manifest> {
  await mustBeReadable(file);
  const tar = extract();
  // Its errors surface in the loop below.
  const unpacked = pipeline(createReadStream(file), createGunzip(), tar, { signal });
  const [streams, entries] = await Promise.allSettled([
    unpacked,
    readEntries(tar as AsyncIterable<Entry>, unpack),
  ]);
  signal?.throwIfAborted();
  // Who stops reading ends the stream prematurely: then the reason is the reader's.
  const isCut = streams.status === 'rejected' && codeOf(streams.reason) !== 'ERR_STREAM_PREMATURE_CLOSE';
  const failure = isCut ? streams : entries;
  if (failure.status === 'rejected') throw damagedBy(failure.reason, file);
  const { manifest, files } = (entries as PromiseFulfilledResult<Entries>).value;
  if (!manifest) throw damaged(file, 'it has no list of its files: it was never finished');
  compare(file, manifest, files);
  return manifest;
}

/** tar-stream does not type what an entry yields: bytes. */
type Entry = AsyncIterable<Uint8Array> & { header: Header };

interface Entries {
  manifest: Manifest | undefined;
  files: ArchivedFile[];
}

async function readEntries(tar: AsyncIterable<Entry>, unpack: Unpacking): Promise<Entries> {
  const files: ArchivedFile[] = [];
  let manifest: Manifest | undefined;
  for await (const entry of tar) {
    const { name, type } = entry.header;
    if (manifest || type !== 'file') throw new ForeignEntry(name);
    if (name === MANIFEST) {
      manifest = parseManifest(await textOf(entry));
      if (!manifest) throw new Error('its list of files cannot be understood');
      continue;
    }
    if (!isArchiveName(name) || files.some((file) => file.name === name)) throw new ForeignEntry(name);
    files.push(await readFileEntry(name, entry, unpack(name)));
  }
  return { manifest, files };
}

/** An entry that no backup holds; it is never unpacked. */
class ForeignEntry extends Error {
  constructor(name: string) {
    super(`it holds ${JSON.stringify(name.slice(0, 100))}, which does not belong in a backup`);
  }
}

async function readFileEntry(name: string, entry: Entry, to: ReturnType<Unpacking>): Promise<ArchivedFile> {
  const file: ArchivedFile = { name, size: 0, sha256: '' };
  if (!to) {
    for await (const _ of measured(entry, file));
    return file;
  }
  await mkdir(dirname(to.path), { recursive: true, mode: 0o700 });
  const target = createWriteStream(to.path, { flags: 'wx', mode: to.mode, flush: true });
  await pipeline(measured(entry, file), target);
  return file;
}

async function textOf(entry: Entry): Promise<string> {
  if (entry.header.size > MANIFEST_BYTES_MAX) throw new Error('its list of files is too long');
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function compare(file: string, { files: listed }: Manifest, found: readonly ArchivedFile[]): void {
  const left = new Map(found.map((each) => [each.name, each]));
  for (const { name, size, sha256 } of listed) {
    const there = left.get(name);
    if (!there) throw damaged(file, `${name} is missing`);
    if (there.size !== size || there.sha256 !== sha256) throw damaged(file, `${name} is not what was packed`);
    left.delete(name);
  }
  const [extra] = left.keys();
  if (extra) throw damaged(file, `${extra} is not in its list of files`);
  if (!found.some(({ name }) => name === DATABASE)) throw damaged(file, 'it holds no database');
}

async function mustBeReadable(file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    throw notFound('backup_not_found', `The file ${file} cannot be read (${codeOf(error)}).`);
  }
}

/** A full disk is not the archive's fault. */
function damagedBy(error: unknown, file: string): Error {
  const code = codeOf(error);
  if (error instanceof Error && (error instanceof AppError || /^E[A-Z]+$/.test(code))) return error;
  const what = code.startsWith('Z_') ? 'it is cut short or was changed' : messageOf(error);
  return damaged(file, what);
}

export function damaged(file: string, what: string): AppError {
  return refused(
    'backup_damaged',
    `${file} is no whole backup: ${what}.`,
    'Take another one; nothing was changed.',
  );
}

/** Where each file of an archive goes below a directory that will be a data directory. */
export function unpackInto(directory: string): Unpacking {
  return (name) => ({ path: join(directory, name), mode: modeOf(name) });
}

export function modeOf(name: string): number {
  return name.startsWith('keys/') ? 0o600 : 0o640;
}
