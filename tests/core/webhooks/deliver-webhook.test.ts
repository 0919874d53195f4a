/** Deliveries reach their receivers: signed so that anyone can verify it, tried again, given up, logged. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { setUserEnabled } from '../../../src/core/users/users.js';
import { changeWebhook } from '../../../src/core/webhooks/webhooks.js';
import { redeliver } from '../../../src/core/webhooks/deliveries.js';
import { deliveryJob } from '../../../src/core/webhooks/delivery-job.js';
import type { JobRow } from '../../../src/db/schema.js';
import { TESTER } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { answered, aReceiver, silent, type Received } from '../../support/receiver.js';
import {
  allTries,
  attempts,
  delivered,
  deliveries,
  happened,
  listening,
  SECRET,
  startLocal,
  subscribed,
  webhook,
} from '../../support/subscriptions.js';

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

test('the receiver gets the body of the rules, signed inside and out; its answer is kept', async () => {
  const app = await startLocal();
  const receiver = await aReceiver(answered(200, { 'X-Request-Id': 'r1', 'Set-Cookie': 'a=b' }, 'thanks'));
  await subscribed(app, { url: `${receiver.url}/hook?a=1` });
  await happened(app, 7);
  await app.drain();

  const [got] = receiver.received as [Received];
  const content =
    '{"event":"request.updated","data":{"id":7,"reference":"REQ-2026-000007","status":"new"},"timestamp":"2026-03-02T09:14:07+00:00"';
  expect(got.body).toBe(`${content},"signature":"${hex(SECRET, `${content}}`)}"}`);
  expect(got.path).toBe('/hook?a=1');
  expect(got.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': deliveries(app)[0]?.messageId,
    'webhook-timestamp': '1772442847',
    'x-webhook-event': 'request.updated',
    'x-webhook-signature-256': `sha256=${hex(SECRET, got.body)}`,
    'user-agent': expect.stringMatching(/^esignd\/\d/),
  });
  expect(deliveries(app)[0]).toMatchObject({ state: 'delivered', finishedAt: expect.any(String) });
  const [attempt] = attempts(app);
  expect(attempt).toMatchObject({ outcome: 'delivered', status: 200, answer: 'thanks' });
  expect(JSON.parse(attempt?.headers as string)).toEqual({ 'x-request-id': 'r1', date: expect.any(String) });
});

test.each([
  ['a base64 secret', `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`, {}],
  ['a secret of words', SECRET, { format: 'raw' as const }],
])('the public verifier accepts it: %s', async (_, secret, options) => {
  const app = await startLocal();
  // It looks at the real clock.
  app.clock.set(new Date().toISOString());
  const receiver = await aReceiver();
  await subscribed(app, { url: receiver.url, secret });
  await happened(app, 7);
  await app.drain();
  const [{ body, headers }] = receiver.received as [Received];
  const verify = (text: string) =>
    new Webhook(secret, options).verify(text, headers as Record<string, string>);
  expect(verify(body)).toMatchObject({ data: { id: 7 } });
  expect(() => verify(`${body} `)).toThrow('No matching signature');
});

test('each try sends the same bytes under the same id, with a fresh time and signature', async () => {
  const { app, receiver } = await delivered(answered(500));
  app.clock.advance(5_000);
  await app.drain();
  const [first, second] = receiver.received as [Received, Received];
  expect(second.body).toBe(first.body);
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(Number(second.headers['webhook-timestamp'])).toBe(Number(first.headers['webhook-timestamp']) + 5);
  expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
});

describe('a delivery that does not arrive', () => {
  test('is tried as often as its job, then has failed like it', async () => {
    const { app } = await delivered(answered(500));
    expect(deliveries(app)).toMatchObject([{ state: 'pending' }]);
    await allTries(app);
    expect(deliveries(app)).toMatchObject([{ state: 'failed' }]);
    expect(app.jobs('deliver-webhook')).toMatchObject([{ state: 'failed', lastError: 'http_500' }]);
    expect(attempts(app).map(({ outcome }) => outcome)).toEqual(Array(7).fill('http_500'));
  });

  test('holds up none of those after it', async () => {
    const { app } = await listening((request, response) => {
      response.writeHead(request.body.includes('"id":1,') ? 500 : 204).end();
    });
    for (const id of [1, 2, 3]) await happened(app, id);
    await app.drain();
    expect(deliveries(app).map(({ state }) => state)).toEqual(['pending', 'delivered', 'delivered']);
  });

  test('without a word, as with a secret that cannot be read, fails with its job, and is replayed with it', async () => {
    const { app, webhook } = await listening();
    const setSecret = app.ctx.db.raw.prepare('UPDATE webhooks SET secret = ?');
    setSecret.run('v1.ruined');
    await happened(app);
    await allTries(app);
    const [job] = app.jobs('deliver-webhook');
    expect([deliveries(app)[0]?.state, job?.state]).toEqual(['failed', 'failed']);
    expect(job?.lastError).toContain('keys/webhooks.key');

    setSecret.run(webhook.secret);
    await replayFailed(app.ctx, [job?.id as number], { actor: TESTER });
    expect(deliveries(app)[0]?.state).toBe('delivered');
  });

  test.each([
    [429, '120', 2 * MINUTE],
    [503, 'Mon, 02 Mar 2026 09:24:07 GMT', 10 * MINUTE - 250],
    [503, '3', 5_000],
    [503, '9999999', DAY],
    [503, '2026-03-02T09:24:07+00:00', 10 * MINUTE - 250],
    [500, '120', 5_000],
    [503, 'soon', 5_000],
  ])('because of a %d with Retry-After %s comes back after %d ms', async (status, retryAfter, wait) => {
    const { app } = await delivered(answered(status, { 'Retry-After': retryAfter }));
    const runAt = Date.parse(app.jobs('deliver-webhook')[0]?.runAt as string);
    expect(runAt - app.clock.now().getTime()).toBe(wait);
  });

  test('has the word for its trouble', async () => {
    const { app } = await delivered(silent, {
      env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' },
      context: { outbound: { timeoutMs: 60 } },
    });
    expect(attempts(app)).toMatchObject([{ outcome: 'timeout', status: null, answer: null }]);
    expect(app.jobs('deliver-webhook')).toMatchObject([{ state: 'available', lastError: 'timeout' }]);
  });

  test.each([
    [6, 'available', 'pending'],
    [7, 'failed', 'failed'],
  ] as const)(
    'because its process died during try %i of seven leaves the job %s and itself %s',
    async (attempt, state, delivery) => {
      const { app } = await listening();
      await happened(app);
      app.ctx.db.raw
        .prepare(
          "UPDATE jobs SET state = 'running', attempt = ?, leaseToken = 'dead', leaseHolder = '1', leaseUntil = createdAt",
        )
        .run(attempt);
      app.clock.advance(MINUTE);
      expect(await app.ctx.jobs.recover()).toBe(1);
      expect(app.jobs('deliver-webhook')).toMatchObject([{ state }]);
      expect(deliveries(app)).toMatchObject([{ state: delivery }]);
    },
  );
});

describe('a subscription is switched off', () => {
  test('by a 410, at once; the administrator is notified; nothing more is sent', async () => {
    const { app, receiver, webhook: row } = await listening(answered(410));
    await happened(app, 1);
    await happened(app, 2);
    await app.drain();
    expect(receiver.received).toHaveLength(1);
    expect(webhook(app, row.id)).toMatchObject({ active: 0, disabledReason: 'gone' });
    expect(deliveries(app).map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(app.jobs('deliver-webhook').map(({ state }) => state)).toEqual(['completed', 'completed']);
    const [mail] = app.sandbox.mails();
    expect(mail?.subject).toBe(`Webhook ${row.id} switched off`);
    expect(mail?.text).toContain(`esignctl webhooks enable ${row.id}`);
    await happened(app, 3);
    expect(deliveries(app)).toHaveLength(2);
  });

  test('by ten failed deliveries in a row over more than a day', async () => {
    const { app, webhook: row } = await listening(answered(500));
    for (let i = 1; i <= 10; i += 1) {
      expect(webhook(app, row.id)).toMatchObject({ active: 1, failures: i - 1 });
      await happened(app);
      await allTries(app);
    }
    expect(webhook(app, row.id)).toMatchObject({ active: 0, disabledReason: 'failing' });
    expect(app.sandbox.mails().map(({ subject }) => subject)).toEqual([`Webhook ${row.id} switched off`]);
  });

  test('not by ten within less than a day; and one that gets through restarts the count', async () => {
    const { app, receiver, webhook: row } = await listening(answered(500));
    for (let i = 0; i < 11; i += 1) await happened(app, i);
    await allTries(app);
    expect(webhook(app, row.id)).toMatchObject({ active: 1, failures: 11 });

    receiver.answer = answered(204);
    await happened(app, 20);
    await app.drain();
    expect(webhook(app, row.id)).toMatchObject({ active: 1, failures: 0, failingSince: null });
  });

  test('with its owner: what is still owed is not sent', async () => {
    const { app, receiver, webhook: row } = await listening();
    await app.addUser({ role: 'ROLE_ADMIN' });
    await happened(app);
    await setUserEnabled(app.ctx, row.ownerId, false, TESTER);
    await app.drain();
    expect(receiver.received).toEqual([]);
    expect(deliveries(app)[0]?.state).toBe('failed');
    await expect(redeliver(app.ctx, 1, { actor: TESTER })).rejects.toMatchObject({
      code: 'webhook_disabled',
      message: `The account that webhook ${row.id} belongs to is closed.`,
      hint: expect.arrayContaining([expect.objectContaining({ name: 'users enable' })]) as never,
    });
  });

  test.each([
    [6, 0, 'completed'],
    [6, 1, 'failed'],
    // The second of two replayed tries is an attempt as usual.
    [1, 1, 'completed'],
  ])('before try %i, after %i replays: its job is %s', async (attempt, replays, state) => {
    const { app, receiver } = await listening();
    await happened(app);
    app.ctx.db.raw.exec(
      `UPDATE webhooks SET active = 0; UPDATE jobs SET attempt = ${attempt}, replays = ${replays}`,
    );
    await app.drain();
    expect(receiver.received).toEqual([]);
    expect(app.jobs('deliver-webhook')).toMatchObject([{ state }]);
    expect(deliveries(app)).toMatchObject([{ state: 'failed', finishedAt: app.clock.now().toISOString() }]);
    const nothing = { status: null, headers: null, answer: null, ms: 0 };
    expect(attempts(app)).toMatchObject([{ outcome: 'webhook_disabled', ...nothing }]);
  });
});

test('a job whose delivery is gone is done, with nothing sent', async () => {
  const { app, receiver } = await listening();
  await happened(app);
  app.ctx.db.raw.exec('DELETE FROM webhooks');
  expect(await app.ctx.jobs.runNow(app.jobs('deliver-webhook')[0]?.id as number)).toMatchObject({
    state: 'completed',
    outcome: 'subscription_deleted',
  });
  expect(receiver.received).toEqual([]);
});

test.each([{ deliveryId: 99 }, {}])(
  'a failed one of %o can only be removed; one that waits notices by itself',
  async (payload) => {
    const app = await startLocal();
    const why = (state: 'available' | 'failed') =>
      deliveryJob.whyPointless?.(app.ctx.db, { id: 7, payload: JSON.stringify(payload), state } as JobRow);
    expect(why('available')).toBeUndefined();
    expect(why('failed')).toMatchObject({
      code: 'webhook_deleted',
      hint: expect.arrayContaining([expect.objectContaining({ name: 'failed remove', about: [7] })]) as never,
    });
  },
);

test('the secret lies encrypted in the database; a new one replaces one whose key was lost, and the lost one signs no more', async () => {
  const app = await startLocal();
  const receiver = await aReceiver();
  const owner = await app.addUser({ role: 'ROLE_ADMIN' });
  const { id, secret } = await subscribed(app, { url: receiver.url, owner });
  expect(Buffer.from(secret.split('.')[1] as string, 'base64').toString('latin1')).not.toContain(SECRET);
  expect(secret).not.toContain(SECRET);
  app.ctx.db.raw.exec("UPDATE webhooks SET secret = 'v1.ruined'");
  const changed = await changeWebhook(app.ctx, owner, id, { secret: 'the second secret' });
  expect(changed).toMatchObject({ oldSecret: null, oldSecretUntil: null });
  await happened(app);
  await app.drain();
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
});
