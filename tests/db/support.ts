/** A database of ours in a fresh file, closed with the test. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Db } from '../../src/db/db.js';
import { migrate } from '../../src/db/migrate.js';
import { openDb } from '../../src/db/open.js';
import { temporaryDirectory } from '../support/app.js';

export function aFile(): string {
  return join(temporaryDirectory(), 'esign.db');
}

export function open(file: string, busyTimeoutMs = 0): Db {
  const db = openDb(file, { busyTimeoutMs });
  onTestFinished(() => {
    if (db.raw.open) db.close();
  });
  return db;
}

/** For tests of what SQLite itself does with the schema: no file, hence no waiting for the disk. */
export function inMemory(): Db {
  const db = open(':memory:');
  migrate(db);
  return db;
}

export function aDatabase(): { db: Db; file: string } {
  const file = aFile();
  const db = open(file);
  migrate(db);
  return { db, file };
}
