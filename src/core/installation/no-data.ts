/** Whether a data directory has a database. One that is missing where it should be is an accident, not a start (rules 10). */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { command } from '../commands.js';
import { notFound } from '../errors.js';
import { paths } from './paths.js';

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
