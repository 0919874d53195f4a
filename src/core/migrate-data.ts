/** Brings the schema of a data directory up to date without opening anything else of it. */
import { mkdirSync } from 'node:fs';
import { migrate, missingMigrations } from '../db/migrate.js';
import { openDb } from '../db/open.js';
import { takeUpSwap } from './backup/swap.js';
import type { Config } from './config.js';
import { paths } from './paths.js';

export interface MigrationResult {
  /** Names of the migrations that ran (with `dryRun`: would run). */
  applied: string[];
  /** The schema's number now. */
  schema: number;
}

/** Throws a SchemaError for a database that a newer version has made. */
export function migrateData(config: Config, { dryRun = false }: { dryRun?: boolean } = {}): MigrationResult {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o750 });
  takeUpSwap(config.dataDir);
  const db = openDb(paths.database(config.dataDir), { busyTimeoutMs: 10_000 });
  try {
    const applied = dryRun ? missingMigrations(db).map(({ name }) => name) : migrate(db);
    return { applied, schema: db.raw.pragma('user_version', { simple: true }) as number };
  } finally {
    db.close();
  }
}
