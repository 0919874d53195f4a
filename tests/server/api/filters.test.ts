/** Filters and orders of the other collections, declared with their resources. */
import { expect, test } from 'vitest';
import { surveyOf } from '../../../src/server/api/docs/survey.js';
import { anEquipment, aRequest, startApi, type Caller, type TestApi } from '../support.js';

async function ids(caller: Caller, path: string): Promise<string> {
  const { json } = await caller('GET', path);
  const found = [...json['hydra:member']];
  expect(json['hydra:totalItems']).toBe(found.length);
  return found.map((each) => each['id']).join('');
}

/** Contracts 1 (expired) and 2 (pending) of request 1, and 3 (pending) of request 2, an hour apart. */
async function threeContracts(app: TestApi): Promise<Caller> {
  const anna = await app.as('anna@example.org');
  await aRequest(anna);
  await aRequest(anna);
  app.ctx.db.raw.exec(`
    INSERT INTO contracts (key, externalId, requestId, status, amount, currency, createdAt) VALUES
      ('0000000000000001', 'contract-1', 1, 'EXPIRED', 1, 'eur', '2026-03-02T09:00:00.250Z'),
      ('0000000000000002', 'contract-2', 1, 'PENDING', 1, 'eur', '2026-03-02T10:00:00.250Z'),
      ('0000000000000003', 'contract-3', 2, 'PENDING', 1, 'eur', '2026-03-02T11:00:00.250Z');
  `);
  return anna;
}

test('contracts are found by status, request and time of creation, in either order', async () => {
  const app = startApi();
  const anna = await threeContracts(app);
  const admin = await app.as('admin@example.org');
  for (const [query, found] of CONTRACT_QUERIES) {
    expect.soft(await ids(anna, `/api/contracts${query}`), query).toBe(found);
    expect.soft(await ids(admin, `/api/contracts${query}`), query).toBe(found);
  }
  expect(await ids(await app.as('ben@example.org'), '/api/contracts?request=1')).toBe('');
});

const CONTRACT_QUERIES: [string, string][] = [
  ['', '321'],
  ['?order[createdAt]=ASC', '123'],
  ['?status=pending', '32'],
  ['?status[]=PENDING&status[]=EXPIRED', '321'],
  ['?status=done', ''],
  ['?request=1', '21'],
  ['?request=/api/requests/2', '3'],
  ['?request=/api/contracts/2', ''],
  ['?createdAt[after]=2026-03-02T10:00:00Z', '32'],
  ['?createdAt[strictly_before]=2026-03-02T10:00:00Z', '1'],
  ['?status=pending&request=1&createdAt[after]=2026-03-02', '2'],
];

test('equipments come in the order of their ids, or of their names when that is asked for', async () => {
  const app = startApi();
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

test('equipments are found by their whole serial number, commas and all', async () => {
  const app = startApi();
  const anna = await app.as('anna@example.org');
  for (let i = 0; i < 3; i += 1) await anEquipment(anna);
  app.ctx.db.raw.exec(`UPDATE equipments SET serialNumber = 'S,' || id`);
  const admin = await app.as('admin@example.org');

  for (const caller of [anna, admin]) {
    expect(await ids(caller, '/api/equipments?serialNumber=S,2')).toBe('2');
    expect(await ids(caller, '/api/equipments?serialNumber[]=S,3&serialNumber[]=S,1&serialNumber[]=x')).toBe(
      '13',
    );
    expect(await ids(caller, '/api/equipments?serialNumber=s,2')).toBe('');
    expect(await ids(caller, '/api/equipments?serialNumber=')).toBe('123');
  }
  expect(await ids(await app.as('ben@example.org'), '/api/equipments?serialNumber=S,2')).toBe('');
});

test('users are found by their e-mail address, in any letter case', async () => {
  const app = startApi();
  await app.as('anna@example.org');
  const admin = await app.as('admin@example.org');

  expect(await ids(admin, '/api/users')).toBe('12');
  expect(await ids(admin, '/api/users?username=Anna@Example.org')).toBe('1');
  expect(await ids(admin, '/api/users?username[]=anna@example.org&username[]=admin@example.org')).toBe('12');
  expect(await ids(admin, '/api/users?username=nobody@example.org')).toBe('');
  expect(await ids(admin, '/api/users?enabled=maybe&nonsense=1')).toBe('12');
});

test('webhooks are found by event and by whether they are active', async () => {
  const app = startApi();
  const anna = await app.as('anna@example.org');
  for (const event of ['request.created', 'request.updated', 'offer.created']) {
    const body = { url: 'https://93.184.216.34/hook', event, secret: 'a secret of the tests' };
    expect((await anna('POST', '/api/webhooks', { body })).status).toBe(201);
  }
  app.ctx.db.raw.exec('UPDATE webhooks SET active = 0 WHERE id = 2');
  const admin = await app.as('admin@example.org');

  for (const caller of [anna, admin]) {
    for (const [query, found] of WEBHOOK_QUERIES) {
      expect.soft(await ids(caller, `/api/webhooks${query}`), query).toBe(found);
    }
  }
  expect(await ids(await app.as('ben@example.org'), '/api/webhooks?active=true')).toBe('');
});

const WEBHOOK_QUERIES: [string, string][] = [
  ['', '123'],
  ['?active=true', '13'],
  ['?active=0', '2'],
  ['?active=perhaps', '123'],
  ['?event=Request.Created', '1'],
  ['?event=request.updated,offer.created', '23'],
  ['?event[]=request.updated&active=false', '2'],
  ['?event=request.deleted', ''],
];

test('deliveries of a webhook are found by their status, newest first', async () => {
  const app = startApi();
  const anna = await app.as('anna@example.org');
  const body = {
    url: 'https://93.184.216.34/hook',
    event: 'request.created',
    secret: 'a secret of the tests',
  };
  await anna('POST', '/api/webhooks', { body });
  app.ctx.db.raw.exec(`
    INSERT INTO deliveries (webhookId, messageId, event, content, state, createdAt, finishedAt) VALUES
      (1, 'a', 'ping', '{}', 'delivered', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000Z'),
      (1, 'b', 'ping', '{}', 'failed', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000Z'),
      (1, 'c', 'ping', '{}', 'pending', '2026-03-02T09:00:00.000Z', NULL);
  `);

  const path = '/api/webhooks/1/deliveries';
  expect(await ids(anna, path)).toBe('321');
  expect(await ids(anna, `${path}?status=FAILED`)).toBe('2');
  expect(await ids(anna, `${path}?status=pending,failed`)).toBe('32');
  expect(await ids(anna, `${path}?status=lost`)).toBe('');
  const { json } = await anna('GET', path);
  expect(json['hydra:search']?.['hydra:template']).toBe(
    `${path}{?status,status[],request,request[],createdAt[before],createdAt[strictly_before],createdAt[after],createdAt[strictly_after],order[createdAt]}`,
  );
});

/** The resources of the API; deliveries are listed below their webhook. */
function declared({ app }: TestApi) {
  const { resources } = surveyOf(app);
  return {
    deliveries: resources.find(({ type }) => type === 'WebhookDelivery'),
    listed: resources.filter(({ type }) => type !== 'WebhookDelivery'),
  };
}

test('what hydra:search tells is what the declaration says', async () => {
  const app = startApi();
  const admin = await app.as('admin@example.org');
  const { deliveries, listed } = declared(app);
  expect(deliveries?.parameters).toHaveLength(9);
  for (const { path, parameters } of listed) {
    const { json } = await admin('GET', path);
    const names = [...(json['hydra:search']?.['hydra:mapping'] ?? [])].map((each) => each['variable']);
    expect(names).toEqual(parameters.map(({ name }) => name));
  }
});

test('every list has a view with its first and last page, an empty one too', async () => {
  const app = startApi();
  const admin = await app.as('admin@example.org');
  const body = { url: 'https://93.184.216.34/hook', event: 'offer.created', secret: 'a secret of the tests' };
  await admin('POST', '/api/webhooks', { body });
  const { deliveries, listed } = declared(app);
  const paths = listed.map(({ path }) => path);

  expect(deliveries?.path).toBe('/api/webhook_deliveries');
  for (const path of [...paths, '/api/webhooks/1/deliveries']) {
    const view = (await admin('GET', path)).json['hydra:view'];
    const only = `${path}?page=1`;
    expect(view).toEqual({
      '@id': only,
      '@type': 'hydra:PartialCollectionView',
      'hydra:first': only,
      'hydra:last': only,
    });
    expect((await admin('GET', only)).json['hydra:view']).toEqual(view);
  }
});
