/** Upgrade: the database is copied before its schema changes, once, and a failure leaves everything as it was. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { backUpBeforeMigration } from '../../../src/core/backup/before-migration.js';
import { initData } from '../../../src/core/installation/init.js';
import { migrateData } from '../../../src/core/installation/migrate.js';
import type { Config } from '../../../src/core/settings/config.js';
import { migrate, SchemaError } from '../../../src/db/migrate.js';
import { MIGRATIONS } from '../../../src/db/migrations/index.js';
import { openDb } from '../../../src/db/open.js';
import { temporaryDirectory, TESTER } from '../../support/app.js';
import { OLD, oldData } from '../../support/old-data.js';

const BY_HAND = { actor: TESTER };
const NEWEST = MIGRATIONS.at(-1)?.version;

/** A data directory that an earlier version has made and used. */
function anOldDirectory() {
  const dataDir = oldData("INSERT INTO counters VALUES ('before', 7)");
  return {
    dataDir,
    config: { dataDir } as Config,
    copies: () => readdirSync(join(dataDir, 'backups')).sort(),
  };
}

function inside(file: string) {
  const db = new Database(file, { readonly: true });
  try {
    return {
      version: db.pragma('user_version', { simple: true }),
      counter: db.prepare("SELECT value FROM counters WHERE name = 'before'").pluck().get(),
    };
  } finally {
    db.close();
  }
}

test('before the schema changes the database is copied; afterwards nothing is', () => {
  const { dataDir, config, copies } = anOldDirectory();
  const file = join(dataDir, 'backups', `before-migration-${OLD + 1}.db`);
  expect(migrateData(config, BY_HAND)).toMatchObject({ backup: file, schema: NEWEST });
  expect(inside(file)).toEqual({ version: OLD, counter: 7 });
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(inside(join(dataDir, 'esign.db'))).toEqual({ version: NEWEST, counter: 7 });
  rmSync(file);
  expect(migrateData(config, BY_HAND)).toMatchObject({ applied: [], backup: null });
  expect(copies()).toEqual([]);
});

test('a new database and a dry run need no copy', () => {
  const dataDir = temporaryDirectory();
  initData(dataDir);
  expect(readdirSync(dataDir)).not.toContain('backups');
  const old = anOldDirectory();
  expect(migrateData(old.config, { ...BY_HAND, dryRun: true })).toMatchObject({ backup: null, schema: OLD });
  expect(readdirSync(old.dataDir)).not.toContain('backups');
});

test('a migration that fails leaves the old schema, says which it was, and the next start tries again', () => {
  const { dataDir } = anOldDirectory();
  const db = openDb(join(dataDir, 'esign.db'), { busyTimeoutMs: 0 });
  const whole = { version: OLD + 1, name: '0050-whole', sql: 'CREATE TABLE whole (a)' };
  const broken = { version: OLD + 2, name: '0051-broken', sql: 'CREATE TABLE half (a); SELECT nonsense' };
  const versions = { first: OLD, migrations: [whole, broken], whole: () => '' };
  const backUp = (next: (typeof MIGRATIONS)[number]) => void backUpBeforeMigration(dataDir, next);
  for (let i = 0; i < 2; i += 1) {
    expect(() => migrate(db, { versions, backUp })).toThrow(
      /^Migration 0051-broken failed \(no such column: nonsense\)\. The database is as it was before/,
    );
    expect(db.raw.pragma('user_version', { simple: true })).toBe(OLD);
    expect(inside(join(dataDir, 'backups', `before-migration-${OLD + 1}.db`)).version).toBe(OLD);
  }
  db.close();
});

test('without a place for the copy nothing is changed', () => {
  const { dataDir, config } = anOldDirectory();
  writeFileSync(join(dataDir, 'backups'), 'a file in the way');
  expect(() => migrateData(config, BY_HAND)).toThrow(SchemaError);
  expect(() => migrateData(config, BY_HAND)).toThrow('Nothing was changed.');
  expect(inside(join(dataDir, 'esign.db')).version).toBe(OLD);
});

test('the last three copies are kept; other files are not touched', () => {
  const { dataDir, config, copies } = anOldDirectory();
  mkdirSync(join(dataDir, 'backups'));
  for (const name of ['before-migration-2.db', 'before-migration-3.db', 'before-migration-4.db', 'mine.db'])
    writeFileSync(join(dataDir, 'backups', name), '');
  // Of a copy that a crash cut short.
  writeFileSync(join(dataDir, 'backups', `before-migration-${OLD + 1}.db.tmp`), 'half');
  migrateData(config, BY_HAND);
  expect(copies()).toEqual([
    'before-migration-3.db',
    'before-migration-4.db',
    `before-migration-${OLD + 1}.db`,
    'mine.db',
  ]);
});
