/**
 * Writes a backup while the service runs. The database is copied before the PDFs, so every PDF that a copied contract
 * mentions is already on disk. The archive gets its name only after it has been read back in full.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { inspectDatabase, snapshotDatabase } from '../../db/installation/snapshot.js';
import { databaseTrouble } from '../../db/installation/trouble.js';
import { command } from '../commands.js';
import { iso, type Clock } from '../clock.js';
import { type AppError, notFound, refused } from '../errors.js';
import { refuseNoData } from '../installation/no-data.js';
import { paths } from '../installation/paths.js';
import { syncDirectory } from '../installation/sync-directory.js';
import { temporaryBeside } from '../installation/temporary.js';
import { packageVersion } from '../installation/version.js';
import { reportOf, type BackupReport } from './check-backup.js';
import {
  DATABASE,
  isArchiveName,
  MANIFEST,
  manifestText,
  measured,
  type ArchivedFile,
  type Manifest,
} from './manifest.js';
import { readBackup } from './read-backup.js';
import { messageOf } from '../../db/caught.js';

export interface BackupOptions {
  dataDir: string;
  /** The archive. */
  file: string;
  clock: Clock;
  /** Replace a file of that name. */
  force?: boolean;
  onProgress?: (packed: number, total: number) => void;
  signal?: AbortSignal;
}

/** Only its owner may read the keys and the customers' data. */
const MODE = 0o600;

/** The PDFs are compressed already; a higher level would cost CPU time for little gain. */
const GZIP_LEVEL = 1;

/** Throws `file_exists` without `force`. On any failure no half archive is left and an existing file stays. */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  const file = resolve(options.file);
  const database = paths.database(options.dataDir);
  refuseNoData(options.dataDir);
  await mustBeFree(file, options.force);
  await mustHaveHome(file);
  const work = await workDirectory(file);
  try {
    const madeAt = iso(options.clock.now());
    const inspection = await copied(async () => {
      await snapshotDatabase(database, join(work, DATABASE), options.signal);
      return inspectDatabase(join(work, DATABASE), options.signal);
    });
    const { faults, schema } = inspection;
    if (faults.length > 0) throw sick(faults);
    const archive = join(work, 'archive');
    const manifest = { version: packageVersion(), madeAt, schema };
    await writeArchive(archive, { ...options, work, manifest });
    const readBack = await readBackup(archive, () => undefined, options.signal);
    await mustBeFree(file, options.force);
    await rename(archive, file);
    await syncDirectory(dirname(file));
    return await reportOf(file, readBack, inspection);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Throws `database_damaged` where SQLite finds the database damaged. */
export async function copied<T>(copy: () => Promise<T>): Promise<T> {
  try {
    return await copy();
  } catch (error) {
    throw databaseTrouble(error) === 'damaged' ? sick([messageOf(error)]) : error;
  }
}

function sick(faults: readonly string[]): AppError {
  return refused(
    'database_damaged',
    `The database itself is damaged, so no backup of it was written: ${faults[0]}`,
    ['Keep the earlier backups. Stop esignd and restore the newest of them: ', command('restore', 'FILE')],
  );
}

async function mustBeFree(file: string, force = false): Promise<void> {
  if (!force && (await exists(file)))
    throw refused('file_exists', `${file} exists.`, 'Choose another name, or add --force to replace it.');
}

async function mustHaveHome(file: string): Promise<void> {
  if (await exists(dirname(file))) return;
  throw notFound(
    'not_found',
    `There is no directory ${dirname(file)}.`,
    'Create it, or choose another directory.',
  );
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function workDirectory(file: string): Promise<string> {
  const work = await temporaryBeside(file);
  await mkdir(work, { mode: 0o700 });
  return work;
}

interface ArchiveParts extends BackupOptions {
  work: string;
  manifest: Omit<Manifest, 'format' | 'files'>;
}

async function writeArchive(archive: string, parts: ArchiveParts): Promise<void> {
  const tar = pack();
  const target = createWriteStream(archive, { flags: 'wx', mode: MODE, flush: true });
  const written = pipeline(Readable.from(tar), createGzip({ level: GZIP_LEVEL }), target, {
    signal: parts.signal,
  });
  const packed = packAll(tar, parts).catch((error: unknown) => {
    tar.destroy(error as Error);
    throw error;
  });
  const [first] = (await Promise.allSettled([packed, written])).filter(({ status }) => status === 'rejected');
  parts.signal?.throwIfAborted();
  if (first) throw (first as PromiseRejectedResult).reason;
}

async function packAll(
  tar: Pack,
  { dataDir, work, manifest, onProgress, signal }: ArchiveParts,
): Promise<void> {
  const found = [
    ...(await namesIn(paths.keys(dataDir), 'keys/')),
    ...(await namesIn(paths.contracts(dataDir), 'contracts/')),
  ];
  const files = await packFile(tar, DATABASE, join(work, DATABASE));
  for (const [i, name] of found.entries()) {
    signal?.throwIfAborted();
    files.push(...(await packFile(tar, name, join(dataDir, name))));
    onProgress?.(i + 1, found.length);
  }
  tar.entry({ name: MANIFEST, mode: MODE }, manifestText({ ...manifest, files }));
  tar.finalize();
}

async function namesIn(directory: string, prefix: string): Promise<string[]> {
  if (!(await exists(directory))) return [];
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => prefix + name)
    .filter(isArchiveName)
    .toSorted();
}

/** Packs nothing when the file is gone since it was listed, such as a draft that was replaced. */
async function packFile(tar: Pack, name: string, path: string): Promise<ArchivedFile[]> {
  const source = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!source) return [];
  try {
    // Files are replaced by rename, never overwritten, so an open file keeps its size.
    const { size, mtime } = await source.stat();
    const file: ArchivedFile = { name, size: 0, sha256: '' };
    const bytes = source.createReadStream({ autoClose: false, ...(size > 0 && { end: size - 1 }) });
    await pipeline(
      measured(bytes, file),
      tar.entry({ name, size, mtime, mode: MODE }) as unknown as Writable,
    );
    return [file];
  } finally {
    await source.close();
  }
}
