/**
 * Makes a new database of this version's schema, or migrates an older one to it, in one transaction; refuses one from a newer
 * version, or from before the first version whose databases are opened.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { messageOf } from './caught.js';
import type { Db } from './db.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';

/** The database is from a newer version, too old, or not ours. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

export interface Versions {
  /** Of the oldest databases that are opened. */
  first: number;
  /** From the one after that, without a gap. */
  migrations: readonly Migration[];
  /** What a new database is made from: as the migrations leave it. */
  whole: () => string;
}

const VERSIONS: Versions = {
  first: 49,
  migrations: MIGRATIONS,
  whole: () => readFileSync(createRequire(import.meta.url).resolve('#schema'), 'utf8'),
};

export interface MigrateOptions {
  versions?: Versions;
  /** Called under the lock before the first migration of a database that is not new; a throw stops everything. */
  backUp?: (next: Migration) => void;
}

/** Runs what is missing and returns the names. A failure leaves the old schema. */
export function migrate(db: Db, { versions = VERSIONS, backUp }: MigrateOptions = {}): string[] {
  const { raw } = db;
  // Immediate, with the version read inside, so that of two processes starting at once the second finds nothing to do.
  return raw
    .transaction(() => {
      const missing = missingMigrations(db, versions);
      const [next] = missing;
      if (next && versionOf(db) > 0) backUp?.(next);
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

/** Migrations that have not run yet, in order; of a new database the schema as a whole. */
export function missingMigrations(db: Db, { first, migrations, whole }: Versions = VERSIONS): Migration[] {
  const version = versionOf(db);
  const newest = migrations.at(-1)?.version ?? first;
  if (version === 0) return [{ version: newest, name: 'schema', sql: whole() }];
  if (version < first) {
    throw new SchemaError(
      `The database has schema ${version}, and this program opens schemas from ${first} on: no released version has made it.`,
    );
  }
  if (version > newest) {
    throw new SchemaError(
      `The database has schema ${version}, this program knows schemas up to ${newest}: it was made by a newer version. ` +
        'Install that version again, or restore a backup from before the upgrade.',
    );
  }
  return migrations.filter((migration) => migration.version > version);
}

/** 0: a new database. */
export function versionOf(db: Db): number {
  return db.pragma('user_version');
}
