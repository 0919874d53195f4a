/** The search for requests and customers (rules 10): by any part of what they are known by, kept up to date by the database. */
import { expect, test } from 'vitest';
import { change } from '../../../src/core/change.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { requestsByKey, findCustomers, findRequests } from '../../../src/core/requests/find-requests.js';
import { applyChange } from '../../../src/core/users/change-user.js';
import { requireUser } from '../../../src/db/users/users.js';
import type { RequestRow } from '../../../src/db/schema.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';

async function anOffice() {
  const app = await startApp();
  const hélène = await app.addUser({
    username: 'helene.lecoeur@clients.example.fr',
    firstName: 'Hélène',
    lastName: 'Lecœur-Dupont',
  });
  set(app, `UPDATE users SET phone = '+33612345678' WHERE id = ${hélène.id}`);
  const li = await app.addUser({ username: 'wei@example.org', firstName: 'Wei', lastName: 'Li' });
  const boiler = await app.addRequest(hélène, { title: 'Chaudière à réparer' });
  const roof = await app.addRequest(li, { title: 'The roof leaks' });
  set(app, `UPDATE equipments SET serialNumber = 'VX-00412-B' WHERE id = ${boiler.equipmentId}`);
  return { app, hélène, li, boiler, roof };
}

function set({ ctx }: TestApp, sql: string): void {
  ctx.db.raw.prepare(sql).run();
}

function found({ ctx }: TestApp, search: string): number[] {
  return findRequests(ctx, search, 50).rows.map(({ request }) => request.id);
}

test('a request is found by any part of what it and its customer are known by, in any spelling', async () => {
  const { app, boiler } = await anOffice();
  for (const words of [
    'hélène',
    'HELENE',
    'He\u0301le\u0300ne',
    'lecoeur',
    'LECŒUR',
    'dupon',
    'cœur-du',
    'helene dupont',
    'dupont, hélène',
    'clients.example',
    '@clients.example.fr',
    '+33612345678',
    '06 12 34 56 78',
    '06.12.34.56.78',
    '0612345678',
    '+33 (0)6 12 34 56 78',
    '0033612345678',
    '345678',
    '412-b',
    'vx-00412',
    'audier',
    'dupont chaudiere',
    'ch dup',
    'dup\0ont\0"',
  ]) {
    expect([words, found(app, words)]).toEqual([words, [boiler.id]]);
  }
  for (const words of [
    'dupond',
    'helene roof',
    'xdupont',
    '07 12 34 56 78',
    'é',
    '-',
    '" OR "',
    '\0',
    'dupond\0dupont',
    'x'.repeat(10_000),
    '-"NEAR(*'.repeat(1_000),
    'text:dup',
    '%',
  ]) {
    expect([words, found(app, words)]).toEqual([words, []]);
  }
});

test('one or two letters are the beginning of a word', async () => {
  const { app, roof } = await anOffice();
  expect(found(app, 'li')).toEqual([roof.id]);
  expect(found(app, 'w l')).toEqual([roof.id]);
  expect(found(app, 'ei')).toEqual([]);
});

test('what was changed is found as it is now, and no more as it was', async () => {
  const { app, hélène, boiler, roof } = await anOffice();
  const { ctx } = app;
  set(app, `UPDATE users SET lastName = 'Martin', phone = NULL WHERE id = ${hélène.id}`);
  set(app, `UPDATE equipments SET serialNumber = 'QQ-7' WHERE id = ${boiler.equipmentId}`);
  set(app, `UPDATE requests SET title = 'Pump' WHERE id = ${boiler.id}`);
  for (const gone of ['lecoeur-dupont', '345678', 'vx-00412', 'chaudiere'])
    expect([gone, found(app, gone)]).toEqual([gone, []]);
  for (const now of ['martin', 'qq-7', 'pump']) expect([now, found(app, now)]).toEqual([now, [boiler.id]]);
  expect(findCustomers(ctx, 'martin', 5).map(({ id }) => id)).toEqual([hélène.id]);
  expect(findCustomers(ctx, 'dupont', 5)).toEqual([]);

  set(app, `DELETE FROM requests WHERE id = ${roof.id}`);
  expect(found(app, 'roof')).toEqual([]);
  // Nothing stays behind in the index that is not in the tables.
  for (const words of ['requestWords', 'customerWords']) {
    set(app, `INSERT INTO ${words} (${words}, rank) VALUES ('integrity-check', 1)`);
  }
});

test('a customer is found without any request', async () => {
  const { app } = await anOffice();
  const { id } = await app.addUser({ username: 'zoe@example.org', firstName: 'Zoé', lastName: 'Ångström' });
  for (const words of ['zoe', 'angstrom', 'ZOE@EXAMPLE.ORG', 'zoe@']) {
    expect([words, findCustomers(app.ctx, words, 5).map((user) => user.id)]).toEqual([words, [id]]);
    expect(found(app, words)).toEqual([]);
  }
});

test('a command gets what the words name, the newest first; a key is never taken for a word', async () => {
  const { app, li, boiler, roof } = await anOffice();
  const named = (key: string) => requestsByKey(app.ctx, key).map((request: RequestRow) => request.id);
  const other = await app.addRequest(li, { title: `Number ${boiler.id}` });
  expect(named('dupont')).toEqual([boiler.id]);
  expect(named('wei')).toEqual([other.id, roof.id]);
  expect(named(String(boiler.id))).toEqual([boiler.id]);
  expect(named(`${boiler.createdAt.slice(0, 4)}/${boiler.id}`)).toEqual([boiler.id]);
  // A short number that is no request's is nobody's phone number either.
  expect(() => named('34567')).toThrow('No request matches “34567”.');
  expect(named('345678')).toEqual([boiler.id]);
  expect(() => named('nobody')).toThrow('No request matches “nobody”.');
});

test('a customer of many requests who corrects a name costs a few rows a request, not one a trigram', async () => {
  const { app, hélène, boiler } = await anOffice();
  const { db } = app.ctx;
  const many = 500;
  set(
    app,
    `WITH RECURSIVE many (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM many WHERE i < ${many})
      INSERT INTO requests (ownerId, equipmentId, title, description, status, statusSince, createdAt, updatedAt)
      SELECT ownerId, equipmentId, title, description, status, statusSince, createdAt, updatedAt FROM requests, many WHERE id = ${boiler.id}`,
  );
  const written = () => db.raw.prepare('SELECT total_changes()').pluck().get() as number;
  const before = written();
  await change(app.ctx, { actor: TESTER }, (tx) =>
    applyChange(tx, requireUser(tx.db, { id: hélène.id }), { lastName: 'Martin' }),
  );

  expect(found(app, 'martin')).toHaveLength(50);
  expect(written() - before).toBeLessThan(many * 10);
});

test('after an erasure nothing is left in the index, of earlier names neither', async () => {
  const { app, hélène, boiler } = await anOffice();
  const { ctx } = app;
  await cancelRequest(ctx, boiler.id, { actor: TESTER, reason: 'sold' });
  // As it stands in the blocks: the trigram without what it shares with the one before it.
  const held = () =>
    ['requestWords', 'customerWords'].map((words) =>
      ctx.db.raw
        .prepare(`SELECT count(*) FROM ${words}_data WHERE instr(block, ?) > 0`)
        .pluck()
        .get(Buffer.from('ŧŋ')),
    );
  set(app, `UPDATE users SET lastName = 'Ŋŧŋ' WHERE id = ${hélène.id}`);
  expect(held()).toEqual([1, 1]);
  set(app, `UPDATE users SET lastName = 'Martin' WHERE id = ${hélène.id}`);

  await eraseUser(ctx, hélène.id, { actor: TESTER, reason: 'asked' });

  expect(held()).toEqual([0, 0]);
});
