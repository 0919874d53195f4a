/** The data directory, opened. Reading needs no more than this; openContext adds everything that acts. */
import { chmodSync, mkdirSync } from 'node:fs';
import { codeOf } from '../../db/caught.js';
import type { Db } from '../../db/db.js';
import { migrate, missingMigrations, versionOf } from '../../db/migrate.js';
import { openDb } from '../../db/open.js';
import { command } from '../commands.js';
import { backUpBeforeMigration } from '../backup/before-migration.js';
import { resumeSwap } from '../backup/swap.js';
import type { Clock } from '../clock.js';
import type { Config } from '../settings/config.js';
import { AppError } from '../errors.js';
import { refuseOtherFiles } from './data-files.js';
import { refuseNoData, paths } from './paths.js';
import { refuseOtherInstallation } from './pinned.js';

/** What a use-case that only reads needs; every Context is one. */
export interface Data {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Db;
}

export interface DataOptions {
  /** How long a statement may block this process while another holds the lock, once everything is open. */
  busyTimeoutMs?: number;
  /** Bring the schema up to date (the daemon, `esignctl migrate`); else a database that lacks a migration is refused. */
  migrate?: boolean;
  /** Whose data it must be; unset: anybody's. */
  installation?: string | undefined;
  /** Do not create a database: a wrong directory must be an error. */
  mustExist?: boolean;
}

/** How long opening may wait for another process that migrates the same database. */
const OPENING_MS_MAX = 10_000;

/**
 * Opens the database of a data directory and creates it if needed. Throws `no_data` with `mustExist`, and `other_installation`
 * before it changes anything.
 */
export function openData(dataDir: string, options: DataOptions = {}): Db {
  resumeSwap(dataDir);
  refuseOtherFiles(dataDir);
  if (options.mustExist) refuseNoData(dataDir);
  prepareDataDir(dataDir);
  const db = openDb(paths.database(dataDir), { busyTimeoutMs: OPENING_MS_MAX });
  try {
    refuseOtherInstallation(db, dataDir, options.installation);
    bringSchemaUp(db, dataDir, options.migrate ?? false);
    db.raw.pragma(`busy_timeout = ${options.busyTimeoutMs ?? 5_000}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepareDataDir(dataDir: string): void {
  for (const dir of [dataDir, paths.contracts(dataDir)]) mkdirSync(dir, { recursive: true, mode: 0o750 });
  mkdirSync(paths.keys(dataDir), { recursive: true, mode: 0o700 });
}

function bringSchemaUp(db: Db, dataDir: string, mayMigrate: boolean): void {
  if (mayMigrate || versionOf(db) === 0) {
    migrate(db, { backUp: (next) => void backUpBeforeMigration(dataDir, next) });
    for (const suffix of ['', '-wal', '-shm']) chmodIfThere(db.raw.name + suffix, 0o640);
    return;
  }
  const missing = missingMigrations(db);
  if (missing.length > 0) {
    throw new AppError('invalid', 'wrong_schema', `The database lacks ${missing.length} migration(s).`, {
      hint: ['Run `', command('migrate'), '`, or start esignd, which does it.'],
    });
  }
}

function chmodIfThere(file: string, mode: number): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
