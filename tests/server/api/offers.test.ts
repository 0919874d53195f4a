/** /api/offers and /api/troubleshootings: who may do what, what is refused, what follows from them. */
import { describe, expect, test } from 'vitest';
import { listHistory } from '../../../src/db/history/history.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import type { DeliveryRow } from '../../../src/db/schema.js';
import { aRequest, startApi, type Caller, type TestApi } from '../support.js';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const BLANK = 'This value should not be blank.';
const REQUEST = '/api/requests/1';
const OFFER = { request: REQUEST, amount: 15_000, currency: 'usd', description: 'New burner' };
const TROUBLE = { request: REQUEST, description: 'It smells of gas.' };

const patch = (caller: Caller, path: string, body: unknown) =>
  caller('PATCH', path, { body, headers: MERGE });
const post = (caller: Caller, path: string, body: unknown) => caller('POST', path, { body });
const ids = async (caller: Caller, path: string) =>
  [...(await caller('GET', path)).json['hydra:member']].map((each) => Number(each['id']));

/** Request 1 of anna, request 2 of ben. */
async function two() {
  const app = startApi();
  const [anna, ben] = [await app.as('anna@example.org'), await app.as('ben@example.org')];
  await aRequest(anna);
  await aRequest(ben);
  return { app, anna, ben, admin: await app.as('admin@example.org') };
}

const subscribe = (app: TestApi, event: 'offer.created' | 'troubleshooting.updated') =>
  app.ctx.writer.write((db) =>
    insertWebhook(db, {
      ownerId: 1,
      url: 'https://a.example/x',
      event,
      secret: 's',
      now: '2026-03-02T09:14:07.250Z',
    }),
  );
const told = (app: TestApi) =>
  (app.ctx.db.raw.prepare('SELECT * FROM deliveries ORDER BY id').all() as DeliveryRow[]).map(
    ({ content }) => JSON.parse(content) as unknown,
  );

describe('offers', () => {
  test('an administrator makes one, a draft at first; the owner of the request reads it, nobody else', async () => {
    const { app, anna, ben, admin } = await two();
    await subscribe(app, 'offer.created');

    const made = await post(admin, '/api/offers', { ...OFFER, reference: 'x', id: 7 });

    expect(made.status).toBe(201);
    expect(made.headers.get('Location')).toBe('/api/offers/1');
    expect(made.json).toEqual({
      '@context': '/api/contexts/Offer',
      '@id': '/api/offers/1',
      '@type': 'Offer',
      id: 1,
      reference: 'OFF-2026-000001',
      ...OFFER,
      status: 'draft',
      createdAt: '2026-03-02T09:14:07+00:00',
      updatedAt: '2026-03-02T09:14:07+00:00',
    });
    expect((await anna('GET', '/api/offers/1')).json).toEqual(made.json);
    expect((await ben('GET', '/api/offers/1')).status).toBe(404);
    expect(await ids(anna, '/api/offers')).toEqual([1]);
    expect(await ids(ben, '/api/offers')).toEqual([]);
    expect(told(app)).toEqual([
      {
        event: 'offer.created',
        data: { id: 1, reference: 'OFF-2026-000001', status: 'draft' },
        timestamp: '2026-03-02T09:14:07+00:00',
      },
    ]);
    expect(listHistory(app.ctx.db, { requestId: 1 }).at(-1)).toMatchObject({ what: 'offer.created' });
  });

  test('one that is added as sent is sent', async () => {
    const { admin } = await two();
    const made = async (status: string) =>
      (await post(admin, '/api/offers', { ...OFFER, status })).json['status'];
    expect([await made('draft'), await made('sent'), await made('SENT')]).toEqual(['draft', 'sent', 'sent']);
  });

  test('only administrators make, change and remove them', async () => {
    const { app, anna, ben, admin } = await two();
    await post(admin, '/api/offers', OFFER);

    expect((await post(anna, '/api/offers', OFFER)).status).toBe(403);
    expect((await patch(anna, '/api/offers/1', { amount: 1 })).status).toBe(403);
    expect((await anna('DELETE', '/api/offers/1')).status).toBe(403);
    expect((await patch(ben, '/api/offers/1', { amount: 1 })).status).toBe(404);
    expect((await ben('DELETE', '/api/offers/1')).status).toBe(404);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await app.call(method, '/api/offers/1')).status).toBe(401);
    }
    expect((await admin('PUT', '/api/offers/1', { body: OFFER })).headers.get('Allow')).toBe(
      'GET, HEAD, PATCH, DELETE',
    );
    expect((await admin('DELETE', '/api/offers/1')).status).toBe(204);
    expect((await admin('GET', '/api/offers/1')).status).toBe(404);
  });

  test('currency and description may be left out', async () => {
    const { admin } = await two();

    const { json } = await post(admin, '/api/offers', { request: REQUEST, amount: 50 });

    expect(json).toMatchObject({ amount: 50, currency: 'eur', description: '' });
    expect((await patch(admin, '/api/offers/1', { currency: 'USD' })).json['currency']).toBe('usd');
  });

  test.each([
    [{}, { request: BLANK, amount: BLANK }],
    [{ ...OFFER, request: '/api/requests/99' }, { request: 'There is no such request.' }],
    [{ ...OFFER, request: '/api/equipments/1' }, { request: 'Invalid IRI "/api/equipments/1".' }],
    [{ ...OFFER, amount: '15000' }, { amount: 'This value should be of type integer.' }],
    [{ ...OFFER, amount: 1.5 }, { amount: 'This value should be of type integer.' }],
    [{ ...OFFER, amount: 0 }, { amount: 'This value should be between 1 and 99999999.' }],
    [{ ...OFFER, amount: -1 }, { amount: 'This value should be between 1 and 99999999.' }],
    [{ ...OFFER, amount: 1e300 }, { amount: 'This value should be between 1 and 99999999.' }],
    [{ ...OFFER, amount: 49 }, { amount: 'The payment provider accepts no less than US$0.50.' }],
    [
      { ...OFFER, amount: 15_050, currency: 'isk' },
      { amount: 'The payment provider accepts only multiples of ISK\u00a01.00.' },
    ],
    [{ ...OFFER, currency: 'euro' }, { currency: 'This value is not a valid currency.' }],
    [{ ...OFFER, currency: 'eux' }, { currency: 'This value is not a valid currency.' }],
    [{ ...OFFER, currency: 'XAU' }, { currency: 'This value is not a valid currency.' }],
    [{ ...OFFER, currency: null }, { currency: BLANK }],
    [
      { ...OFFER, status: 'accepted' },
      { status: 'A new offer must be draft or sent. Its status can be changed afterwards.' },
    ],
    [{ ...OFFER, description: 'a\0' }, { description: 'This value is not valid.' }],
  ])('%j is refused by name', async (body, errors) => {
    const { admin } = await two();

    const { status, json } = await post(admin, '/api/offers', body);

    expect(status).toBe(422);
    expect(json['errors']).toEqual(errors);
    expect(await ids(admin, '/api/offers')).toEqual([]);
  });

  test('its status goes forward; once settled its terms stay', async () => {
    const { admin } = await two();
    const go = async (path: string, status: string) => (await patch(admin, path, { status })).status;
    for (let i = 0; i < 3; i += 1) await post(admin, '/api/offers', OFFER);

    expect(await go('/api/offers/1', 'sent')).toBe(200);
    expect(await go('/api/offers/1', 'draft')).toBe(422);
    expect(await go('/api/offers/1', 'ACCEPTED')).toBe(200);
    const fixed = await patch(admin, '/api/offers/1', { amount: 1, status: 'sent' });
    expect(fixed.status).toBe(422);
    expect(Object.keys(fixed.json['errors'] as object)).toEqual(['amount', 'status']);
    expect(await go('/api/offers/1', 'refused')).toBe(200);
    expect(await go('/api/offers/1', 'sent')).toBe(422);
    expect(await go('/api/offers/2', 'refused')).toBe(200);
    expect(await go('/api/offers/3', 'nonsense')).toBe(422);
    expect((await patch(admin, '/api/offers/3', { amount: null })).json['errors']).toEqual({ amount: BLANK });
  });
});

describe('troubleshootings', () => {
  test('the owner of the request reports, changes and removes them, an administrator too', async () => {
    const { app, anna, ben, admin } = await two();

    const made = await post(anna, '/api/troubleshootings', { ...TROUBLE, status: 'solved' });

    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      '@id': '/api/troubleshootings/1',
      '@type': 'Troubleshooting',
      reference: 'TRB-2026-000001',
      ...TROUBLE,
      status: 'open',
    });
    for (const caller of [anna, admin]) {
      expect((await caller('GET', '/api/troubleshootings/1')).json).toEqual(made.json);
      expect(await ids(caller, '/api/troubleshootings')).toEqual([1]);
    }
    expect((await ben('GET', '/api/troubleshootings/1')).status).toBe(404);
    expect((await patch(ben, '/api/troubleshootings/1', { status: 'solved' })).status).toBe(404);
    expect((await ben('DELETE', '/api/troubleshootings/1')).status).toBe(404);
    expect((await app.call('GET', '/api/troubleshootings')).status).toBe(401);
    expect((await post(ben, '/api/troubleshootings', TROUBLE)).json['errors']).toEqual({
      request: 'There is no such request.',
    });
    expect((await patch(anna, '/api/troubleshootings/1', { status: 'IN_PROGRESS' })).json['status']).toBe(
      'in_progress',
    );
    const both = await Promise.all([1, 2].map(() => anna('DELETE', '/api/troubleshootings/1')));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(listHistory(app.ctx.db, { requestId: 1 }).map(({ what }) => what)).toEqual([
      'request.created',
      'troubleshooting.created',
      'troubleshooting.changed',
      'troubleshooting.deleted',
    ]);
  });

  test('a change is published once, and only when something changed', async () => {
    const { app, anna } = await two();
    await subscribe(app, 'troubleshooting.updated');
    await post(anna, '/api/troubleshootings', TROUBLE);

    await patch(anna, '/api/troubleshootings/1', { status: 'open', description: TROUBLE.description });
    await patch(anna, '/api/troubleshootings/1', { status: 'solved', description: 'It smelled.' });

    expect(told(app)).toMatchObject([
      { event: 'troubleshooting.updated', data: { id: 1, reference: 'TRB-2026-000001', status: 'solved' } },
    ]);
  });

  test.each([
    [{ description: '' }, { description: BLANK }],
    [{ description: 'x'.repeat(5_001) }, { description: expect.stringContaining('5000') }],
    [{ status: 'COMPLETE' }, { status: 'The value you selected is not a valid choice.' }],
    [{ status: null }, { status: BLANK }],
  ])('PATCH %j is refused by name', async (body, errors) => {
    const { anna } = await two();
    await post(anna, '/api/troubleshootings', TROUBLE);

    const { status, json } = await patch(anna, '/api/troubleshootings/1', body);

    expect(status).toBe(422);
    expect(json['errors']).toEqual(errors);
  });
});

test('both lists are narrowed and ordered, and go with their request', async () => {
  const { app, anna, ben, admin } = await two();
  for (const [path, body] of [
    ['/api/offers', OFFER],
    ['/api/troubleshootings', TROUBLE],
  ] as const) {
    for (const request of [REQUEST, '/api/requests/2', REQUEST]) {
      await post(admin, path, { ...body, request });
      app.clock.advance(1000);
    }
    expect(await ids(admin, `${path}?request=1`)).toEqual([1, 3]);
    expect(await ids(ben, `${path}?request=/api/requests/1`)).toEqual([]);
    expect(await ids(admin, `${path}?status=draft,open&order[createdAt]=desc`)).toEqual([3, 2, 1]);
    expect(await ids(admin, `${path}?status=solved,sent`)).toEqual([]);
    expect(await ids(admin, `${path}?createdAt[before]=2026-03-02`)).toEqual([]);
    expect(await ids(admin, `${path}?itemsPerPage=2&page=2`)).toEqual([3]);
  }

  expect((await anna('DELETE', '/api/requests/1')).status).toBe(204);

  expect(await ids(admin, '/api/offers')).toEqual([2]);
  expect(await ids(admin, '/api/troubleshootings')).toEqual([2]);
  expect(app.ctx.db.raw.pragma('foreign_key_check')).toEqual([]);
});
