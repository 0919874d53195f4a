/** A data directory that an earlier version has made. */
import { join } from 'node:path';
import { migrate } from '../../src/db/migrate.js';
import { MIGRATIONS } from '../../src/db/migrations/index.js';
import { openDb } from '../../src/db/open.js';
import { temporaryDirectory } from './app.js';

/** `schema`: its number; `sql`: what that version has stored. Returns the directory. */
export function oldData(schema = MIGRATIONS.length - 1, sql = ''): string {
  const dataDir = temporaryDirectory();
  const db = openDb(join(dataDir, 'esign.db'), { busyTimeoutMs: 0 });
  migrate(db, { migrations: MIGRATIONS.slice(0, schema) });
  db.raw.exec(sql);
  db.close();
  return dataDir;
}
