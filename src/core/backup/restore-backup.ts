/**
 * Restores a backup in the place of the present data, which are kept aside. Everything is unpacked, verified and brought
 * to this version's schema first; what follows is one swap.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runningDaemonPid, takeDaemonLock, type DaemonLock } from '../../db/daemon-lock.js';
import { findInstallationId, setInstallationId } from '../../db/installation.js';
import { hasInstallationId, migrate } from '../../db/migrate.js';
import { closeForGood, openDb } from '../../db/open.js';
import type { Actor } from '../actor.js';
import { iso, type Clock } from '../clock.js';
import { AppError, refused } from '../errors.js';
import { record } from '../history.js';
import { paths } from '../paths.js';
import { inspectUnpacked, reportOf, type BackupReport } from './check-backup.js';
import { DATABASE } from './manifest.js';
import { readBackup, unpackInto } from './read-backup.js';
import { finishSwap, isSwapBegun, stagingOf, swapIn } from './swap.js';

export interface RestoreOptions {
  dataDir: string;
  /** The archive. */
  file: string;
  clock: Clock;
  actor: Actor;
  reason?: string;
  /** Until the swap begins: that is always finished. */
  signal?: AbortSignal;
}

export interface Restored extends BackupReport {
  /** Where the data are that were there before. */
  aside: string;
}

/** Throws `daemon_running`, `data_in_use`, `backup_damaged`, or a SchemaError for data of a newer version: nothing is changed. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o750 });
  const lock = lockAgainstDaemon(dataDir);
  const staging = stagingOf(dataDir);
  try {
    finishSwap(dataDir);
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    const report = await unpack(staging, options);
    prepare(staging, options, report.madeAt);
    closeForGood(paths.database(dataDir), () => {
      throw new AppError('busy', 'data_in_use', 'Another program has this database open.', {
        hint: 'Wait until other commands are done, and stop Litestream if it streams this database (systemctl stop litestream). Then try again.',
      });
    });
    options.signal?.throwIfAborted();
    const aside = await swapIn(dataDir, options.clock.now());
    return { ...report, aside };
  } finally {
    // A swap that could not be finished needs it.
    if (!isSwapBegun(dataDir)) await rm(staging, { recursive: true, force: true });
    lock.release();
  }
}

/** Throws `daemon_running`. A directory that does not exist has no daemon. */
export function refuseBesideDaemon(dataDir: string): void {
  const pid = existsSync(dataDir) ? runningDaemonPid(dataDir) : undefined;
  if (pid !== undefined) throw besideDaemon(dataDir, pid);
}

function lockAgainstDaemon(dataDir: string): DaemonLock {
  const lock = takeDaemonLock(dataDir);
  if (!lock) throw besideDaemon(dataDir, runningDaemonPid(dataDir));
  return lock;
}

function besideDaemon(dataDir: string, pid: number | undefined): AppError {
  return refused(
    'daemon_running',
    `esignd (process ${pid || 'unknown'}) works on ${dataDir}.`,
    'Stop it first.',
  );
}

async function unpack(staging: string, { file, signal }: RestoreOptions): Promise<BackupReport> {
  // A backup may hold neither, a data directory has both.
  await mkdir(paths.contracts(staging), { mode: 0o750 });
  await mkdir(paths.keys(staging), { mode: 0o700 });
  const manifest = await readBackup(file, unpackInto(staging), signal);
  const inspection = await inspectUnpacked(file, staging, signal);
  const { size } = await stat(file);
  return reportOf({ file: resolve(file), size, manifest, inspection });
}

/** Throws a SchemaError for a database that a newer version has made. */
function prepare(
  staging: string,
  { dataDir, file, clock, actor, reason }: RestoreOptions,
  madeAt: string,
): void {
  const present = presentInstallation(dataDir);
  const db = openDb(join(staging, DATABASE), { busyTimeoutMs: 0, mustExist: true });
  try {
    const isNamed = hasInstallationId(db);
    migrate(db);
    // What was sent since the backup bears the present name: under another one nobody would know it for ours.
    if (!isNamed && present) setInstallationId(db, present);
    record(db, {
      at: iso(clock.now()),
      actor,
      what: 'data.restored',
      requestId: null,
      detail: { file: resolve(file), madeAt, ...(reason && { reason }) },
    });
  } finally {
    // Without its log: the one file is the whole database.
    db.raw.pragma('journal_mode = DELETE');
    db.close();
  }
}

/** The name at the providers of the data that are there now; undefined: they have none, or cannot be read. */
function presentInstallation(dataDir: string): string | undefined {
  try {
    const db = openDb(paths.database(resolve(dataDir)), { busyTimeoutMs: 0, mustExist: true });
    try {
      return hasInstallationId(db) ? findInstallationId(db) : undefined;
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}
