/** Copies the database automatically before its schema changes. */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SchemaError } from '../../db/migrate.js';
import type { Migration } from '../../db/migrations/index.js';
import { copyDatabase } from '../../db/installation/snapshot.js';
import { paths } from '../installation/paths.js';
import { syncNow } from '../installation/sync-directory.js';
import { messageOf } from '../../db/caught.js';

const KEEP = 3;
const OURS = /^before-migration-(\d+)\.db$/;

/**
 * Writes `backups/before-migration-N.db`, where N is the first migration to run, and keeps the last three. The caller
 * holds the write lock.
 */
export function backUpBeforeMigration(dataDir: string, { version, name }: Migration): string {
  const directory = paths.backups(dataDir);
  const file = join(directory, `before-migration-${version}.db`);
  const draft = `${file}.tmp`;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o750 });
    // Left by a crash.
    rmSync(draft, { force: true });
    copyDatabase(paths.database(dataDir), draft);
    chmodSync(draft, 0o640);
    syncNow(draft);
    renameSync(draft, file);
    syncNow(directory);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft);
    throw new SchemaError(
      `The database could not be copied to ${file} before migration ${name} (${messageOf(error)}). Nothing was changed.`,
      { cause: error },
    );
  }
  for (const old of copies(directory).slice(0, -KEEP)) rmSync(join(directory, old), { force: true });
  return file;
}

/** Oldest first. */
function copies(directory: string): string[] {
  const number = (name: string) => Number(OURS.exec(name)?.[1]);
  return readdirSync(directory)
    .filter((name) => OURS.test(name))
    .toSorted((a, b) => number(a) - number(b));
}
