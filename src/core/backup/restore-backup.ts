/**
 * Replaces the present data with a backup and keeps the old data aside. Everything is first unpacked, verified and
 * migrated; then it is swapped in.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { newestContractId } from '../../db/contracts/contracts.js';
import { runningDaemonPid, takeDaemonLock, type DaemonLock } from '../../db/installation/daemon-lock.js';
import { putHold } from '../../db/installation/installation.js';
import { newestJobId } from '../../db/jobs/jobs.js';
import {
  deleteOpenPasswordLinks,
  deleteAllRefreshTokens,
  deleteAllSessions,
} from '../../db/users/log-ins.js';
import { voidAccessTokens } from '../../db/users/users.js';
import type { Db } from '../../db/db.js';
import { migrate } from '../../db/migrate.js';
import { closeForGood, openDb } from '../../db/open.js';
import type { Actor } from '../actor.js';
import { iso, type Clock } from '../clock.js';
import { contractOfFile, isContractPdf, sweepTemporaryFiles } from '../contracts/contract-files.js';
import { AppError, refused } from '../errors.js';
import { record } from '../history/history.js';
import { paths } from '../installation/paths.js';
import { refuseOthersBackup } from '../installation/pinned.js';
import { holderName } from '../installation/process.js';
import { DATABASE } from './manifest.js';
import { unpackCopy, type BackupReport } from './read-copy.js';
import { finishSwap, isSwapBegun, stagingOf, swapIn } from './swap.js';

export interface RestoreOptions {
  dataDir: string;
  installation?: string | undefined;
  /** A packed copy, or the directory of a snapshot. */
  file: string;
  clock: Clock;
  actor: Actor;
  reason?: string;
  /** Stops it until the swap begins; a swap is always finished. */
  signal?: AbortSignal;
}

export interface Restored extends BackupReport {
  /** Where the previous data is now. */
  aside: string;
}

/**
 * Throws `daemon_running`, `data_in_use`, `backup_damaged`, `other_installation`, or a SchemaError for data of a newer version:
 * nothing is changed.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o750 });
  const lock = lockAgainstDaemon(dataDir);
  const staging = stagingOf(dataDir);
  try {
    finishSwap(dataDir);
    await mkdir(staging, { mode: 0o700 });
    const report = await unpack(staging, options);
    refuseOthersBackup(report.installation, options.file, options.installation);
    const dropped = prepare(staging, options, report.madeAt);
    closeForGood(paths.database(dataDir), () => {
      throw new AppError('busy', 'data_in_use', 'Another program has this database open.', {
        hint: 'Wait until other commands are done, and stop whatever else reads this database, such as a program that replicates it. Then try again.',
      });
    });
    options.signal?.throwIfAborted();
    // Nothing else ever looks into the directory where the old data is kept. The lock is the daemon's.
    if (existsSync(paths.contracts(dataDir))) await sweepTemporaryFiles(dataDir, holderName('daemon'));
    const aside = await swapIn(dataDir, options.clock.now());
    return { ...report, pdfs: report.pdfs - dropped, aside };
  } finally {
    // An unfinished swap still needs it.
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
  // A backup may have neither; a data directory has both.
  await mkdir(paths.contracts(staging), { mode: 0o750 });
  await mkdir(paths.keys(staging), { mode: 0o700 });
  return unpackCopy(file, { directory: staging, signal });
}

/** How many PDFs were left out. Throws a SchemaError for a database that a newer version has made. */
function prepare(staging: string, { file, clock, actor, reason }: RestoreOptions, madeAt: string): number {
  const db = openDb(join(staging, DATABASE), { busyTimeoutMs: 0, mustExist: true });
  try {
    migrate(db);
    const dropped = dropLaterFiles(db, paths.contracts(staging));
    const now = iso(clock.now());
    endLogIns(db, now);
    putHold(db, { since: now, madeAt, lastJobId: newestJobId(db) });
    record(db, {
      at: now,
      actor,
      what: 'data.restored',
      requestId: null,
      detail: { file: resolve(file), madeAt, ...(reason && { reason }) },
    });
    return dropped;
  } finally {
    // Without a log, the single file is the whole database.
    db.raw.pragma('journal_mode = DELETE');
    db.close();
  }
}

/**
 * A backup is made while the service runs, its database first: it can hold files of contracts that were made after that. Their
 * numbers go to new contracts, of other customers. Returns how many PDFs of contracts are dropped.
 */
function dropLaterFiles(db: Db, directory: string): number {
  const newest = newestContractId(db);
  const later = readdirSync(directory).filter((name) => (contractOfFile(name) ?? 0) > newest);
  for (const name of later) rmSync(join(directory, name));
  return later.filter(isContractPdf).length;
}

/** What was used, revoked or voided since the backup would count again: links, sessions, tokens of both kinds. */
function endLogIns(db: Db, now: string): void {
  deleteOpenPasswordLinks(db, { now });
  deleteAllSessions(db);
  deleteAllRefreshTokens(db);
  // By the clock, so that no life of this data, however often it was restored, had these versions before.
  voidAccessTokens(db, { version: Math.floor(Date.parse(now) / 1000) });
}
