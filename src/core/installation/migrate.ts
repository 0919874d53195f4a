/** Brings the schema of a data directory up to date without opening anything else of it. */
import { migrate, missingMigrations, versionOf } from '../../db/migrate.js';
import { openDb } from '../../db/open.js';
import type { Migration } from '../../db/migrations/index.js';
import type { Try } from '../change.js';
import { backUpBeforeMigration } from '../backup/before-migration.js';
import { resumeSwap } from '../backup/swap.js';
import { iso, systemClock } from '../clock.js';
import type { Config } from '../settings/config.js';
import { record } from '../history/history.js';
import { refuseNoData, paths } from './paths.js';
import { refuseOtherInstallation } from './pinned.js';

export interface MigrationResult {
  /** Names of the migrations that ran (with `dryRun`: would run). */
  applied: string[];
  /** Where the previous database was copied to; null when nothing was changed. */
  backup: string | null;
  /** The schema's number now. */
  schema: number;
}

/** Throws `no_data`, `other_installation`, and a SchemaError for a database that is newer, or too old. */
export function migrateData(config: Config, { actor, reason, dryRun = false }: Try): MigrationResult {
  resumeSwap(config.dataDir);
  refuseNoData(config.dataDir);
  const db = openDb(paths.database(config.dataDir), { busyTimeoutMs: 10_000 });
  try {
    refuseOtherInstallation(db, config.dataDir, config.installation);
    let backup: string | null = null;
    const backUp = (next: Migration) => {
      backup = backUpBeforeMigration(config.dataDir, next);
    };
    const applied = dryRun ? missingMigrations(db).map(({ name }) => name) : migrate(db, { backUp });
    if (!dryRun && applied.length > 0) {
      const detail = { applied, ...(reason && { reason }) };
      const at = iso(systemClock.now());
      record(db, { at, actor, what: 'database.migrated', requestId: null, detail });
    }
    return { applied, backup, schema: versionOf(db) };
  } finally {
    db.close();
  }
}
