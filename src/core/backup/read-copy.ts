/** Reads a copy of the data, be it the directory of a snapshot or a packed one, and trusts nothing in it that can be compared. */
import { createReadStream, createWriteStream, lstatSync, statSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarDecoder } from 'modern-tar';
import { codeOf, messageOf } from '../../db/caught.js';
import { inspectDatabase, type Inspection } from '../../db/installation/snapshot.js';
import { isContractPdf } from '../contracts/contract-files.js';
import { AppError, notFound, refused } from '../errors.js';
import {
  belongs,
  damaged,
  DATABASE,
  isKey,
  MANIFEST,
  measured,
  mustBeFinished,
  parseManifest,
  placeOf,
  type Manifest,
  type MeasuredFile,
} from './manifest.js';
import { filesBelow, linkOrCopy } from './mirror.js';

export interface BackupReport {
  /** The file, or the directory of the snapshot. */
  file: string;
  /** Bytes of what it holds. */
  size: number;
  madeAt: string;
  installation: string;
  /** The program that made it, and the schema of its database. */
  version: string;
  schema: number;
  requests: number;
  pdfs: number;
  keys: number;
  /** Files of signed contracts that are missing, or differ from what was stored. */
  problems: string[];
}

/** What stands in a copy. */
export interface Contents {
  manifest: Manifest;
  files: ReadonlyMap<string, MeasuredFile>;
}

/** Verifies a copy without touching any data. Throws `backup_damaged` or `backup_not_found`. */
export async function checkBackup(file: string, signal?: AbortSignal): Promise<BackupReport> {
  if (isDirectory(file)) {
    const contents = await readCopy(file, { signal });
    return reportOf(file, contents, await inspectCopy(file, join(file, DATABASE), signal));
  }
  const directory = await mkdtemp(join(tmpdir(), 'esign-check-'));
  const database = join(directory, DATABASE);
  try {
    const unpack = (name: string) => (name === DATABASE ? database : undefined);
    const contents = await readCopy(file, { unpack, signal });
    return reportOf(file, contents, await inspectCopy(file, database, signal));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The same, and puts the files where a data directory has them. PDFs of a directory become further links. */
export async function unpackCopy(
  file: string,
  { directory, signal }: { directory: string; signal: AbortSignal | undefined },
): Promise<BackupReport> {
  const unpack = (name: string) =>
    join(directory, name.startsWith('contracts/') ? `contracts/${basename(name)}` : name);
  const contents = await readCopy(file, { unpack, signal });
  return reportOf(file, contents, await inspectCopy(file, join(directory, DATABASE), signal));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

interface Reading {
  /** The path to which a file goes; undefined: it is only read. */
  unpack?: (name: string) => string | undefined;
  signal: AbortSignal | undefined;
}

/** Resolves when everything was read and matches the manifest. Throws `backup_damaged` for anything wrong with the copy. */
export async function readCopy(file: string, { unpack, signal }: Reading): Promise<Contents> {
  mustBeThere(file);
  try {
    const files = new Map<string, MeasuredFile>();
    let manifest: Manifest | undefined;
    for await (const entry of isDirectory(file) ? entriesBelow(file) : entriesOf(file, signal)) {
      signal?.throwIfAborted();
      const { name } = entry;
      if (manifest || !belongs(name) || files.has(name)) throw foreign(name);
      if (name === MANIFEST) manifest = await manifestOf(entry);
      else files.set(name, await take(entry, unpack?.(name)));
    }
    const contents = { manifest: mustBeFinished(file, manifest), files };
    compare(file, contents);
    return contents;
  } catch (error) {
    signal?.throwIfAborted();
    // A full disk is not the copy's fault.
    throw error instanceof AppError || /^E[A-Z]+$/.test(codeOf(error))
      ? error
      : damaged(file, messageOf(error).replace(/\.$/, ''));
  }
}

function mustBeThere(file: string): void {
  try {
    statSync(file);
  } catch (error) {
    throw notFound('backup_not_found', `The file ${file} cannot be read (${codeOf(error)}).`);
  }
}

interface Entry {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Of a file that is there unpacked. */
  path?: string;
}

async function* entriesBelow(directory: string): AsyncGenerator<Entry> {
  for (const name of namesBelow(directory)) {
    const path = join(directory, name);
    yield { name, path, bytes: createReadStream(path) };
  }
}

/** The names of a snapshot's files, in the order in which they are packed; none when it was never finished. */
export function* namesBelow(directory: string): Generator<string> {
  // A link could lead out of the snapshot.
  const isFile = (name: string) =>
    lstatSync(join(directory, name), { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile(MANIFEST)) return;
  if (isFile(DATABASE)) yield DATABASE;
  for (const folder of ['keys', 'contracts'])
    for (const name of filesBelow(directory, folder)) if (belongs(name)) yield name;
  yield MANIFEST;
}

async function* entriesOf(file: string, signal: AbortSignal | undefined): AsyncGenerator<Entry> {
  await mustBePlain(file);
  const tar = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
  for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }), {
    ...(signal && { signal }),
  })) {
    if (header.type !== 'file') throw foreign(header.name);
    yield { name: header.name, bytes: body };
  }
}

const GZIP = Buffer.from([0x1f, 0x8b]);

/** Somebody may have compressed it, to save space. */
async function mustBePlain(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(GZIP.length));
    if (buffer.equals(GZIP))
      throw refused('backup_damaged', `${file} is compressed.`, 'Decompress it with gunzip first.');
  } finally {
    await handle.close();
  }
}

/** It is never unpacked. */
function foreign(name: string): Error {
  return new Error(`it holds ${JSON.stringify(name.slice(0, 100))}, which does not belong in a backup`);
}

const MANIFEST_BYTES_MAX = 1024 * 1024;

async function manifestOf({ bytes }: Entry): Promise<Manifest> {
  const chunks: Uint8Array[] = [];
  const file = { size: 0, sha256: '' };
  for await (const chunk of measured(bytes, file)) {
    if (file.size > MANIFEST_BYTES_MAX) throw new Error(`its ${MANIFEST} is too long`);
    chunks.push(chunk);
  }
  const manifest = parseManifest(Buffer.concat(chunks).toString('utf8'));
  if (!manifest) throw new Error(`its ${MANIFEST} cannot be understood`);
  return manifest;
}

async function take({ name, path, bytes }: Entry, target: string | undefined): Promise<MeasuredFile> {
  const file: MeasuredFile = { name, size: 0, sha256: '' };
  const isLinked = path !== undefined && name.startsWith('contracts/');
  if (target !== undefined && !isLinked) {
    const mode = isKey(name) ? 0o600 : 0o640;
    await pipeline(measured(bytes, file), createWriteStream(target, { flags: 'wx', mode, flush: true }));
    return file;
  }
  for await (const _ of measured(bytes, file));
  if (target !== undefined && isLinked) linkOrCopy(path, target);
  return file;
}

function compare(file: string, { manifest, files }: Contents): void {
  const listed = new Map([manifest.database, ...manifest.keys].map((each) => [each.name, each]));
  for (const { name, size, sha256 } of listed.values()) {
    const found = files.get(name);
    if (!found) throw damaged(file, `${name} is missing`);
    if (found.size !== size || found.sha256 !== sha256)
      throw damaged(
        file,
        `${name} does not match its ${MANIFEST}: the last run was cut off, or the file was changed`,
      );
  }
  for (const name of files.keys())
    if (isKey(name) && !listed.has(name)) throw damaged(file, `${name} is not in its ${MANIFEST}`);
}

/** Throws `backup_damaged` for a database that is not whole; `file` is what it came from. */
async function inspectCopy(
  file: string,
  database: string,
  signal: AbortSignal | undefined,
): Promise<Inspection> {
  const inspection = await inspectDatabase(database, signal).catch((error: Error) => {
    signal?.throwIfAborted();
    throw damaged(file, `its database cannot be read (${error.message})`);
  });
  const [fault] = inspection.faults;
  if (fault) throw damaged(file, `its database is damaged (${fault})`);
  return inspection;
}

export function reportOf(file: string, { manifest, files }: Contents, inspection: Inspection): BackupReport {
  const { madeAt, installation, version, schema, keys } = manifest;
  const report = { file: resolve(file), size: 0, madeAt, installation, version, schema };
  let pdfs = 0;
  for (const { name, size } of files.values()) {
    report.size += size;
    if (isContractPdf(basename(name))) pdfs += 1;
  }
  const problems = problemsOf(files, inspection);
  return { ...report, requests: inspection.requests, pdfs, keys: keys.length, problems };
}

function problemsOf(files: Contents['files'], { signedPdfs, trailFiles }: Inspection): string[] {
  const stored = [
    ...signedPdfs.map(({ contractId, sha256 }) => ({
      contractId,
      name: 'pdf',
      what: 'the signed PDF',
      sha256,
    })),
    ...trailFiles.map((file) => ({ ...file, what: file.name })),
  ];
  return stored.flatMap(({ contractId, name, what, sha256 }) => {
    const found = files.get(`contracts/${placeOf(`${contractId}.${name}`)}`)?.sha256;
    if (found === sha256) return [];
    const wrong = found === undefined ? 'is missing' : 'is not the one that was stored';
    return [`${what} of contract ${contractId} ${wrong}`];
  });
}
