/** Packs a snapshot, made for this, into one file while the service runs. The file gets its name only after it has been read back in full. */
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, realpath, rename, rm, stat, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarPacker } from 'modern-tar';
import { inspectDatabase } from '../../db/installation/snapshot.js';
import { type Clock, iso } from '../clock.js';
import { notFound, refused } from '../errors.js';
import { refuseNoData } from '../installation/paths.js';
import { syncDirectory, temporaryBeside } from '../installation/sync-directory.js';
import { DATABASE } from './manifest.js';
import { namesBelow, readCopy, reportOf, type BackupReport } from './read-copy.js';
import { copied, sick, writeSnapshot } from './write-snapshot.js';
import { findInstallationId } from '../../db/installation/installation.js';
import { insertRun } from '../../db/installation/runs.js';
import type { Context } from '../context.js';

export interface BackupOptions {
  dataDir: string;
  file: string;
  clock: Clock;
  /** Replace a file of that name. */
  force?: boolean;
  onProgress?: (packed: number, total: number) => void;
  signal?: AbortSignal;
}

/** Only its owner may read the keys and the customers' data. */
const MODE = 0o600;

/** Throws `file_exists` without `force`, `not_permitted` for a file that no backup may replace. On any failure nothing half made is left and an existing file stays. */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  const { dataDir, force, signal } = options;
  const file = resolve(options.file);
  refuseNoData(dataDir);
  await mustHaveHome(file);
  await mustBeNoneOfOurs(file, dataDir);
  await mustBeFree(file, force);
  // In the data directory, where PDFs need not be copied.
  const directory = await temporaryBeside(join(resolve(dataDir), 'backup'));
  const draft = await temporaryBeside(file);
  try {
    await writeSnapshot({ ...options, directory });
    const inspection = await copied(() => inspectDatabase(join(directory, DATABASE), signal));
    if (inspection.faults.length > 0) throw sick(inspection.faults);
    await pack(directory, draft, options);
    const readBack = await readCopy(draft, { signal });
    await mustBeFree(file, force);
    await rename(draft, file);
    await syncDirectory(dirname(file));
    return reportOf(file, readBack, inspection);
  } finally {
    for (const left of [directory, draft]) await rm(left, { recursive: true, force: true });
  }
}

/** What is saved would be replaced by its copy. */
async function mustBeNoneOfOurs(file: string, dataDir: string): Promise<void> {
  const place = relative(await realpath(dataDir), await realpath(dirname(file)));
  const [first = ''] = join(place, basename(file)).split(sep);
  if (first.startsWith(DATABASE) || first === 'keys' || first === 'contracts')
    throw refused(
      'not_permitted',
      `${file} lies among the data that are saved.`,
      'Choose a file outside the data directory.',
    );
}

async function mustBeFree(file: string, force = false): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found && !found.isFile())
    throw refused(
      'not_permitted',
      `${file} is not a regular file.`,
      'Choose a name that is free, such as esign.tar.',
    );
  if (!force && found)
    throw refused('file_exists', `${file} exists.`, 'Choose another name, or add --force to replace it.');
}

async function mustHaveHome(file: string): Promise<void> {
  const home = await stat(dirname(file)).catch(() => undefined);
  if (home?.isDirectory()) return;
  throw notFound(
    'not_found',
    `There is no directory ${dirname(file)}.`,
    'Create it, or choose another directory.',
  );
}

async function pack(directory: string, file: string, options: BackupOptions): Promise<void> {
  const { readable, controller } = createTarPacker();
  const target = createWriteStream(file, { flags: 'wx', mode: MODE, flush: true });
  const written = pipeline(Readable.fromWeb(readable), target, { signal: options.signal });
  const packed = packAll(directory, controller, options).catch((error: unknown) => controller.error(error));
  await Promise.allSettled([written, packed]);
  await written;
}

async function packAll(
  directory: string,
  controller: ReturnType<typeof createTarPacker>['controller'],
  { onProgress, signal }: BackupOptions,
): Promise<void> {
  const names = [...namesBelow(directory)];
  for (const [i, name] of names.entries()) {
    signal?.throwIfAborted();
    const path = join(directory, name);
    const { size, mtime } = await stat(path);
    const entry = controller.add({ name, size, mtime, mode: MODE });
    await Readable.toWeb(createReadStream(path)).pipeTo(entry);
    onProgress?.(i + 1, names.length);
  }
  controller.finalize();
}

// Scheduled backups: each run writes one file into the configured directory and keeps only the newest ones.

const TIME = /^\d{8}T\d{6}Z\.tar$/;

/** Throws what `writeBackup` throws; older ones are removed only when the new one is complete. Returns its size in bytes, and how many these are. */
export async function backUpBySchedule(
  ctx: Context,
  { directory, signal }: { directory: string; signal?: AbortSignal },
) {
  // What would be copied is not what was stored, and an older one would go for it.
  const refusal = ctx.writer.refusal();
  if (refusal) throw refusal;
  const startedAt = iso(ctx.clock.now());
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Of one installation name order is time order.
  const prefix = `esign-${findInstallationId(ctx.db)}-`;
  const file = join(directory, `${prefix}${startedAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar`);
  const { dataDir, backupKeep } = ctx.config;
  const { size } = await writeBackup({
    dataDir,
    file,
    clock: ctx.clock,
    // A second run within the same second, as after a crash, replaces the first file.
    force: true,
    ...(signal && { signal }),
  });
  const removed = await removeOld(directory, prefix, backupKeep);
  const result = { file, size, removed };
  const finishedAt = iso(ctx.clock.now());
  await ctx.writer.write((db) =>
    insertRun(db, { name: 'backup', startedAt, finishedAt, result: JSON.stringify(result) }),
  );
  return result;
}

/** Nothing else in the directory is touched: not the backups of another installation either. */
async function removeOld(directory: string, prefix: string, keep: number): Promise<number> {
  const isOurs = (name: string) => name.startsWith(prefix) && TIME.test(name.slice(prefix.length));
  const names = await readdir(directory);
  const ours = names.filter(isOurs).toSorted();
  const old = ours.slice(0, Math.max(0, ours.length - keep));
  // By runs that were killed.
  const left = names.filter((name) => name.startsWith(`.${prefix}`));
  await Promise.all([...old, ...left].map((name) => rm(join(directory, name), { force: true })));
  return old.length;
}
