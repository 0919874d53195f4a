/** The schema is brought up whole or not at all, by one process at a time, and never down. */
import { describe, expect, test } from 'vitest';
import { SchemaError, migrate, missingMigrations } from '../../src/db/migrate.js';
import { MIGRATIONS, type Migration } from '../../src/db/migrations/index.js';
import { otherProcess } from '../support/other-process.js';
import type { Db } from '../../src/db/db.js';
import { findInstallationId } from '../../src/db/installation/installation.js';
import { listFailingRuns } from '../../src/db/installation/runs.js';
import type { ContractRow } from '../../src/db/schema.js';
import { aFile, open } from './support.js';

const version = (db: Db) => db.raw.pragma('user_version', { simple: true });
const tables = (db: Db) =>
  db.raw.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table'").get();

const ONE: Migration = {
  version: 1,
  name: '0001-one',
  sql: 'CREATE TABLE one (a); INSERT INTO one VALUES (1)',
};
const TWO: Migration = { version: 2, name: '0002-two', sql: 'ALTER TABLE one ADD COLUMN b DEFAULT 2' };
const BROKEN: Migration = { version: 3, name: '0003-broken', sql: 'CREATE TABLE three (a); SELECT nonsense' };

describe('the list of migrations', () => {
  test('is numbered from 1 without a gap, and each name begins with its number', () => {
    expect(MIGRATIONS.map(({ version: number }) => number)).toEqual(MIGRATIONS.map((_, i) => i + 1));
    for (const { name, version: number } of MIGRATIONS) expect(Number(name.slice(0, 4))).toBe(number);
  });
});

describe('migrate', () => {
  test('makes a new database whole, and finds nothing to do the second time', () => {
    const db = open(aFile());
    expect(migrate(db)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(version(db)).toBe(MIGRATIONS.length);
    const made = tables(db);
    expect(migrate(db)).toEqual([]);
    expect(tables(db)).toEqual(made);
    expect(db.raw.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  test('runs only what is missing, in order, and keeps what is there', () => {
    const db = open(aFile());
    migrate(db, { migrations: [ONE] });
    expect(missingMigrations(db, [ONE, TWO])).toEqual([TWO]);
    expect(migrate(db, { migrations: [ONE, TWO] })).toEqual(['0002-two']);
    expect(db.raw.prepare('SELECT * FROM one').all()).toEqual([{ a: 1, b: 2 }]);
  });

  test('refuses a database that a newer version has made, and leaves it as it is', () => {
    const db = open(aFile());
    migrate(db, { migrations: [ONE, TWO] });
    expect(() => migrate(db, { migrations: [ONE] })).toThrow(SchemaError);
    expect(() => migrate(db, { migrations: [ONE] })).toThrow(
      'has schema 2, this program knows schemas up to 1',
    );
    expect(version(db)).toBe(2);
  });

  test('that fails half-way leaves the old schema, version and all', () => {
    const db = open(aFile());
    migrate(db, { migrations: [ONE] });
    expect(() => migrate(db, { migrations: [ONE, TWO, BROKEN] })).toThrow('nonsense');
    expect(version(db)).toBe(1);
    expect(db.raw.prepare('SELECT * FROM one').all()).toEqual([{ a: 1 }]);
    expect(tables(db)).toEqual({ n: 1 });
    expect(db.raw.inTransaction).toBe(false);
    expect(migrate(db, { migrations: [ONE, TWO] })).toEqual(['0002-two']);
  });

  test('of two processes at once one does it, the other waits and finds nothing to do', async () => {
    const file = aFile();
    const db = open(file, 5_000);
    const other = otherProcess(
      `const db = new Database(args[0]);
       db.unsafeMode(true);
       db.exec('BEGIN IMMEDIATE');
       say('begun');
       await pause(150);
       db.exec(args[1]);
       db.pragma('user_version = ' + args[2]);
       db.exec('COMMIT');`,
      file,
      MIGRATIONS.map(({ sql }) => sql).join(';'),
      String(MIGRATIONS.length),
    );
    await other.hear();
    expect(migrate(db)).toEqual([]);
    expect(version(db)).toBe(MIGRATIONS.length);
  });

  test('keeps the rows when only the words of a constraint change, also for those who have the file open', () => {
    const file = aFile();
    const db = open(file);
    migrate(db, { migrations: MIGRATIONS.slice(0, 13) });
    const early = open(file);
    const add =
      "INSERT INTO jobs (kind, payload, state, runAt, createdAt) VALUES (?, '{}', 'available', '2026', '2026')";
    early.raw.prepare(add).run('send-mail');
    expect(migrate(db)).toContain('0014-cheaper-writes');
    for (const connection of [db, early, open(file)]) {
      expect(connection.raw.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(() => connection.raw.prepare(add).run('')).toThrow('CHECK constraint failed');
      connection.raw.prepare(add).run('send-mail');
    }
    expect(db.raw.prepare('SELECT count(*) AS n FROM jobs').get()).toEqual({ n: 4 });
    expect(() => db.raw.exec("UPDATE sqlite_schema SET sql = ''")).toThrow('may not be modified');
  });

  test('gives every contract a random key, and those from before keep the names under which the providers know them', () => {
    const files = [aFile(), aFile()];
    const found = files.map((file) => {
      const db = open(file);
      migrate(db, { migrations: MIGRATIONS.slice(0, 15) });
      db.raw.exec(`
        INSERT INTO users (id, username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
          VALUES (1, 'a@example.org', 'none', '', '', 'ROLE_USER', 1, '2026-03-02T09:14:07.250Z', '2026-03-02T09:14:07.250Z');
        INSERT INTO equipments (id, ownerId, name, model, serialNumber, createdAt, updatedAt)
          VALUES (1, 1, 'a', 'b', 'c', '2026-03-02T09:14:07.250Z', '2026-03-02T09:14:07.250Z');
        INSERT INTO requests (id, ownerId, equipmentId, title, description, status, createdAt, updatedAt)
          VALUES (1, 1, 1, 't', 'd', 'new', '2026-03-02T09:14:07.250Z', '2026-03-02T09:14:07.250Z');
        INSERT INTO contracts (id, requestId, status, amount, currency, createdAt, paymentGeneration)
          VALUES (6, 1, 'EXPIRED', 1, 'eur', '2026-03-02T09:14:07.250Z', 1), (7, 1, 'PENDING', 1, 'eur', '2026-03-02T09:14:07.250Z', 3);`);
      expect(migrate(db)).toContain('0016-identity');
      const contracts = db.raw.prepare('SELECT * FROM contracts ORDER BY id').all() as ContractRow[];
      expect(contracts).toMatchObject([
        { id: 6, externalId: 'contract-6', paymentKey: 'payment-6-1', signerEmail: null },
        { id: 7, externalId: 'contract-7', paymentKey: 'payment-7-3', signerEmail: null },
      ]);
      return [findInstallationId(db), ...contracts.map(({ key }) => key)];
    });
    for (const random of found.flat()) expect(random).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(found.flat()).size).toBe(6);
  });

  test('failures stored with a message only get the word or the code that rules decide by', () => {
    const db = open(aFile());
    migrate(db, { migrations: MIGRATIONS.slice(0, 22) });
    const add = db.raw.prepare(
      "INSERT INTO jobs (kind, payload, state, runAt, createdAt, lastError, errors) VALUES (?, '{}', 'available', '2026', '2026', ?, ?)",
    );
    const refused = 'the mail server m:25 answered RCPT TO: 550 no such mailbox';
    const busy = 'the mail server m:25 answered RCPT TO: 450 try later';
    const errors = (last: string) => [busy, last].map((error, i) => ({ attempt: i + 1, at: '2026', error }));
    for (const last of [refused, busy]) add.run('send-mail', last, JSON.stringify(errors(last)));
    add.run('send-mail', null, '[]');
    db.raw.exec(`INSERT INTO failingRuns (name, since, lastAt, times, error) VALUES
      ('backup', '2026', '2026', 1, 'EACCES: permission denied'), ('care', '2026', '2026', 1, 'no: luck')`);

    expect(migrate(db)).toContain('0023-typed-failures');

    const stored = db.raw.prepare('SELECT errors FROM jobs ORDER BY id').pluck().all() as string[];
    const [first, second] = errors(refused);
    expect(stored.map((json) => JSON.parse(json))).toEqual([
      [first, { ...second, reason: 'recipient_refused' }],
      errors(busy),
      [],
    ]);
    expect(listFailingRuns(db).map(({ name, code }) => [name, code])).toEqual(
      expect.arrayContaining([
        ['backup', 'EACCES'],
        ['care', null],
      ]),
    );
  });

  test('who holds a running job and a lock keeps the number that was stored', () => {
    const db = open(aFile());
    migrate(db, { migrations: MIGRATIONS.slice(0, 52) });
    db.raw.exec(`
      INSERT INTO jobs (kind, payload, state, runAt, createdAt, leaseUntil, leaseToken, leasePid)
        VALUES ('send-mail', '{}', 'running', '2026', '2026', '2026', 't', 4711);
      INSERT INTO locks (name, token, pid, until) VALUES ('request:1', 't', 4712, '2026')`);

    expect(migrate(db)).toContain('0053-holders');

    expect(db.raw.prepare('SELECT leaseHolder FROM jobs').pluck().get()).toBe('4711');
    expect(db.raw.prepare('SELECT holder FROM locks').pluck().get()).toBe('4712');
  });
});
