/** Verifies an archive or a snapshot without touching any data: every file by its hash, the database by SQLite itself. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isContractPdf } from '../contracts/contract-files.js';
import { inspectDatabase, type Inspection } from '../../db/installation/snapshot.js';
import { DATABASE, type Manifest } from './manifest.js';
import { damaged, readBackup, unpackInto, type Unpacking } from './read-backup.js';
import { checkSnapshot, isSnapshot, unpackSnapshot } from './read-snapshot.js';

export interface BackupReport {
  /** The archive, or the directory of the snapshot. */
  file: string;
  /** Its bytes. */
  size: number;
  madeAt: string;
  /** Of which installation; null: made before installations had an id. */
  installation: string | null;
  /** The program that made it, and the schema of its database. */
  version: string;
  schema: number;
  requests: number;
  pdfs: number;
  keys: number;
  /** Signed PDFs that are missing from the data directory, or differ from what was signed. */
  problems: string[];
}

/** Throws `backup_damaged` or `backup_not_found`. */
export async function checkBackup(file: string, signal?: AbortSignal): Promise<BackupReport> {
  if (isSnapshot(file)) return checkSnapshot(file, signal);
  const directory = await mkdtemp(join(tmpdir(), 'esign-check-'));
  try {
    const unpack = unpackInto(directory);
    const onlyDatabase: Unpacking = (name) => (name === DATABASE ? unpack(name) : undefined);
    return await unpackChecked(file, { directory, unpack: onlyDatabase, signal });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Unpacks an archive or a snapshot and asks SQLite about its database; throws `backup_damaged`, `backup_not_found`. */
export async function unpackChecked(
  file: string,
  options: { directory: string; unpack?: Unpacking; signal: AbortSignal | undefined },
): Promise<BackupReport> {
  const { directory, unpack = unpackInto(directory), signal } = options;
  if (isSnapshot(file)) return unpackSnapshot(file, { directory, signal });
  const manifest = await readBackup(file, unpack, signal);
  const inspection = await inspectCopy(file, join(directory, DATABASE), signal);
  return reportOf(file, manifest, inspection);
}

/** Throws `backup_damaged` for a database that is not whole; `file` is what it came from. */
export async function inspectCopy(
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

export async function reportOf(
  file: string,
  manifest: Manifest,
  inspection: Inspection,
): Promise<BackupReport> {
  const { madeAt, version, schema, files } = manifest;
  const below = (directory: string) => files.filter(({ name }) => name.startsWith(directory)).length;
  return {
    file: resolve(file),
    size: (await stat(file)).size,
    madeAt,
    installation: inspection.installation,
    version,
    schema,
    requests: inspection.requests,
    pdfs: files.filter(({ name }) => isContractPdf(basename(name))).length,
    keys: below('keys/'),
    problems: problemsOf(manifest, inspection),
  };
}

function problemsOf({ files }: Manifest, { signedPdfs }: Inspection): string[] {
  const hashes = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  return signedPdfs.flatMap(({ contractId, sha256 }) => {
    const found = hashes.get(`contracts/${contractId}.pdf`);
    return found === sha256 ? [] : [pdfProblem(contractId, found)];
  });
}

/** `found`: its digest; undefined when there is none. */
export function pdfProblem(contractId: number, found: string | undefined): string {
  const what = found === undefined ? 'is missing' : 'is not the one that was stored when it was signed';
  return `the signed PDF of contract ${contractId} ${what}`;
}
