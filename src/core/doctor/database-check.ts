/** The database: there, of this version's schema, and whole. */
import { existsSync } from 'node:fs';
import { missingMigrations, SchemaError } from '../../db/migrate.js';
import { openDb } from '../../db/open.js';
import { quickCheck } from '../../db/snapshot.js';
import { databaseTrouble, type DatabaseTrouble } from '../../db/trouble.js';
import type { Config } from '../config.js';
import { describeError } from '../errors.js';
import { paths } from '../paths.js';
import { failed, ok, warning, type Check } from './check.js';
import { checkUpkeep } from './upkeep-checks.js';

const NAME = 'database';
const BUSY_MS = 2_000;

/** With what it tells about the upkeep, where it can be read. */
export async function checkDatabase(
  config: Config,
  isDaemonRunning: boolean,
  cut?: AbortSignal,
): Promise<Check[]> {
  const { dataDir } = config;
  const file = paths.database(dataDir);
  if (!existsSync(file))
    return [warning(NAME, 'there is no database yet', 'esignd makes it when it starts.')];
  try {
    const db = openDb(file, { busyTimeoutMs: BUSY_MS });
    try {
      const missing = missingMigrations(db).length;
      if (missing > 0) return [failed(NAME, `it lacks ${missing} migration(s)`, 'Run: esignctl migrate')];
      const found = await quickCheck(file, cut);
      if (found !== 'ok') return [failed(NAME, `it is damaged: ${found}`, MENDS.damaged)];
      const whole = ok(NAME, 'it is whole, its schema is of this version');
      return [whole, ...checkUpkeep(config, db, isDaemonRunning)];
    } finally {
      db.close();
    }
  } catch (error) {
    cut?.throwIfAborted();
    return [failed(NAME, describeError(error), mendOf(error))];
  }
}

/** A restore is advised only where the data themselves are at fault. */
const MENDS: Readonly<Record<DatabaseTrouble, string>> = {
  damaged: 'Stop esignd and put a backup in its place: esignctl restore FILE',
  busy: 'Another process holds it. Try again in a moment.',
  read_only: 'Let the user of the service write to it and to its directory. Nothing is wrong with the data.',
  not_permitted:
    'Run this as the user of the service, or give that user the directory. Nothing is wrong with the data.',
  full: 'Make room on its disk. Nothing is wrong with the data.',
  unreadable:
    'Look at the disk (dmesg, smartctl) before anything else, then restore a backup onto a good one.',
};

function mendOf(error: unknown): string {
  if (error instanceof SchemaError) return 'Install the version of esignd that made it.';
  const trouble = databaseTrouble(error);
  return trouble ? MENDS[trouble] : 'Look into the log of esignd.';
}
