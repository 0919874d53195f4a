/** Migrates a database to this version's schema in one transaction, and refuses one from a newer version. */
import { messageOf } from './caught.js';
import type { Db } from './db.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';

/** The database is from a newer version, or not ours. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

export interface MigrateOptions {
  migrations?: readonly Migration[];
  /** Called under the lock before the first migration of a non-empty database; a throw stops everything. */
  backUp?: (next: Migration) => void;
}

/** Runs the missing migrations and returns their names. A failure leaves the old schema. */
export function migrate(db: Db, { migrations = MIGRATIONS, backUp }: MigrateOptions = {}): string[] {
  const { raw } = db;
  // Immediate, with the version read inside, so that of two processes starting at once the second finds nothing to do.
  return raw
    .transaction(() => {
      const missing = missingMigrations(db, migrations);
      const [next] = missing;
      if (next && next.version > 1) backUp?.(next);
      for (const migration of missing) run(db, migration);
      return missing.map(({ name }) => name);
    })
    .immediate();
}

function run({ raw }: Db, { name, sql, version }: Migration): void {
  try {
    // Some migrations change the text of a constraint, for which SQLite's protection of its own tables must be off.
    raw.unsafeMode(true);
    raw.exec(sql);
    raw.pragma(`user_version = ${version}`);
  } catch (error) {
    throw new SchemaError(
      `Migration ${name} failed (${messageOf(error)}). The database is as it was before: install the earlier version again.`,
      { cause: error },
    );
  } finally {
    raw.unsafeMode(false);
  }
}

/** Migrations that have not run yet, in order. */
export function missingMigrations(db: Db, migrations: readonly Migration[] = MIGRATIONS): Migration[] {
  const version = db.raw.pragma('user_version', { simple: true }) as number;
  const newest = migrations.at(-1)?.version ?? 0;
  if (version > newest) {
    throw new SchemaError(
      `The database has schema ${version}, this program knows schemas up to ${newest}: it was made by a newer version. ` +
        'Install that version again, or restore a backup from before the upgrade.',
    );
  }
  return migrations.filter((migration) => migration.version > version);
}

/** False for a database older than installation ids. */
export function hasInstallationId(db: Db): boolean {
  return db.raw.prepare("SELECT 1 FROM sqlite_master WHERE name = 'installation'").get() !== undefined;
}
