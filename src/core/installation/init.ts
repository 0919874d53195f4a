/** Makes the first database of an installation (rules 10): on purpose, since an empty data directory may be an accident. */
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { openDb } from '../../db/open.js';
import { command } from '../commands.js';
import { refused } from '../errors.js';
import { openData } from './data.js';
import { hasDatabase, paths } from './paths.js';
import { installationOf } from './pinned.js';

export interface Initialised {
  directory: string;
  /** False: there was a database already; nothing was changed. */
  created: boolean;
  /** The id of the installation; null: the database is older than these. */
  installation: string | null;
}

/** Safe to call again. Throws `data_without_database` where contracts lie without one. */
export function initData(dataDir: string): Initialised {
  const created = !hasDatabase(dataDir);
  if (created && hasDataWithoutDatabase(dataDir))
    throw refused('data_without_database', `There are contracts in ${resolve(dataDir)}, but no database.`, [
      'It was lost. Bring all back from a copy: ',
      command('restore', 'FILE'),
    ]);
  const db = created
    ? openData(dataDir)
    : openDb(paths.database(dataDir), { busyTimeoutMs: 5_000, mustExist: true });
  try {
    return { directory: resolve(dataDir), created, installation: installationOf(db) ?? null };
  } finally {
    db.close();
  }
}

/** The database was lost, or its file system is another one than that of the files. */
export function hasDataWithoutDatabase(dataDir: string): boolean {
  const contracts = paths.contracts(dataDir);
  return !hasDatabase(dataDir) && existsSync(contracts) && readdirSync(contracts).length > 0;
}
