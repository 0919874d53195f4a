/** /api/requests and /api/equipments: what counts of a creation, what may change when, and that all or nothing changes. */
import { describe, expect, test } from 'vitest';
import { listHistory } from '../../../src/db/history/history.js';
import { insertRenewal, moveRequest, requireRequest } from '../../../src/db/requests/requests.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import { anEquipment, apiFor, aRequest, twoRequests, type Json, type TestApi } from '../support.js';

const PATH = '/api/requests/1';
const WORDS = { title: 'Maintenance', description: 'Yearly.' };
const BOILER = { name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' };

const whats = (app: TestApi) => listHistory(app.ctx.db, { requestId: 1 }).map(({ what }) => what);

test('a request and the one that renews it name each other, alone and in the list', async () => {
  const { ctx, clock, anna } = await twoRequests();
  const { ownerId, equipmentId, title, description } = requireRequest(ctx.db, { id: 1 });
  const words = { ownerId, equipmentId, title, description, status: 'new' as const };
  const now = clock.now().toISOString();
  await ctx.writer.write((db) => insertRenewal(db, { ...words, renewsId: 1, now }));
  const [old, next] = [{ renewedBy: '/api/requests/3' }, { renews: '/api/requests/1' }];
  const both = ['renews', 'renewedBy'];
  const links = (json: Json) =>
    Object.fromEntries(Object.entries(json).filter(([name]) => both.includes(name)));
  expect(links((await anna('GET', PATH)).json)).toEqual(old);
  expect(links((await anna('GET', '/api/requests/3')).json)).toEqual(next);
  expect([...(await anna('GET', '/api/requests')).json['hydra:member']].map(links)).toEqual([next, old]);
});

describe('what is created', () => {
  test('takes nothing that a client may not write', async () => {
    const { anna } = await apiFor(['anna']);
    const equipment = (await anEquipment(anna))['@id'];
    const strange = {
      id: 77,
      '@id': '/api/requests/77',
      reference: 'x',
      createdAt: '2000-01-01',
      ownerId: 5,
    };
    const body = {
      ...WORDS,
      description: 'd\nd',
      equipment,
      ...strange,
      status: 'COMPLETE',
      paymentUrl: 'x',
    };

    const { json } = await anna('POST', '/api/requests', { body });

    expect(json).toMatchObject({ id: 1, status: 'new', reference: 'REQ-2026-000001', description: 'd\nd' });
    expect(json).not.toHaveProperty('paymentUrl');
    // Counted by code points.
    const name = '🔥'.repeat(255);
    expect((await anna('POST', '/api/equipments', { body: { ...BOILER, name } })).json['name']).toBe(name);
  });

  test.each([
    'https://contracts.example.org/api/equipments/1',
    'https://contracts.example.org/api/v1/equipments/1',
    'HTTPS://Contracts.Example.org:443/api/equipments/1',
  ])('may name an equipment by its whole address, %s', async (equipment) => {
    const { anna } = await twoRequests();
    const body = { ...WORDS, equipment };
    expect((await anna('POST', '/api/requests', { body })).json['equipment']).toBe('/api/equipments/1');
    expect((await anna('PATCH', PATH, { body: { equipment } })).status).toBe(200);
    expect((await anna('PUT', PATH, { body })).status).toBe(200);
    const report = { request: equipment.replace('equipments', 'requests'), description: 'd' };
    expect((await anna('POST', '/api/troubleshootings', { body: report })).status).toBe(201);
  });

  test('behind a path of its own has that in its address', async () => {
    const { anna } = await apiFor(['anna'], { baseUrl: 'https://example.org/esign' });
    await anEquipment(anna);
    const statusWith = async (equipment: string) =>
      (await anna('POST', '/api/requests', { body: { ...WORDS, equipment } })).status;
    expect(await statusWith('https://example.org/esign/api/equipments/1')).toBe(201);
    expect(await statusWith('https://example.org/api/equipments/1')).toBe(422);
  });

  test('by an administrator belongs to the customer whose IRI is named', async () => {
    const { anna, admin } = await apiFor(['anna', 'admin']);
    const owner = '/api/users/1';
    const made = await admin('POST', '/api/equipments', { body: { ...BOILER, owner } });
    expect([made.status, (await anna('GET', made.json['@id'])).status]).toEqual([201, 200]);
    const body = { ...WORDS, equipment: made.json['@id'], owner, amount: 18_000 };
    const request = await admin('POST', '/api/requests', { body });
    expect(request).toMatchObject({ status: 201, json: { amount: 18_000, currency: 'eur' } });
    expect((await anna('GET', request.json['@id'])).status).toBe(200);
  });

  test('by a customer is the customer’s own; an owner and a price are not looked at', async () => {
    const { anna, ben } = await apiFor(['anna', 'ben']);
    const owner = '/api/users/2';
    const { json } = await anna('POST', '/api/equipments', { body: { ...BOILER, owner } });
    expect((await ben('GET', json['@id'])).status).toBe(404);
    const body = { ...WORDS, equipment: json['@id'], owner, amount: 1 };
    expect((await anna('POST', '/api/requests', { body })).json['amount']).toBeUndefined();
    expect((await anna('PATCH', PATH, { body: { amount: 1 } })).json['amount']).toBeUndefined();
  });
});

describe('PATCH', () => {
  test('changes what is given and nothing else; the answer is the request as it is then', async () => {
    const { ctx, clock, anna } = await twoRequests();
    const { json: request } = await anna('GET', PATH);
    clock.advance(60_000);

    const body = { title: 'Boiler leaks', unknown: 1, id: 9, reference: 'x' };
    const answer = await anna('PATCH', PATH, { body });

    const changed = { title: 'Boiler leaks', updatedAt: '2026-03-02T09:15:07+00:00' };
    expect([answer.status, answer.json]).toEqual([200, { ...(request as object), ...changed }]);
    expect(answer.headers.get('Content-Location')).toBe(PATH);
    expect(answer.headers.get('Accept-Patch')).toBe('application/merge-patch+json');
    expect((await anna('GET', PATH)).json).toEqual(answer.json);
    const told = { what: 'request.changed', actor: 'user:anna@example.org', detail: '{"fields":["title"]}' };
    expect(listHistory(ctx.db, { requestId: 1 }).at(-1)).toMatchObject(told);

    const equipment = await anna('PATCH', '/api/equipments/1', { body: { model: 'B-300' } });
    expect(equipment.json).toMatchObject({ '@id': '/api/equipments/1', name: 'Boiler', model: 'B-300' });
  });

  test('that leaves all as it is changes nothing, not even the time', async () => {
    const app = await twoRequests();
    const { json: request } = await app.anna('GET', PATH);
    app.clock.advance(60_000);
    for (const body of [request, {}]) expect((await app.anna('PATCH', PATH, { body })).json).toEqual(request);
    expect(whats(app)).toEqual(['request.created']);
  });

  test('takes merge-patch alone, PUT takes JSON or JSON-LD, and each says so', async () => {
    const { anna } = await twoRequests();
    for (const path of [PATH, '/api/equipments/1']) {
      const send = (method: string, type: string, body: unknown = {}) =>
        anna(method, path, { body, headers: { 'Content-Type': type } });
      for (const type of ['application/json', 'application/ld+json', 'text/plain']) {
        const answer = await send('PATCH', type);
        expect(answer.status).toBe(415);
        expect(answer.headers.get('Accept-Patch')).toBe('application/merge-patch+json');
      }
      expect((await send('PUT', 'application/merge-patch+json')).status).toBe(415);
      for (const body of ['[]', '{'])
        expect((await send('PATCH', 'application/merge-patch+json', body)).status).toBe(400);
      const { json } = await anna('GET', path);
      expect((await send('PUT', 'application/ld+json', json)).json).toEqual(json);
      const allowed = (await anna('POST', path, { body: {} })).headers.get('Allow');
      expect(allowed).toBe('GET, HEAD, PUT, PATCH, DELETE');
    }
  });

  test('of a status from a user is ignored, whatever it is', async () => {
    const { anna } = await twoRequests();
    for (const status of ['in_progress', 'COMPLETE', 'nonsense', 5, null, {}]) {
      const { json } = await anna('PATCH', PATH, { body: { title: 'changed', status } });
      expect(json).toMatchObject({ title: 'changed', status: 'new' });
    }
  });

  test('by an administrator moves a new request on, in any letter case, once', async () => {
    const app = await twoRequests();
    const move = (status: string) => app.admin('PATCH', PATH, { body: { status } });
    expect((await move('NEW')).json['status']).toBe('new');

    const both = await Promise.all([move('In_Progress'), move('in_progress')]);

    for (const one of both) expect(one).toMatchObject({ status: 200, json: { status: 'in_progress' } });
    expect(whats(app)).toEqual(['request.created', 'request.moved']);
  });

  test('by an administrator gives a request an equipment of its owner', async () => {
    const { anna, admin } = await twoRequests();
    await anEquipment(anna);
    const { json } = await admin('PATCH', PATH, { body: { equipment: '/api/v1/equipments/3' } });
    expect(json['equipment']).toBe('/api/equipments/3');
  });

  test('of different members by two at once leaves both there', async () => {
    const { anna } = await twoRequests();
    const [title, description] = ['one', 'two'];
    await Promise.all([
      anna('PATCH', PATH, { body: { title } }),
      anna('PATCH', PATH, { body: { description } }),
    ]);
    expect((await anna('GET', PATH)).json).toMatchObject({ title, description });
  });

  test('is one event, whatever it changes; one that changes nothing is none', async () => {
    const { ctx, admin } = await twoRequests();
    const url = 'https://a.example/x';
    const now = '2026-03-02T09:14:07.250Z';
    await ctx.writer.write((db) =>
      insertWebhook(db, { ownerId: 1, url, event: 'request.updated', secret: 's', now }),
    );

    for (const body of [
      { title: 'changed', status: 'in_progress' },
      { title: 'changed', status: 'in_progress' },
      { title: 'again', status: 'COMPLETE' },
    ])
      await admin('PATCH', PATH, { body });
    await admin('DELETE', PATH);

    const told = ctx.db.raw.prepare('SELECT content FROM deliveries').pluck().all() as string[];
    expect(told.map((content) => JSON.parse(content) as unknown)).toMatchObject([
      { event: 'request.updated', data: { id: 1, reference: 'REQ-2026-000001', status: 'in_progress' } },
    ]);
    // What was to be told of it is still owed when it is gone.
    const owed = ctx.db.raw.prepare("SELECT count(*) FROM jobs WHERE kind = 'deliver-webhook'").pluck();
    expect(owed.get()).toBe(1);
  });
});

test('once the contract is sent its words stay, and the request cannot be removed', async () => {
  const { ctx, anna, admin } = await twoRequests();
  const now = '2026-03-02T12:00:00.000Z';
  await ctx.writer.write((db) => moveRequest(db, { id: 1, from: ['new'], to: 'WAITING_SIGNATURE', now }));
  const { json: request } = await anna('GET', PATH);

  for (const caller of [anna, admin]) {
    const answer = await caller('PATCH', PATH, { body: { title: 'other', description: 'other' } });
    expect([answer.status, Object.keys(answer.json['errors'] as object)]).toEqual([
      422,
      ['title', 'description'],
    ]);
    const removal = await caller('DELETE', PATH);
    expect(removal).toMatchObject({ status: 422, json: { key: 'cannot_be_changed', errors: {} } });
    // A client that sends back what it got has changed nothing.
    expect((await caller('PUT', PATH, { body: request })).status).toBe(200);
  }
  expect((await admin('PATCH', PATH, { body: { status: 'in_progress' } })).status).toBe(422);
});

test('a canceled request is neither changed nor offered a price: it is reopened first', async () => {
  const { ctx, anna, admin } = await twoRequests();
  ctx.db.raw.exec("UPDATE requests SET status = 'CANCELED'");
  const refused = { status: 422, json: { key: 'request_canceled', message: 'The request is canceled.' } };
  expect(await anna('PATCH', PATH, { body: { title: 'other' } })).toMatchObject(refused);
  expect(await admin('PATCH', PATH, { body: { amount: 18_000 } })).toMatchObject(refused);
  expect(await admin('POST', '/api/offers', { body: { request: PATH, amount: 18_000 } })).toMatchObject(
    refused,
  );
});

test('what is read can be written back: a contract that is over, or was sent, sets no price of the request', async () => {
  const { ctx, admin } = await twoRequests();
  ctx.db.raw.exec(`INSERT INTO contracts (requestId, status, key, externalId, amount, currency, createdAt)
    VALUES (1, 'EXPIRED', '0123456789abcdef', 'esign-1', 12000, 'eur', '2026-03-02T09:00:00.000Z')`);
  for (const status of ['new', 'COMPLETE']) {
    ctx.db.raw.prepare('UPDATE requests SET status = ?').run(status);
    const { title, description, equipment, amount } = (await admin('GET', PATH)).json;
    const body = { title, description, equipment, amount };
    expect((await admin('PUT', PATH, { body })).status).toBe(200);
    expect(ctx.db.raw.prepare('SELECT amount FROM requests').pluck().get()).toBeNull();
  }
});

test('a removed request is gone with all that is about it, its history stays; of two at once one removes it', async () => {
  const app = await twoRequests();
  const { ctx, anna, admin } = app;
  const lists = ['requests', 'offers', 'troubleshootings'];
  const counts = async () =>
    Promise.all(
      lists.map(async (name) => Number((await admin('GET', `/api/${name}`)).json['hydra:totalItems'])),
    );
  for (const request of [PATH, '/api/requests/2']) {
    await admin('POST', '/api/offers', { body: { request, amount: 12_000 } });
    await admin('POST', '/api/troubleshootings', { body: { request, description: 'd' } });
  }

  const both = await Promise.all([anna('DELETE', PATH), anna('DELETE', PATH)]);

  expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
  expect(both.find(({ status }) => status === 204)).toMatchObject({ text: '' });
  expect((await anna('GET', PATH)).status).toBe(404);
  expect(await counts()).toEqual([1, 1, 1]);
  expect(whats(app).at(-1)).toBe('request.deleted');
  expect(ctx.db.raw.pragma('foreign_key_check')).toEqual([]);
  expect((await aRequest(anna))['id']).toBe(3);
});

test('an equipment stays while a request is about it', async () => {
  const { anna } = await twoRequests();
  expect(await anna('DELETE', '/api/equipments/1')).toMatchObject({ status: 422, json: { key: 'in_use' } });

  await anna('DELETE', PATH);
  const both = await Promise.all([1, 2].map(() => anna('DELETE', '/api/equipments/1')));
  expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
});
