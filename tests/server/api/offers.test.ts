/** /api/offers and /api/troubleshootings: what is made of them, how they change, what is told of it. */
import { expect, test } from 'vitest';
import { listHistory } from '../../../src/db/history/history.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import { twoRequests, type TestApi } from '../support.js';

const REQUEST = '/api/requests/1';
const OFFER = { request: REQUEST, amount: 15_000, currency: 'usd', description: 'New burner' };
const TROUBLE = { request: REQUEST, description: 'It smells of gas.' };

const whats = ({ ctx }: TestApi) => listHistory(ctx.db, { requestId: 1 }).map(({ what }) => what);

/** What anna's webhook for this event will be told. */
async function subscribed({ ctx }: TestApi, event: 'offer.created' | 'troubleshooting.updated') {
  const now = '2026-03-02T09:14:07.250Z';
  const hook = { ownerId: 1, url: 'https://a.example/x', event, secret: 's', now };
  await ctx.writer.write((db) => insertWebhook(db, hook));
  return () =>
    (ctx.db.raw.prepare('SELECT content FROM deliveries').pluck().all() as string[]).map(
      (content) => JSON.parse(content) as unknown,
    );
}

test('an offer is a draft at first; its owner reads it and hears of it', async () => {
  const app = await twoRequests();
  const told = await subscribed(app, 'offer.created');

  const made = await app.admin('POST', '/api/offers', { body: { ...OFFER, reference: 'x', id: 7 } });

  expect([made.status, made.headers.get('Location')]).toEqual([201, '/api/offers/1']);
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
  expect((await app.anna('GET', '/api/offers/1')).json).toEqual(made.json);
  const data = { id: 1, reference: 'OFF-2026-000001', status: 'draft' };
  expect(told()).toEqual([{ event: 'offer.created', data, timestamp: '2026-03-02T09:14:07+00:00' }]);
  expect(whats(app).at(-1)).toBe('offer.created');
});

test('currency, description and status of an offer may be left out; one that is added as sent is sent', async () => {
  const { admin } = await twoRequests();
  const { json } = await admin('POST', '/api/offers', { body: { request: REQUEST, amount: 50 } });
  expect(json).toMatchObject({ amount: 50, currency: 'eur', description: '', status: 'draft' });
  const { json: sent } = await admin('POST', '/api/offers', { body: { ...OFFER, status: 'SENT' } });
  expect(sent['status']).toBe('sent');
  const { json: changed } = await admin('PATCH', '/api/offers/1', { body: { currency: 'USD' } });
  expect(changed['currency']).toBe('usd');
});

test('the status of an offer goes forward; once settled its terms stay', async () => {
  const { admin } = await twoRequests();
  const go = async (id: number, status: string) =>
    (await admin('PATCH', `/api/offers/${id}`, { body: { status } })).status;
  for (let i = 0; i < 2; i += 1) await admin('POST', '/api/offers', { body: OFFER });

  expect([await go(1, 'sent'), await go(1, 'draft'), await go(1, 'ACCEPTED')]).toEqual([200, 422, 200]);
  const fixed = await admin('PATCH', '/api/offers/1', { body: { amount: 1, status: 'sent' } });
  expect([fixed.status, Object.keys(fixed.json['errors'] as object)]).toEqual([422, ['amount', 'status']]);
  expect([await go(1, 'refused'), await go(1, 'sent'), await go(2, 'refused')]).toEqual([200, 422, 200]);
});

test('the owner of the request reports trouble, changes and removes it; of two at once one removes it', async () => {
  const app = await twoRequests();
  const { anna, admin } = app;

  const made = await anna('POST', '/api/troubleshootings', { body: { ...TROUBLE, status: 'solved' } });

  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    '@id': '/api/troubleshootings/1',
    '@type': 'Troubleshooting',
    reference: 'TRB-2026-000001',
    ...TROUBLE,
    status: 'open',
  });
  expect((await admin('GET', '/api/troubleshootings/1')).json).toEqual(made.json);
  const { json } = await anna('PATCH', '/api/troubleshootings/1', { body: { status: 'IN_PROGRESS' } });
  expect(json['status']).toBe('in_progress');
  const both = await Promise.all([1, 2].map(() => anna('DELETE', '/api/troubleshootings/1')));
  expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
  const deeds = ['created', 'changed', 'deleted'].map((deed) => `troubleshooting.${deed}`);
  expect(whats(app)).toEqual(['request.created', ...deeds]);
});

test('a change is published once, and only when something changed', async () => {
  const app = await twoRequests();
  const told = await subscribed(app, 'troubleshooting.updated');
  await app.anna('POST', '/api/troubleshootings', { body: TROUBLE });

  for (const body of [
    { status: 'open', description: TROUBLE.description },
    { status: 'solved', description: 'It smelled.' },
  ])
    await app.anna('PATCH', '/api/troubleshootings/1', { body });

  const data = { id: 1, reference: 'TRB-2026-000001', status: 'solved' };
  expect(told()).toMatchObject([{ event: 'troubleshooting.updated', data }]);
});
