/** Filters and orders of the other collections, declared in src/server/api/collections.ts. */
import { expect, test } from 'vitest';
import { CONTRACTS, EQUIPMENTS, REQUESTS } from '../../src/server/api/collections.js';
import { anEquipment, aRequest, startApp, type Caller, type TestApp } from './support.js';

async function ids(caller: Caller, path: string): Promise<string> {
  const { json } = await caller('GET', path);
  const found = [...json['hydra:member']];
  expect(json['hydra:totalItems']).toBe(found.length);
  return found.map((each) => each['id']).join('');
}

/** Contracts 1 (expired) and 2 (pending) of request 1, and 3 (pending) of request 2, an hour apart. */
async function threeContracts(app: TestApp): Promise<Caller> {
  const anna = await app.as('anna@example.org');
  await aRequest(anna);
  await aRequest(anna);
  app.ctx.db.raw.exec(`
    INSERT INTO contracts (requestId, status, amount, currency, createdAt) VALUES
      (1, 'EXPIRED', 1, 'eur', '2026-03-02T09:00:00.250Z'),
      (1, 'PENDING', 1, 'eur', '2026-03-02T10:00:00.250Z'),
      (2, 'PENDING', 1, 'eur', '2026-03-02T11:00:00.250Z');
  `);
  return anna;
}

test('contracts are found by status, request and time of creation, in either order', async () => {
  const app = startApp();
  const anna = await threeContracts(app);
  const admin = await app.as('admin@example.org');
  for (const [query, found] of CONTRACT_QUERIES) {
    expect.soft(await ids(anna, `/api/contracts${query}`), query).toBe(found);
    expect.soft(await ids(admin, `/api/contracts${query}`), query).toBe(found);
  }
  expect(await ids(await app.as('ben@example.org'), '/api/contracts?request=1')).toBe('');
});

const CONTRACT_QUERIES: [string, string][] = [
  ['', '123'],
  ['?order[createdAt]=DESC', '321'],
  ['?status=pending', '23'],
  ['?status[]=PENDING&status[]=EXPIRED', '123'],
  ['?status=done', ''],
  ['?request=1', '12'],
  ['?request=/api/requests/2', '3'],
  ['?request=/api/contracts/2', ''],
  ['?createdAt[after]=2026-03-02T10:00:00Z', '23'],
  ['?createdAt[strictly_before]=2026-03-02T10:00:00Z', '1'],
  ['?status=pending&request=1&createdAt[after]=2026-03-02', '2'],
];

test('equipments come in the order of their ids, or of their names when that is asked for', async () => {
  const app = startApp();
  const anna = await app.as('anna@example.org');
  for (let i = 0; i < 3; i += 1) await anEquipment(anna);
  app.ctx.db.raw.exec("UPDATE equipments SET name = 'A' WHERE id = 3");
  const admin = await app.as('admin@example.org');

  for (const caller of [anna, admin]) {
    expect(await ids(caller, '/api/equipments')).toBe('123');
    expect(await ids(caller, '/api/equipments?order[name]=asc')).toBe('312');
    expect(await ids(caller, '/api/equipments?order[name]=desc')).toBe('213');
    expect(await ids(caller, '/api/equipments?order[model]=desc&order[name]=up')).toBe('123');
  }
});

test('what hydra:search tells is what the declaration says', async () => {
  const anna = await startApp().as('anna@example.org');
  for (const { path, parameters } of [REQUESTS, CONTRACTS, EQUIPMENTS]) {
    const { json } = await anna('GET', path);
    const names = [...(json['hydra:search']?.['hydra:mapping'] ?? [])].map((each) => each['variable']);
    expect(names).toEqual(parameters.map(({ name }) => name));
  }
});

test('a page that was just sent is sent anew after any change, and never to somebody else', async () => {
  const app = startApp();
  const [anna, ben, admin] = [
    await app.as('anna@example.org'),
    await app.as('ben@example.org'),
    await app.as('admin@example.org'),
  ];
  expect([await ids(anna, '/api/requests'), await ids(ben, '/api/requests')]).toEqual(['', '']);
  await aRequest(anna);
  expect([await ids(anna, '/api/requests'), await ids(ben, '/api/requests')]).toEqual(['1', '']);
  expect(await ids(admin, '/api/v1/requests')).toBe('1');
  expect(await ids(admin, '/api/requests?status=new')).toBe('1');

  await admin('PATCH', '/api/requests/1', {
    body: { status: 'in_progress' },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  expect(await ids(admin, '/api/requests?status=new')).toBe('');
  const asked = { headers: { Accept: 'application/json' } };
  expect((await admin('GET', '/api/requests', asked)).headers.get('Content-Type')).toContain(
    'application/json',
  );
  await anna('DELETE', '/api/requests/1');
  expect([await ids(anna, '/api/requests'), await ids(admin, '/api/v1/requests')]).toEqual(['', '']);
});
