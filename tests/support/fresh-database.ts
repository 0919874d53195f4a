/** Databases of the newest schema, copied from one that was migrated once: to migrate each anew took longer than most tests. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { migrate } from '../../src/db/migrate.js';
import { openDb } from '../../src/db/open.js';

let template: Buffer | undefined;

/** Writes `file`, unless it is there. */
export function freshDatabase(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
  writeFileSync(file, freshBytes(), { mode: 0o640 });
}

/** Each is an installation of its own. */
function freshBytes(): Buffer {
  const raw = new Database((template ??= migrated()));
  raw.exec('UPDATE installation SET id = lower(hex(randomblob(8)))');
  const bytes = raw.serialize();
  raw.close();
  return bytes;
}

function migrated(): Buffer {
  const db = openDb(':memory:', { busyTimeoutMs: 0 });
  migrate(db);
  const bytes = db.raw.serialize();
  db.close();
  return bytes;
}
