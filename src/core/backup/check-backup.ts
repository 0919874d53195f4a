/** Verifies a backup without touching any data: every file by its hash, the database by SQLite itself. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspectDatabase, type Inspection } from '../../db/installation/snapshot.js';
import { DATABASE, type Manifest } from './manifest.js';
import { damaged, readBackup, unpackInto, type Unpacking } from './read-backup.js';

export interface BackupReport {
  file: string;
  /** Bytes of the archive. */
  size: number;
  madeAt: string;
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
  const directory = await mkdtemp(join(tmpdir(), 'esign-check-'));
  try {
    const unpack = unpackInto(directory);
    const onlyDatabase: Unpacking = (name) => (name === DATABASE ? unpack(name) : undefined);
    return await unpackChecked(file, { directory, unpack: onlyDatabase, signal });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Unpacks a backup and asks SQLite about its database; throws `backup_damaged`. */
export async function unpackChecked(
  file: string,
  options: { directory: string; unpack?: Unpacking; signal: AbortSignal | undefined },
): Promise<BackupReport> {
  const { directory, unpack = unpackInto(directory), signal } = options;
  const manifest = await readBackup(file, unpack, signal);
  const inspection = await inspectDatabase(join(directory, DATABASE), signal).catch((error: Error) => {
    signal?.throwIfAborted();
    throw damaged(file, `its database cannot be read (${error.message})`);
  });
  const [fault] = inspection.faults;
  if (fault) throw damaged(file, `its database is damaged (${fault})`);
  return reportOf(file, manifest, inspection);
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
    version,
    schema,
    requests: inspection.requests,
    pdfs: files.filter(({ name }) => /^contracts\/\d+(\.draft)?\.pdf$/.test(name)).length,
    keys: below('keys/'),
    problems: problemsOf(manifest, inspection),
  };
}

function problemsOf({ files }: Manifest, { signedPdfs }: Inspection): string[] {
  const hashes = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  return signedPdfs.flatMap(({ contractId, sha256 }) => {
    const found = hashes.get(`contracts/${contractId}.pdf`);
    if (found === sha256) return [];
    const what = found === undefined ? 'is missing' : 'is not the one that was stored when it was signed';
    return [`the signed PDF of contract ${contractId} ${what}`];
  });
}
