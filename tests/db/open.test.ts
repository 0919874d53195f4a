/** Every connection has the settings that the promises rest on. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDb } from '../../src/db/open.js';
import { startApp } from '../support/app.js';
import { otherProcess } from '../support/other-process.js';
import { aDatabase, aFile, open } from './support.js';

const pragma = (db: ReturnType<typeof openDb>, name: string) => db.raw.pragma(name, { simple: true });

test('the first connection and every other one sync at each commit, check foreign keys, use the WAL, and put no copy of a page into a temporary file', () => {
  const { db, file } = aDatabase();
  for (const connection of [db, open(file), open(file)]) {
    expect(pragma(connection, 'journal_mode')).toBe('wal');
    expect(pragma(connection, 'synchronous')).toBe(2);
    expect(pragma(connection, 'foreign_keys')).toBe(1);
    expect(pragma(connection, 'trusted_schema')).toBe(0);
    expect(pragma(connection, 'temp_store')).toBe(2);
  }
});

test('so has the connection of the service itself', async () => {
  const { ctx } = await startApp({ context: { busyTimeoutMs: 20 } });
  expect(pragma(ctx.db, 'synchronous')).toBe(2);
  expect(pragma(ctx.db, 'foreign_keys')).toBe(1);
  expect(pragma(ctx.db, 'journal_mode')).toBe('wal');
  expect(pragma(ctx.db, 'busy_timeout')).toBe(20);
});

test('foreign keys are not only switched on, they hold', () => {
  const { db } = aDatabase();
  const orphan = db.raw.prepare(
    "INSERT INTO equipments (ownerId, name, model, serialNumber, createdAt, updatedAt) VALUES (99, 'a', 'b', 'c', 'd', 'e')",
  );
  expect(() => orphan.run()).toThrow('FOREIGN KEY constraint failed');
});

test('a file that must exist is not made', () => {
  const file = aFile();
  expect(() => openDb(file, { busyTimeoutMs: 0, mustExist: true })).toThrow();
  expect(existsSync(file)).toBe(false);
});

test('what another process has committed is seen, and its coming is noticed', async () => {
  const { db, file } = aDatabase();
  const before = db.dataVersion();
  db.raw.prepare("INSERT INTO counters VALUES ('mine', 1)").run();
  expect(db.dataVersion()).toBe(before);
  const other = otherProcess(
    `new Database(args[0]).prepare("INSERT INTO counters VALUES ('theirs', 1)").run(); say('done')`,
    file,
  );
  expect(await other.hear()).toBe('done');
  expect(db.dataVersion()).not.toBe(before);
  expect(db.raw.prepare('SELECT count(*) AS n FROM counters').get()).toEqual({ n: 2 });
});

test('readers go on while another process writes', async () => {
  const { db, file } = aDatabase();
  const writing = open(file);
  writing.raw.exec("BEGIN IMMEDIATE; INSERT INTO counters VALUES ('a', 1)");
  expect(db.raw.prepare('SELECT count(*) AS n FROM counters').get()).toEqual({ n: 0 });
  writing.raw.exec('COMMIT');
  expect(db.raw.prepare('SELECT count(*) AS n FROM counters').get()).toEqual({ n: 1 });
});
