/** /api/webhooks and /api/webhook_deliveries (rules 8): subscriptions, ping, deliveries, sending again. */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { answered, aReceiver, type Received } from '../../support/receiver.js';
import { aRequest, startApi, type Caller, type Json } from '../support.js';

const SECRET = 'the first secret';
const HOOK = { url: 'https://93.184.216.34/hook', event: 'request.created', secret: SECRET };
const PATCH = { 'Content-Type': 'application/merge-patch+json' };

const startLocal = () => startApi({ webhookAllowPrivate: ['127.0.0.1'] });

const subscribe = async (caller: Caller, changes: object = {}): Promise<Json> =>
  (await caller('POST', '/api/webhooks', { body: { ...HOOK, ...changes } })).json;

const patch = (caller: Caller, iri: Json, body: object) =>
  caller('PATCH', String(iri), { body, headers: PATCH });

describe('a subscription', () => {
  test('is made, shown without its secret, listed, and deleted', async () => {
    const anna = await startApi().as('anna@example.org');
    const made = await anna('POST', '/api/webhooks', { body: HOOK });
    expect(made.status).toBe(201);
    expect(made.headers.get('Location')).toBe('/api/webhooks/1');
    const shown = {
      '@id': '/api/webhooks/1',
      '@type': 'Webhook',
      id: 1,
      url: HOOK.url,
      event: HOOK.event,
      active: true,
      createdAt: '2026-03-02T09:14:07+00:00',
      owner: '/api/users/1',
      failures: 0,
    };
    expect(made.json).toEqual({ '@context': '/api/contexts/Webhook', ...shown });
    expect((await anna('GET', '/api/webhooks')).json).toMatchObject({
      'hydra:totalItems': 1,
      'hydra:member': [shown],
    });
    expect((await anna('GET', '/api/v1/webhooks/1')).text).not.toContain(SECRET);
    expect((await anna('DELETE', '/api/webhooks/1')).status).toBe(204);
    expect((await anna('GET', '/api/webhooks/1')).status).toBe(404);
  });

  test.each<[string, object, object]>([
    ['no address', { url: undefined }, { url: 'This value should not be blank.' }],
    ['no event', { event: undefined }, { event: 'This value should not be blank.' }],
    ['no secret', { secret: undefined }, { secret: 'This value should not be blank.' }],
    ['an event that there is not', { event: 'ping' }, { event: expect.stringContaining('request.created') }],
    ['two events', { event: ['request.created'] }, { event: expect.stringContaining('request.created') }],
    ['a short secret', { secret: '1234567' }, { secret: expect.stringContaining('8 characters') }],
    ['a long secret', { secret: 'x'.repeat(257) }, { secret: expect.stringContaining('256 characters') }],
    ['http', { url: 'http://93.184.216.34/' }, { url: 'This value should be an https address.' }],
    [
      'an address inside',
      { url: 'https://[::ffff:169.254.169.254]/' },
      { url: expect.stringContaining('public') },
    ],
    [
      'everything that is wrong at once',
      { url: 'x', event: 'ping', secret: 'x' },
      {
        url: 'This value should be an https address.',
        event: expect.stringContaining('request.created'),
        secret: expect.stringContaining('8 characters'),
      },
    ],
    ['a number', { url: 7 }, { url: 'This value should be of type string.' }],
  ])('is refused for %s', async (_, change, errors) => {
    const anna = await startApi().as('anna@example.org');
    const { status, json } = await anna('POST', '/api/webhooks', { body: { ...HOOK, ...change } });
    expect([status, json['errors']]).toEqual([422, errors]);
  });

  test('the 51st is refused', async () => {
    const anna = await startApi().as('anna@example.org');
    for (let i = 0; i < 50; i += 1) await subscribe(anna);
    const { status, json } = await anna('POST', '/api/webhooks', { body: HOOK });
    expect([status, json['errors']]).toEqual([422, { url: 'A user can have 50 webhooks at most.' }]);
  });

  test('belongs to its user: others do not see it, an administrator does', async () => {
    const app = startApi();
    const [anna, ben, admin] = [
      await app.as('anna@x.org'),
      await app.as('ben@x.org'),
      await app.as('admin@x.org'),
    ];
    const iri = String((await subscribe(anna))['@id']);
    for (const [method, path] of [
      ['GET', iri],
      ['PATCH', iri],
      ['DELETE', iri],
      ['POST', `${iri}/ping`],
      ['GET', `${iri}/deliveries`],
    ] as const) {
      const options = method === 'PATCH' ? { body: { active: false }, headers: PATCH } : {};
      expect((await ben(method, path, options)).status, `${method} ${path}`).toBe(404);
    }
    expect((await ben('GET', '/api/webhooks')).json['hydra:totalItems']).toBe(0);
    expect((await admin('GET', '/api/webhooks')).json['hydra:totalItems']).toBe(1);
    expect((await app.call('GET', iri)).status).toBe(401);
  });

  test('is changed: address, on and off; the event and what is no member stay', async () => {
    const anna = await startApi().as('anna@example.org');
    const iri = (await subscribe(anna))['@id'];
    const changed = await patch(anna, iri, {
      url: 'https://93.184.216.34/other',
      active: false,
      event: 'offer.created',
      id: iri,
    });
    expect(changed.json).toMatchObject({
      url: 'https://93.184.216.34/other',
      active: false,
      event: HOOK.event,
    });
    expect((await patch(anna, iri, { active: true })).json['active']).toBe(true);
    expect((await patch(anna, iri, { active: 'yes' })).json['errors']).toEqual({
      active: 'This value should be of type boolean.',
    });
    expect((await patch(anna, iri, { url: 'https://127.0.0.1/' })).status).toBe(422);
  });

  test('a change stands in the history by the names of what is new, never by a secret; the same again is none', async () => {
    const app = startApi();
    const anna = await app.as('anna@example.org');
    const { '@id': iri } = await subscribe(anna);

    await patch(anna, iri, { url: HOOK.url, secret: SECRET });
    await patch(anna, iri, { url: 'https://93.184.216.34/other' });
    await patch(anna, iri, { secret: 'the second secret' });

    const changes = app.ctx.db.raw
      .prepare("SELECT detail FROM history WHERE what = 'webhook.changed' ORDER BY id")
      .pluck()
      .all() as string[];
    expect(changes.map((detail) => JSON.parse(detail))).toEqual([
      { webhookId: 1, fields: ['url'], url: 'https://93.184.216.34/other' },
      { webhookId: 1, fields: ['secret'], url: 'https://93.184.216.34/other' },
    ]);
  });
});

describe('deliveries', () => {
  test('a created request is delivered as an event, and the log shows what was sent and what came back', async () => {
    const app = startLocal();
    const anna = await app.as('anna@example.org');
    const receiver = await aReceiver(answered(200, { 'Content-Type': 'text/plain' }, 'thanks'));
    const hook = await subscribe(anna, { url: receiver.url });
    const request = await aRequest(anna);
    await app.ctx.jobs.drain();

    const { json } = await anna('GET', `${String(hook['@id'])}/deliveries`);
    expect(json).toMatchObject({ '@id': '/api/webhooks/1/deliveries', 'hydra:totalItems': 1 });
    expect(json['hydra:member']?.[0]).toMatchObject({
      '@id': '/api/webhook_deliveries/1',
      '@type': 'WebhookDelivery',
      webhook: '/api/webhooks/1',
      event: 'request.created',
      status: 'delivered',
      body: receiver.received[0]?.body,
      messageId: receiver.received[0]?.headers['webhook-id'],
      attempts: [
        {
          at: '2026-03-02T09:14:07+00:00',
          url: `${receiver.url}/`,
          outcome: 'delivered',
          status: 200,
          headers: { 'content-type': 'text/plain' },
          answer: 'thanks',
        },
      ],
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ data: { id: request['id'] } });
    expect((await anna('GET', '/api/webhook_deliveries/1')).json['status']).toBe('delivered');
    expect((await (await app.as('ben@example.org'))('GET', '/api/webhook_deliveries/1')).status).toBe(404);
  });
});

test('a ping asks once whether the receiver is there, also while the webhook is off', async () => {
  const app = startLocal();
  const anna = await app.as('anna@example.org');
  const receiver = await aReceiver(answered(500));
  const hook = await subscribe(anna, { url: receiver.url });
  await patch(anna, hook['@id'], { active: false });
  const pinged = await anna('POST', `${String(hook['@id'])}/ping`);
  expect([pinged.status, pinged.json['event'], pinged.json['status']]).toEqual([202, 'ping', 'pending']);
  await app.ctx.jobs.drain();
  app.clock.advance(600_000);
  await app.ctx.jobs.drain();
  expect(receiver.received).toHaveLength(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
    event: 'ping',
    data: { id: 1, reference: 'ping', status: 'active' },
    timestamp: '2026-03-02T09:14:07+00:00',
    signature: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect((await anna('GET', '/api/webhook_deliveries/1')).json['status']).toBe('failed');
});

describe('a secret that is replaced', () => {
  const verifies = (secret: string, { body, headers }: Received) => {
    try {
      new StandardWebhook(secret, { format: 'raw' }).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  test('signs for 24 hours beside the new one, then no more', async () => {
    const app = startLocal();
    app.clock.advance(Date.now() - app.clock.now().getTime());
    const anna = await app.as('anna@example.org');
    const receiver = await aReceiver();
    const hook = await subscribe(anna, { url: receiver.url });
    expect((await patch(anna, hook['@id'], { secret: 'the second secret' })).status).toBe(200);
    await anna('POST', '/api/webhooks/1/ping');
    await app.ctx.jobs.drain();
    const [during] = receiver.received as [Received];
    expect(String(during.headers['webhook-signature'])).toMatch(/^v1,\S+ v1,\S+$/);
    expect([verifies(SECRET, during), verifies('the second secret', during)]).toEqual([true, true]);

    // The same secret again prolongs nothing, and the verifiers look at the real clock.
    await patch(anna, hook['@id'], { secret: 'the second secret' });
    app.ctx.db.raw.prepare('UPDATE webhooks SET oldSecretUntil = ?').run(app.clock.now().toISOString());
    await anna('POST', '/api/webhooks/1/ping');
    await app.ctx.jobs.drain();
    const after = receiver.received[1] as Received;
    expect([verifies(SECRET, after), verifies('the second secret', after)]).toEqual([false, true]);
  });
});
