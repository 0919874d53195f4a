/** The database exists, has this version's schema, and is whole. */
import { statSync } from 'node:fs';
import type { Db } from '../../db/db.js';
import { missingMigrations, SchemaError } from '../../db/migrate.js';
import { openDb } from '../../db/open.js';
import { quickCheck } from '../../db/installation/snapshot.js';
import { databaseTrouble, type DatabaseTrouble } from '../../db/installation/trouble.js';
import type { Config } from '../settings/config.js';
import { command, type Advice } from '../commands.js';
import { AppError, describeError } from '../errors.js';
import { refuseOtherFiles } from '../installation/data-files.js';
import { hasDatabase } from '../installation/no-data.js';
import { paths } from '../installation/paths.js';
import { refuseOtherInstallation } from '../installation/pinned.js';
import { failed, ok, partlyOk, warning, type Check, type Extent } from './check.js';
import { checkUpkeep } from './upkeep-checks.js';

const NAME = 'database';
const BUSY_MS = 2_000;
const MEGABYTE = 1024 * 1024;
/** So much is always read through. */
/** A large database is read for so long, unless everything is looked at. */
const READING_MS_MAX = 1_500;
const SMALL_BYTES = 64 * MEGABYTE;

/** Opens the database for `look` alone; undefined when there is none. */
export async function withDatabase<T>(
  { dataDir }: Config,
  look: (db: Db) => Promise<T>,
): Promise<T | undefined> {
  refuseOtherFiles(dataDir);
  if (!hasDatabase(dataDir)) return undefined;
  const db = openDb(paths.database(dataDir), { busyTimeoutMs: BUSY_MS });
  try {
    return await look(db);
  } finally {
    db.close();
  }
}

interface Reading extends Extent {
  readingMsMax?: number;
}

/** Includes the upkeep checks if it can be read. */
export async function checkDatabase(
  config: Config,
  isDaemonRunning: boolean,
  extent: Reading = { isFull: false },
  cut?: AbortSignal,
): Promise<Check[]> {
  const look = async (db: Db): Promise<Check[]> => {
    refuseOtherInstallation(db, config.dataDir, config.installation);
    const missing = missingMigrations(db).length;
    if (missing > 0) return [failed(NAME, `migrations missing: ${missing}`, ['Run: ', command('migrate')])];
    const read = await readThrough(config, extent, cut);
    return read.state === 'failed'
      ? [read]
      : [read, ...(await checkUpkeep(config, db, isDaemonRunning, extent, cut))];
  };
  try {
    const none = warning(NAME, 'there is no database', [
      'Is its file system mounted? In a new installation: ',
      command('init'),
    ]);
    return (await withDatabase(config, look)) ?? [none];
  } catch (error) {
    cut?.throwIfAborted();
    return [failed(NAME, describeError(error), fixOf(error))];
  }
}

async function readThrough(
  { dataDir }: Config,
  { isFull, readingMsMax = READING_MS_MAX }: Reading,
  signal: AbortSignal | undefined,
): Promise<Check> {
  const file = paths.database(dataDir);
  const { size } = statSync(file);
  const msMax = isFull || size <= SMALL_BYTES ? undefined : readingMsMax;
  const found = await quickCheck(file, { signal, msMax });
  if (found === 'ok') return ok(NAME, 'undamaged, with the schema of this version');
  if (found !== 'unfinished') return failed(NAME, `it is damaged: ${found}`, FIXES.damaged);
  const megabytes = Math.round(size / MEGABYTE).toLocaleString('en');
  return partlyOk(
    NAME,
    `it has the schema of this version; ${readingMsMax / 1000} s of reading found no damage, but are not enough for all of its ${megabytes} MB`,
  );
}

/** Advises a restore only when the data themselves are damaged. */
const FIXES: Readonly<Record<DatabaseTrouble, Advice>> = {
  damaged: ['Stop esignd and put a backup in its place: ', command('restore', 'FILE')],
  busy: 'Another process is using it. Try again in a moment.',
  read_only: 'Let the service’s user write to it and to its directory. The data is undamaged.',
  not_permitted: 'Run this as the service’s user, or give that user the directory. The data is undamaged.',
  full: 'Free some space on its disk. The data is undamaged.',
  unreadable:
    'Look at the disk (dmesg, smartctl) before anything else, then restore a backup onto a good one.',
};

function fixOf(error: unknown): Advice {
  if (error instanceof AppError && error.hint) return error.hint;
  if (error instanceof SchemaError) return 'Install the version of esignd that made it.';
  const trouble = databaseTrouble(error);
  return trouble ? FIXES[trouble] : 'See the log of esignd.';
}
