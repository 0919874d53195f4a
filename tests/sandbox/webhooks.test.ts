import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aListener, anOngoing, aSandbox, createSession, read } from './support.js';

const SECRET = 'a-secret-of-the-webhook';
const digest = (text: string, secret = SECRET): string =>
  createHmac('sha256', secret).update(text).digest('hex');

describe('signature webhooks', () => {
  test('carry the flat body, signed over its bytes', async () => {
    const hook = await aListener(200);
    const sandbox = await aSandbox({ webhookUrl: hook.url, webhookSecret: SECRET });
    const { id } = await anOngoing(sandbox);
    sandbox.sign(id, { completedAt: Date.parse('2026-01-02T03:04:05Z') });
    await sandbox.settled();

    const [call, ...others] = hook.calls;
    expect(others).toEqual([]);
    expect(call!.headers['x-esign-signature-256']).toBe(`sha256=${digest(call!.body)}`);
    expect(call!.headers).toMatchObject({ 'x-esign-retry': '0', 'user-agent': 'Esign Webhook Bot' });
    expect(call!.headers['x-esign-issued-at']).toMatch(/^\d{10}$/);
    expect(JSON.parse(call!.body)).toMatchObject({
      event_name: 'signature_request.done',
      event_time: String(Date.parse('2026-01-02T03:04:05Z') / 1000),
      sandbox: true,
      data: { signature_request: { id, status: 'done', external_id: 'contract-1' } },
    });
  });

  test('are tried again with the same bytes until one is accepted', async () => {
    const hook = await aListener(500, 422, 204);
    const sandbox = await aSandbox({ webhookUrl: hook.url, webhookSecret: SECRET, retryDelaysMs: [5, 5, 5] });
    sandbox.sign((await anOngoing(sandbox)).id);
    await sandbox.settled({ retries: true });

    expect(hook.calls.map(({ headers }) => headers['x-esign-retry'])).toEqual(['0', '1', '2']);
    expect(new Set(hook.calls.map(({ body }) => body)).size).toBe(1);
    const [delivery] = sandbox.state().deliveries;
    expect(delivery).toMatchObject({ state: 'delivered', event: 'signature_request.done' });
    expect(delivery!.attempts.map(({ status }) => status)).toEqual([500, 422, 204]);
    const { eventId, subjectId } = delivery!;
    expect(sandbox.state().acknowledged).toMatchObject([{ side: 'signature', eventId, subjectId }]);
  });

  test('are given up after the last wait, with the reason kept', async () => {
    const sandbox = await aSandbox({ webhookUrl: 'http://127.0.0.1:2/nobody', webhookSecret: SECRET });
    sandbox.sign((await anOngoing(sandbox)).id);
    await sandbox.settled({ retries: true });
    const [delivery] = sandbox.state().deliveries;
    expect(delivery!.state).toBe('given_up');
    expect(delivery!.attempts).toHaveLength(3);
    expect(delivery!.attempts[0]!.error).toContain('ECONNREFUSED');
    expect(sandbox.state().acknowledged).toEqual([]);
  });

  test('the first try has little patience', async () => {
    const deaf = await aSandbox({ faults: ['signature:timeout'] });
    const sandbox = await aSandbox({
      webhookUrl: `${deaf.apiUrl}/signature_requests`,
      webhookSecret: SECRET,
      firstTimeoutMs: 30,
      retryTimeoutMs: 30,
      retryDelaysMs: [1],
    });
    sandbox.sign((await anOngoing(sandbox)).id);
    await sandbox.settled({ retries: true });
    expect(sandbox.state().deliveries[0]!.attempts.map(({ error }) => error)).toEqual(['timeout', 'timeout']);
  });

  test('go where a target set later says, under the header it names', async () => {
    const hook = await aListener(200);
    const sandbox = await aSandbox();
    const { id } = await anOngoing(sandbox);
    await fetch(`${sandbox.url}/_sandbox/webhook-targets`, {
      method: 'PUT',
      body: JSON.stringify({ webhookUrl: hook.url, webhookSecret: SECRET, webhookHeader: 'X-Other' }),
    });
    sandbox.decline(id);
    await sandbox.settled();
    expect(hook.calls[0]!.headers['x-other']).toBe(`sha256=${digest(hook.calls[0]!.body)}`);
  });

  test.each([
    ['lost', 0],
    ['duplicate', 2],
    ['late', 1],
    ['bad_hmac', 1],
  ])('fault %s: heard %i times', async (kind, times) => {
    const hook = await aListener(200);
    const options = { webhookUrl: hook.url, webhookSecret: SECRET };
    const sandbox = await aSandbox({ ...options, faults: [`webhook:${kind}:1`] });
    if (kind === 'late') {
      sandbox.faults.clear();
      sandbox.faults.add({ target: 'webhook', kind: 'late', delayMs: 20 });
    }
    sandbox.sign((await anOngoing(sandbox)).id);
    await sandbox.settled();

    expect(hook.calls).toHaveLength(times);
    expect(new Set(hook.calls.map(({ body }) => body)).size).toBe(Math.min(times, 1));
    const genuine = hook.calls.every(
      ({ headers, body }) => headers['x-esign-signature-256'] === `sha256=${digest(body)}`,
    );
    expect(genuine).toBe(kind !== 'bad_hmac');
  });
});

describe('ends', () => {
  async function heard(act: (sandbox: Awaited<ReturnType<typeof aSandbox>>, id: string) => unknown) {
    const hook = await aListener(200);
    const sandbox = await aSandbox({ webhookUrl: hook.url, webhookSecret: SECRET });
    const { id } = await anOngoing(sandbox);
    act(sandbox, id);
    await sandbox.settled();
    const [request] = sandbox.state().signatureRequests;
    return { events: hook.calls.map(({ body }) => JSON.parse(body)), request };
  }

  test('a failed signing is reported and cancels the request', async () => {
    const { events, request } = await heard((sandbox, id) => sandbox.fail(id));
    expect(events.map((event) => event.event_name).toSorted()).toEqual([
      'signature_request.canceled',
      'signer.error',
    ]);
    expect(request).toMatchObject({ status: 'canceled', signers: [{ status: 'error' }] });
  });

  test('a mail that did not arrive is reported and changes nothing', async () => {
    const { events, request } = await heard((sandbox, id) => sandbox.bounce(id));
    expect(events).toMatchObject([
      { event_name: 'signer.notification_delivery_failed', data: { signer: { status: 'notified' } } },
    ]);
    expect(request).toMatchObject({ status: 'ongoing' });
  });

  test('an end that is not true is announced all the same', async () => {
    const { events, request } = await heard((sandbox, id) => sandbox.announce(id, 'expired'));
    expect(events).toMatchObject([
      { event_name: 'signature_request.expired', data: { signature_request: { status: 'expired' } } },
    ]);
    expect(request).toMatchObject({ status: 'ongoing' });
  });

  test('the body has every member of the form of 2026', async () => {
    const sample = JSON.parse(readFileSync('tests/sandbox/signer-done-2026.json', 'utf8'));
    const { events } = await heard((sandbox, id) => sandbox.bounce(id));
    const members = (body: object) => Object.keys(body).toSorted();
    const [event] = events;
    expect(members(event)).toEqual(members(sample));
    expect(members(event.data.signature_request)).toEqual(members(sample.data.signature_request));
    expect(members(event.data.signer)).toEqual(members(sample.data.signer));
  });
});

describe('payment webhooks', () => {
  test('are signed over time and body', async () => {
    const hook = await aListener(200);
    const sandbox = await aSandbox({ paymentWebhookUrl: hook.url, paymentWebhookSecret: SECRET });
    const { id } = await read<{ id: string }>(await createSession(sandbox));
    sandbox.pay(id);
    await sandbox.settled();

    const { headers, body } = hook.calls[0]!;
    const [, time, v1] = /^t=(\d+),v1=([\da-f]{64})$/.exec(String(headers['stripe-signature'])) ?? [];
    expect(v1).toBe(digest(`${time}.${body}`));
    expect(JSON.parse(body)).toMatchObject({
      object: 'event',
      type: 'checkout.session.completed',
      livemode: false,
      data: { object: { id, status: 'complete', payment_status: 'paid', url: null } },
    });
  });

  test('are thin when the endpoint was set up for that: they name the session and hold none', async () => {
    const hook = await aListener(200);
    const sandbox = await aSandbox({
      paymentWebhookUrl: hook.url,
      paymentWebhookSecret: SECRET,
      faults: ['payment_webhook:thin'],
    });
    const { id } = await read<{ id: string }>(await createSession(sandbox));
    sandbox.pay(id);
    await sandbox.settled();
    const event = JSON.parse(hook.calls[0]!.body) as object;
    expect(event).toMatchObject({
      object: 'v2.core.event',
      type: 'v1.checkout.session.completed',
      related_object: { id, type: 'checkout.session', url: `/v1/checkout/sessions/${id}` },
    });
    expect(event).not.toHaveProperty('data');
  });

  test('tell of money that comes later, and of expiry', async () => {
    const hook = await aListener(200);
    const sandbox = await aSandbox({ paymentWebhookUrl: hook.url, paymentWebhookSecret: SECRET });
    const ids = await Promise.all(
      ['a', 'b', 'c'].map(async (key) => (await read<{ id: string }>(await createSession(sandbox, key))).id),
    );
    for (const id of ids.slice(0, 2)) sandbox.pay(id, { async: true });
    sandbox.settlePayment(ids[0]!, 'succeeded');
    sandbox.settlePayment(ids[1]!, 'failed');
    sandbox.expireSession(ids[2]!);
    await sandbox.settled();

    const heard = hook.calls.map(({ body }) => {
      const event: { type: string; data: { object: { payment_status: string } } } = JSON.parse(body);
      return `${event.type} ${event.data.object.payment_status}`;
    });
    expect(heard.sort()).toEqual([
      'checkout.session.async_payment_failed unpaid',
      'checkout.session.async_payment_succeeded paid',
      'checkout.session.completed unpaid',
      'checkout.session.completed unpaid',
      'checkout.session.expired unpaid',
    ]);
  });
});

describe('several services on one account', () => {
  test('each hear of all that happens there, under the same event id and their own secrets', async () => {
    const [one, two] = [await aListener(200), await aListener(500, 200)];
    const sandbox = await aSandbox({
      webhookUrl: one.url,
      webhookSecret: SECRET,
      paymentWebhookUrl: one.url,
      paymentWebhookSecret: 'whsec_one',
      retryDelaysMs: [5],
    });
    await fetch(`${sandbox.url}/_sandbox/webhook-targets`, {
      method: 'POST',
      body: JSON.stringify({
        webhookUrl: two.url,
        webhookSecret: 'another-secret',
        paymentWebhookUrl: two.url,
        paymentWebhookSecret: 'whsec_two',
      }),
    });
    sandbox.sign((await anOngoing(sandbox)).id);
    await sandbox.settled({ retries: true });
    const [mine, theirs, again] = [one.calls[0]!, two.calls[0]!, two.calls[1]!];
    expect(mine.headers['x-esign-signature-256']).toBe(`sha256=${digest(mine.body)}`);
    expect(theirs.headers['x-esign-signature-256']).toBe(`sha256=${digest(theirs.body, 'another-secret')}`);
    expect(again.body).toBe(theirs.body);
    const [here, there] = [JSON.parse(mine.body), JSON.parse(theirs.body)];
    expect(here).toMatchObject({ event_id: there.event_id, data: there.data });
    expect(here.subscription_id).not.toBe(there.subscription_id);

    const { id } = (await (await createSession(sandbox)).json()) as { id: string };
    sandbox.pay(id);
    await sandbox.settled({ retries: true });
    expect(one.calls.at(-1)!.body).toBe(two.calls.at(-1)!.body);
    expect(two.calls.at(-1)!.headers['stripe-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(two.calls.at(-1)!.headers['stripe-signature']).not.toBe(
      one.calls.at(-1)!.headers['stripe-signature'],
    );
  });
});
