/** Brings a database to the schema of this version, in one transaction, and refuses one that a newer version has made. */
import type { Db } from './db.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';

/** The database was made by a newer version of this program, or is no database of ours. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

export interface MigrateOptions {
  migrations?: readonly Migration[];
  /** Called under the lock, before the first migration changes a database that holds something; a throw stops it all. */
  backUp?: (next: Migration) => void;
}

/** Runs the migrations that are missing; returns their names. All or none: a failure leaves the old schema. */
export function migrate(db: Db, { migrations = MIGRATIONS, backUp }: MigrateOptions = {}): string[] {
  const { raw } = db;
  // Immediate, and the version is read inside: of two processes that start at once the second finds nothing to do.
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
    // For those that change the text of a constraint: SQLite's shield of its own tables is off for as long.
    raw.unsafeMode(true);
    raw.exec(sql);
    raw.pragma(`user_version = ${version}`);
  } catch (error) {
    throw new SchemaError(
      `Migration ${name} failed (${(error as Error).message}). The database is as it was before: install the earlier version again.`,
      { cause: error },
    );
  } finally {
    raw.unsafeMode(false);
  }
}

/** The migrations that have not run yet, in order. */
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

/** False for a database from before installations had an id. */
export function hasInstallationId(db: Db): boolean {
  return db.raw.prepare("SELECT 1 FROM sqlite_master WHERE name = 'installation'").get() !== undefined;
}
