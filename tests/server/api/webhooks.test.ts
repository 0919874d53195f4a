/** /api/webhooks and /api/webhook_deliveries (rules 8): subscriptions, ping, deliveries, sending again. */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { answered, aReceiver, type Received } from '../../support/receiver.js';
import { apiFor, aRequest, type Caller, type Json } from '../support.js';

const SECRET = 'the first secret';
const HOOK = { url: 'https://93.184.216.34/hook', event: 'request.created', secret: SECRET };

/** Anna, whose receivers may be on this machine. */
const startLocal = () => apiFor(['anna'], { webhookAllowPrivate: ['127.0.0.1'] });

const subscribe = async (caller: Caller, changes: object = {}): Promise<Json> =>
  (await caller('POST', '/api/webhooks', { body: { ...HOOK, ...changes } })).json;

const patch = (caller: Caller, iri: Json, body: object) => caller('PATCH', String(iri), { body });

describe('a subscription', () => {
  test('is made, shown without its secret, listed, and deleted', async () => {
    const { anna } = await apiFor(['anna']);
    const made = await anna('POST', '/api/webhooks', { body: HOOK });
    expect([made.status, made.headers.get('Location')]).toEqual([201, '/api/webhooks/1']);
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
    expect((await anna('GET', '/api/webhooks')).json['hydra:member']).toEqual([shown]);
    expect((await anna('GET', '/api/v1/webhooks/1')).text).not.toContain(SECRET);
    expect((await anna('DELETE', '/api/webhooks/1')).status).toBe(204);
    expect((await anna('GET', '/api/webhooks/1')).status).toBe(404);
  });

  test('the 51st is refused', async () => {
    const { anna } = await apiFor(['anna']);
    for (let i = 0; i < 50; i += 1) await subscribe(anna);
    const { status, json } = await anna('POST', '/api/webhooks', { body: HOOK });
    expect([status, json['errors']]).toEqual([422, { url: 'A user can have 50 webhooks at most.' }]);
  });

  test('is changed: address, secret, on and off; event and what is no member stay; the history has the names of what is new, never a secret', async () => {
    const { ctx, anna } = await apiFor(['anna']);
    const { '@id': iri, event } = await subscribe(anna);
    const url = 'https://93.184.216.34/other';
    const changed = await patch(anna, iri, { url, active: false, event: 'offer.created', id: iri });
    expect(changed.json).toMatchObject({ url, active: false, event });
    expect((await patch(anna, iri, { active: true })).json['active']).toBe(true);

    await patch(anna, iri, { url, secret: SECRET });
    await patch(anna, iri, { secret: 'the second secret' });

    const changes = ctx.db.raw
      .prepare("SELECT detail FROM history WHERE what = 'webhook.changed' ORDER BY id")
      .pluck()
      .all() as string[];
    expect(changes.map((detail) => JSON.parse(detail))).toEqual([
      { webhookId: 1, fields: ['url'], url },
      { webhookId: 1, fields: ['secret'], url },
    ]);
  });
});

describe('deliveries', () => {
  test('a created request is delivered as an event, and the log shows what was sent and what came back', async () => {
    const { ctx, anna } = await startLocal();
    const receiver = await aReceiver(answered(200, { 'Content-Type': 'text/plain' }, 'thanks'));
    const hook = await subscribe(anna, { url: receiver.url });
    const request = await aRequest(anna);
    await ctx.jobs.drain();

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
  });
});

test('a ping asks once whether the receiver is there, also while the webhook is off', async () => {
  const { ctx, clock, anna } = await startLocal();
  const receiver = await aReceiver(answered(500));
  const hook = await subscribe(anna, { url: receiver.url });
  await patch(anna, hook['@id'], { active: false });
  const pinged = await anna('POST', `${String(hook['@id'])}/ping`);
  expect([pinged.status, pinged.json['event'], pinged.json['status']]).toEqual([202, 'ping', 'pending']);
  await ctx.jobs.drain();
  clock.advance(600_000);
  await ctx.jobs.drain();
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
    const { ctx, clock, as } = await startLocal();
    // The verifiers look at the real clock, and a token lives an hour.
    clock.advance(Date.now() - clock.now().getTime());
    const anna = await as('anna.now@example.org');
    const receiver = await aReceiver();
    const hook = await subscribe(anna, { url: receiver.url });
    expect((await patch(anna, hook['@id'], { secret: 'the second secret' })).status).toBe(200);
    await anna('POST', '/api/webhooks/1/ping');
    await ctx.jobs.drain();
    const [during] = receiver.received as [Received];
    expect(String(during.headers['webhook-signature'])).toMatch(/^v1,\S+ v1,\S+$/);
    expect([verifies(SECRET, during), verifies('the second secret', during)]).toEqual([true, true]);

    // The same secret again prolongs nothing.
    await patch(anna, hook['@id'], { secret: 'the second secret' });
    ctx.db.raw.prepare('UPDATE webhooks SET oldSecretUntil = ?').run(clock.now().toISOString());
    await anna('POST', '/api/webhooks/1/ping');
    await ctx.jobs.drain();
    const after = receiver.received[1] as Received;
    expect([verifies(SECRET, after), verifies('the second secret', after)]).toEqual([false, true]);
  });
});
