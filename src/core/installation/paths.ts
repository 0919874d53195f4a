/** Where things lie below the data directory (setting `ESIGN_DATA_DIR`). */
import { join, resolve } from 'node:path';
import { statSync } from 'node:fs';
import { command } from '../commands.js';
import { notFound } from '../errors.js';

export const paths = {
  database: (dataDir: string) => join(dataDir, 'esign.db'),
  /** Drafts and signed contracts. */
  contracts: (dataDir: string) => join(dataDir, 'contracts'),
  /** Copies of the database from before its schema changed. */
  backups: (dataDir: string) => join(dataDir, 'backups'),
  /** Archives on their way to a browser. */
  exports: (dataDir: string) => join(dataDir, 'exports'),
  /** Secrets made by the service itself. */
  keys: (dataDir: string) => join(dataDir, 'keys'),
};

// Whether a data directory has a database. One that is missing where it should be is an accident, not a start (rules 10).

/** An empty file is none: a copy that failed, or a repaired file system, leaves such files. */
export function hasDatabase(dataDir: string): boolean {
  return (statSync(paths.database(dataDir), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Throws `no_data`. */
export function refuseNoData(dataDir: string): void {
  if (hasDatabase(dataDir)) return;
  throw notFound('no_data', `There is no database in ${resolve(dataDir)}.`, [
    'Name the right directory by ESIGN_DATA_DIR or --env-file, and look whether its file system is mounted. `',
    command('init'),
    '` makes the first database.',
  ]);
}
