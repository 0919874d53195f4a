/** Deliveries reach their receivers: signed so that anyone can verify it, tried again, given up, logged. */
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { prune } from '../../../src/core/retention/prune.js';
import { removeFailed, replayFailed } from '../../../src/core/jobs/failed.js';
import { sayIn } from '../../../src/core/texts/index.js';
import { setUserEnabled } from '../../../src/core/users/users.js';
import { changeWebhook } from '../../../src/core/webhooks/change-webhook.js';
import {
  getDelivery,
  ping,
  pingAndWait,
  redeliver,
  redeliverAll,
  redeliverFailed,
} from '../../../src/core/webhooks/deliveries.js';
import { deliveryJob } from '../../../src/core/webhooks/delivery-job.js';
import { laneOf, pingLaneOf } from '../../../src/core/webhooks/events.js';
import { outcomeWords } from '../../../src/core/webhooks/words.js';
import { createWebhook, deleteWebhook } from '../../../src/core/webhooks/webhooks.js';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import type { JobRow } from '../../../src/db/schema.js';
import type { Answer } from '../../../src/core/webhooks/outbound.js';
import { startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { answered, aReceiver, silent, type Received, type Receiver } from '../../support/receiver.js';
import { until } from '../../support/queue.js';
import { attempts, deliveries, happened, SECRET, subscribed, webhook } from '../../support/subscriptions.js';

const LOCAL = { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' };

const startLocal = (options: AppOptions = {}) => startApp({ env: LOCAL, ...options });

/** Today: the public verifiers look at the real clock. */
async function startNow(): Promise<TestApp> {
  const app = await startLocal();
  app.clock.set(new Date().toISOString());
  return app;
}

const headersOf = ({ headers }: Received) => headers as Record<string, string>;
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

describe('what a receiver gets', () => {
  test('the body of the rules, signed inside and out', async () => {
    const app = await startLocal();
    const receiver = await aReceiver();
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
  });

  const BASE64_SECRET = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;

  test.each([
    ['a base64 secret', BASE64_SECRET, (secret: string) => new Webhook(secret)],
    ['a secret of words', SECRET, (secret: string) => new Webhook(secret, { format: 'raw' })],
  ])('is accepted by the public verifier: %s', async (_, secret, verifier) => {
    const app = await startNow();
    const receiver = await aReceiver();
    await subscribed(app, { url: receiver.url, secret });
    await happened(app, 7);
    await app.drain();

    const [got] = receiver.received as [Received];
    expect(verifier(secret).verify(got.body, headersOf(got))).toMatchObject({ data: { id: 7 } });
    expect(() => verifier(secret).verify(`${got.body} `, headersOf(got))).toThrow('No matching signature');
  });

  test('each try sends the same bytes under the same id, with a fresh time and signature', async () => {
    const app = await startLocal();
    const receiver = await aReceiver(answered(500));
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    app.clock.advance(5_000);
    await app.drain();

    const [first, second] = receiver.received as [Received, Received];
    expect(second.body).toBe(first.body);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(Number(second.headers['webhook-timestamp'])).toBe(Number(first.headers['webhook-timestamp']) + 5);
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
  });

  test('events of one subscription in their order', async () => {
    const app = await startLocal();
    const receiver = await aReceiver();
    await subscribed(app, { url: receiver.url });
    for (let id = 1; id <= 20; id += 1) await happened(app, id);
    await app.drain();
    const ids = receiver.received.map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });
});

describe('retries', () => {
  test('5 s, 5 min, 30 min, 2 h, 5 h, 10 h; then the delivery has failed, and its job is in the failed list', async () => {
    const app = await startLocal();
    const receiver = await aReceiver(answered(500));
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    for (const [i, wait] of deliveryJob.waitsMs.entries()) {
      app.clock.advance(wait - 1);
      await app.drain();
      expect(receiver.received).toHaveLength(i + 1);
      expect(deliveries(app)[0]?.state).toBe('pending');
      app.clock.advance(1);
      await app.drain();
      expect(receiver.received).toHaveLength(i + 2);
    }
    expect(deliveries(app)[0]).toMatchObject({ state: 'failed' });
    expect(app.jobs('deliver-webhook')[0]).toMatchObject({ state: 'failed', lastError: 'http_500' });
    expect(attempts(app).map(({ outcome }) => outcome)).toEqual(Array(7).fill('http_500'));
  });

  test('a delivery that is tried again holds up none of those after it', async () => {
    const app = await startLocal();
    const receiver = await aReceiver((request, response) => {
      response.writeHead(request.body.includes('"id":1,') ? 500 : 204).end();
    });
    await subscribed(app, { url: receiver.url });
    for (const id of [1, 2, 3]) await happened(app, id);
    await app.drain();
    expect(deliveries(app).map(({ state }) => state)).toEqual(['pending', 'delivered', 'delivered']);
  });

  test('a delivery whose last try ends without a word, as with a secret that cannot be read, has failed like its job', async () => {
    const app = await startLocal();
    const { id, secret } = await subscribed(app, { url: (await aReceiver()).url });
    app.ctx.db.raw.prepare("UPDATE webhooks SET secret = 'v1.ruined' WHERE id = ?").run(id);
    await happened(app);
    await app.drain();
    expect(deliveries(app)[0]?.state).toBe('pending');
    for (const wait of deliveryJob.waitsMs) {
      app.clock.advance(wait);
      await app.drain();
    }
    const [job] = app.jobs('deliver-webhook');
    expect([deliveries(app)[0]?.state, job?.state]).toEqual(['failed', 'failed']);
    expect(job?.lastError).toContain('keys/webhooks.key');

    app.ctx.db.raw.prepare('UPDATE webhooks SET secret = ? WHERE id = ?').run(secret, id);
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
  ])('%d with Retry-After %s comes back after %d ms', async (status, retryAfter, wait) => {
    const app = await startLocal();
    const receiver = await aReceiver(answered(status, { 'Retry-After': retryAfter }));
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    const runAt = Date.parse(app.jobs('deliver-webhook')[0]?.runAt as string);
    expect(runAt - app.clock.now().getTime()).toBe(wait);
  });
});

describe('what counts as trouble, and the word for it', () => {
  test.each([301, 302, 307, 308])('a redirect (%d) is not followed', async (status) => {
    const app = await startLocal();
    const elsewhere = await aReceiver();
    const receiver = await aReceiver(answered(status, { Location: elsewhere.url }));
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    expect(elsewhere.received).toEqual([]);
    expect(attempts(app)[0]).toMatchObject({ outcome: `http_${status}`, status });
  });

  test('nobody listens there: connection_refused', async () => {
    const app = await startLocal();
    await subscribed(app, { url: 'http://127.0.0.1:9/' });
    await happened(app);
    await app.drain();
    expect(attempts(app)[0]).toMatchObject({ outcome: 'connection_refused', status: null, answer: null });
    expect(app.jobs('deliver-webhook')[0]).toMatchObject({
      state: 'available',
      lastError: 'connection_refused',
    });
  });

  test('no https there: tls_failed', async () => {
    const app = await startLocal();
    const receiver = await aReceiver();
    await subscribed(app, { url: receiver.url.replace('http:', 'https:') });
    await happened(app);
    await app.drain();
    expect(attempts(app)[0]).toMatchObject({ outcome: 'tls_failed' });
  });

  test('it hangs up: connection_lost; it talks nonsense: invalid_answer', async () => {
    const app = await startLocal();
    const receiver = await aReceiver((_, response) => void response.socket?.destroy());
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    receiver.answer = (_, response) => void response.socket?.end('SMTP ready\r\n\r\n');
    app.clock.advance(5_000);
    await app.drain();
    expect(attempts(app).map(({ outcome }) => outcome)).toEqual(['connection_lost', 'invalid_answer']);
  });

  test.each<[string, Receiver['answer'], object]>([
    [
      'is delivered, once',
      (_, response) => {
        response.writeContinue();
        response.writeProcessing();
        response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
        response.writeContinue();
        response.writeHead(204).end();
      },
      { outcome: 'delivered', status: 204 },
    ],
    [
      'says no more than the answer',
      (_, response) => {
        response.writeContinue();
        response.writeHead(503).end('later');
      },
      { outcome: 'http_503', status: 503, answer: 'later' },
    ],
    [
      'and then hangs up: connection_lost',
      (_, response) => {
        response.writeContinue();
        response.socket?.end();
      },
      { outcome: 'connection_lost', status: null },
    ],
    [
      'and then switches to a protocol that nobody wants: http_101',
      (_, response) =>
        void response.socket?.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      { outcome: 'http_101', status: 101 },
    ],
  ])('it sends interim answers that nobody asked for, %s', async (_, answer, attempt) => {
    const app = await startLocal();
    const receiver = await aReceiver(answer);
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    expect(receiver.received).toHaveLength(1);
    expect(attempts(app)).toMatchObject([attempt]);
  });

  test('it never answers: timeout', async () => {
    const app = await startLocal({ context: { outbound: { timeoutMs: 60 } } });
    const receiver = await aReceiver(silent);
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    expect(attempts(app)[0]).toMatchObject({ outcome: 'timeout', status: null });
  });
});

describe('10 s are all there is', () => {
  test.each<[string, Receiver['answer'], object]>([
    ['a receiver that is silent', silent, { outcome: 'timeout', status: null }],
    [
      'one that drips bytes',
      (_, response) => {
        response.writeHead(200).write('.');
        const drip = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(drip));
      },
      // The status it began with counts.
      { outcome: 'delivered', status: 200, body: expect.stringMatching(/^\.+$/) },
    ],
  ])('%s is cut off then, and not before', async (_, answer, outcome) => {
    const app = await startLocal();
    const receiver = await aReceiver(answer);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let ended: Answer | undefined;
    const posting = app.ctx.outbound.post({ url: receiver.url, headers: {}, body: '{}' });
    void posting.then((answer) => (ended = answer));
    while (receiver.received.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(9_999);
    for (let i = 0; i < 50; i += 1) await new Promise(setImmediate);
    expect(ended).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(await posting).toMatchObject(outcome);
  });
});

describe('the answer', () => {
  test('is kept up to 4 KiB, with the headers worth knowing; the rest is not read', async () => {
    const app = await startLocal();
    let sent = 0;
    const receiver = await aReceiver((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Request-Id': 'r1', 'Set-Cookie': 'a=b' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024))) sent += 1;
      };
      response.on('drain', more);
      more();
    });
    await subscribed(app, { url: receiver.url });
    await happened(app);
    await app.drain();
    const [attempt] = attempts(app);
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 200, answer: 'x'.repeat(4096) });
    expect(JSON.parse(attempt?.headers as string)).toEqual({
      'content-type': 'text/plain',
      'x-request-id': 'r1',
      date: expect.any(String),
    });
    expect(sent).toBeLessThan(1_000);
  });
});

describe('subscriptions that are switched off', () => {
  test('410 does it at once; the administrator is notified; nothing more is sent', async () => {
    const app = await startLocal();
    const receiver = await aReceiver(answered(410));
    const { id } = await subscribed(app, { url: receiver.url });
    await happened(app, 1);
    await happened(app, 2);
    await app.drain();
    expect(receiver.received).toHaveLength(1);
    expect(webhook(app, id)).toMatchObject({ active: 0, disabledReason: 'gone' });
    expect(deliveries(app).map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(app.jobs('deliver-webhook').map(({ state }) => state)).toEqual(['completed', 'completed']);
    const [mail] = app.sandbox.mails();
    expect(mail?.subject).toBe(`Webhook ${id} switched off`);
    expect(mail?.text).toContain(`esignctl webhooks enable ${id}`);
    await happened(app, 3);
    expect(deliveries(app)).toHaveLength(2);
  });

  /** Every try of a delivery that begins now fails. */
  async function failOne(app: TestApp): Promise<void> {
    await happened(app);
    await app.drain();
    for (const wait of deliveryJob.waitsMs) {
      app.clock.advance(wait);
      await app.drain();
    }
  }

  test('ten failed deliveries in a row over more than a day do it', async () => {
    const app = await startLocal();
    const receiver = await aReceiver(answered(500));
    const { id } = await subscribed(app, { url: receiver.url });
    for (let i = 0; i < 9; i += 1) await failOne(app);
    expect(webhook(app, id)).toMatchObject({ active: 1, failures: 9 });
    await failOne(app);
    expect(webhook(app, id)).toMatchObject({ active: 0, disabledReason: 'failing' });
    expect(app.sandbox.mails().map(({ subject }) => subject)).toEqual([`Webhook ${id} switched off`]);
  });

  test('ten within less than a day do not, and one that gets through restarts the count', async () => {
    const app = await startLocal();
    const receiver = await aReceiver(answered(500));
    const { id } = await subscribed(app, { url: receiver.url });
    for (let i = 0; i < 11; i += 1) await happened(app, i);
    await app.drain();
    for (const wait of deliveryJob.waitsMs) {
      app.clock.advance(wait);
      await app.drain();
    }
    expect(webhook(app, id)).toMatchObject({ active: 1, failures: 11 });

    receiver.answer = answered(204);
    await happened(app, 20);
    await app.drain();
    expect(webhook(app, id)).toMatchObject({ active: 1, failures: 0, failingSince: null });
  });

  test('when their owner is disabled: what is still owed is not sent', async () => {
    const app = await startLocal();
    const receiver = await aReceiver();
    const owner = await app.addUser({ role: 'ROLE_ADMIN' });
    await app.addUser({ role: 'ROLE_ADMIN' });
    await subscribed(app, { url: receiver.url, owner });
    await happened(app);
    await setUserEnabled(app.ctx, owner.id, false, TESTER);
    await app.drain();
    expect(receiver.received).toEqual([]);
    expect(deliveries(app)[0]?.state).toBe('failed');
    await expect(redeliver(app.ctx, 1, { actor: TESTER })).rejects.toMatchObject({
      code: 'webhook_disabled',
      message: 'The account that webhook 1 belongs to is closed.',
      hint: expect.arrayContaining([expect.objectContaining({ name: 'users enable' })]) as never,
    });
  });
});

test('secrets lie encrypted in the database, and their key beside it, for the service alone', async () => {
  const app = await startLocal();
  const { secret } = await subscribed(app, { url: 'https://hooks.example.org/' });
  expect(secret).not.toContain(SECRET);
  expect(Buffer.from(secret.split('.')[1] as string, 'base64').toString('latin1')).not.toContain(SECRET);
  expect(app.ctx.outbound.secrets.unseal(secret)).toBe(SECRET);
  expect(() => app.ctx.outbound.secrets.unseal(`${secret.slice(0, -6)}AAAAA=`)).toThrow('cannot be read');
  const { statSync } = await import('node:fs');
  expect(statSync(`${app.dataDir}/keys/webhooks.key`).mode & 0o777).toBe(0o600);
});

test('deliveries that ended a month ago go with their logs; those that are owed, or in the failed list, stay', async () => {
  const app = await startLocal();
  const receiver = await aReceiver((request, response) => {
    response.writeHead(request.body.includes('"id":2,') ? 500 : 204).end();
  });
  const { id } = await subscribed(app, { url: receiver.url });
  for (const about of [1, 2]) await happened(app, about);
  await app.drain();
  for (const wait of deliveryJob.waitsMs) {
    app.clock.advance(wait);
    await app.drain();
  }
  await happened(app, 3);
  app.ctx.db.raw.prepare('UPDATE webhooks SET active = 0 WHERE id = ?').run(id);
  await app.drain();
  app.ctx.db.raw.prepare('UPDATE webhooks SET active = 1 WHERE id = ?').run(id);
  await happened(app, 4);

  app.clock.advance(30 * DAY + HOUR);
  expect(await prune(app.ctx, { actor: SCHEDULE })).toMatchObject({ deliveries: 2 });
  expect(deliveries(app).map(({ id: left, state }) => [left, state])).toEqual([
    [2, 'failed'],
    [4, 'pending'],
  ]);
  expect(new Set(attempts(app).map(({ deliveryId }) => deliveryId))).toEqual(new Set([2]));

  await removeFailed(app.ctx, [app.jobs('deliver-webhook')[0]?.id as number], { actor: TESTER });
  expect(await prune(app.ctx, { actor: SCHEDULE })).toMatchObject({ deliveries: 1 });
});

test.each([
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'http_300'],
])('an answer %d counts as %s', async (status, outcome) => {
  const app = await startLocal();
  const receiver = await aReceiver(answered(status));
  await subscribed(app, { url: receiver.url });
  await happened(app);
  await app.drain();
  expect(attempts(app)).toMatchObject([{ outcome }]);
});

test('everything that never arrived at a webhook is owed again at once; what arrived is not', async () => {
  const app = await startLocal();
  const receiver = await aReceiver();
  const { id } = await subscribed(app, { url: receiver.url });
  for (const request of [1, 2, 3]) await happened(app, request);
  await app.drain();
  app.ctx.db.raw.exec(
    "UPDATE deliveries SET state = 'failed' WHERE id < 3; DELETE FROM jobs WHERE kind = 'deliver-webhook'",
  );

  expect(await redeliverFailed(app.ctx, id, { actor: TESTER })).toBe(2);
  await app.drain();

  expect(receiver.received).toHaveLength(5);
  expect(deliveries(app).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  expect(await redeliverFailed(app.ctx, id, { actor: TESTER })).toBe(0);
  await expect(redeliverFailed(app.ctx, 999, { actor: TESTER })).rejects.toMatchObject({ kind: 'not_found' });
});

test('a ping that is answered 410 switches nothing off, and one that fails counts against nobody', async () => {
  const app = await startLocal();
  const receiver = await aReceiver(answered(410));
  const { id } = await subscribed(app, { url: receiver.url });
  expect(await pingAndWait(app.ctx, id, { actor: TESTER, reason: 'a try' })).toMatchObject({
    delivery: { event: 'ping', state: 'failed' },
    attempts: [{ outcome: 'http_410' }],
  });
  expect(webhook(app, id)).toMatchObject({ active: 1, failures: 0, failingSince: null });
  expect(app.jobs('deliver-webhook')).toMatchObject([{ state: 'completed' }]);
});

test('a ping waits for no delivery, also when it is sent again', async () => {
  const app = await startLocal();
  const receiver = await aReceiver();
  const webhook = await subscribed(app, { url: receiver.url });
  await happened(app);
  await ping(app.ctx, webhook.id, { actor: TESTER });
  await app.drain();
  const lanes = [laneOf(webhook), pingLaneOf(webhook)];
  // The second time, their jobs are no longer kept.
  for (const before of ['SELECT 1', "DELETE FROM jobs WHERE kind = 'deliver-webhook'"]) {
    app.ctx.db.raw.exec(before);
    for (const delivery of deliveries(app)) await redeliver(app.ctx, delivery.id, { actor: TESTER });
    expect(app.jobs('deliver-webhook').map(({ lane }) => lane)).toEqual(lanes);
  }
});

test('what never arrived is owed again however much it is', async () => {
  const app = await startLocal();
  const { id } = await subscribed(app, { url: (await aReceiver()).url });
  const now = app.clock.now().toISOString();
  const insert = app.ctx.db.raw.prepare(
    "INSERT INTO deliveries (webhookId, messageId, event, content, state, createdAt, finishedAt) VALUES (?, ?, 'request.updated', '{}', 'failed', ?, ?)",
  );
  app.ctx.db.raw.transaction(() => {
    for (let i = 0; i < 101; i += 1) insert.run(id, `m${i}`, now, now);
  })();
  expect(await redeliverFailed(app.ctx, id, { actor: TESTER })).toBe(101);
  expect(new Set(deliveries(app).map(({ state }) => state))).toEqual(new Set(['pending']));
  expect(app.jobs('deliver-webhook')).toHaveLength(101);
  const told = "SELECT count(*) FROM history WHERE what = 'webhook.redelivered'";
  expect(app.ctx.db.raw.prepare(told).pluck().get()).toBe(101);
});

describe('deliveries sent again one by one', () => {
  test('may still wait for the daemon when the program is interrupted', async () => {
    const app = await startLocal();
    await subscribed(app, { url: 'https://hooks.example.org/' });
    await happened(app);
    const lock = takeDaemonLock(app.dataDir);
    onTestFinished(() => lock?.release());
    const stop = new AbortController();
    const sending = redeliverAll(app.ctx, [1], { actor: TESTER, signal: stop.signal });
    await until(() => app.ctx.db.raw.prepare('SELECT 1 FROM history').get() !== undefined);
    stop.abort();
    const nextTryAt = app.clock.now().toISOString();
    expect(await sending).toEqual([{ id: 1, state: 'pending', outcome: null, nextTryAt }]);
  });

  test('are at their end when a try ends that the daemon had begun before', async () => {
    const app = await startLocal();
    await subscribed(app, { url: 'https://hooks.example.org/' });
    await happened(app);
    const { raw } = app.ctx.db;
    raw.exec(
      "UPDATE jobs SET state = 'running', attempt = 1, leaseToken = 'x', leaseHolder = '1', leaseUntil = 'z'",
    );
    const lock = takeDaemonLock(app.dataDir);
    onTestFinished(() => lock?.release());
    const sending = redeliverAll(app.ctx, [1], { actor: TESTER });
    await until(() => raw.prepare('SELECT 1 FROM history').get() !== undefined);
    raw.exec(
      "UPDATE jobs SET state = 'completed', finishedAt = runAt, leaseToken = NULL, leaseHolder = NULL, leaseUntil = NULL",
    );
    expect(await sending).toMatchObject([{ id: 1, state: 'pending' }]);
  });

  test('end with the first fault of our own; a refusal ends nothing', async () => {
    const app = await startLocal();
    expect(await redeliverAll(app.ctx, [98, 99], { actor: TESTER })).toMatchObject([
      { id: 98, state: null, outcome: 'There is no delivery 98.' },
      { id: 99, state: null, outcome: 'There is no delivery 99.' },
    ]);
    app.ctx.writer.refuseWhile(() => new Error('the database is damaged'));
    await expect(redeliverAll(app.ctx, [98], { actor: TESTER })).rejects.toThrow('the database is damaged');
  });
});

test('the history tells of each step in a subscription’s life which one it was', async () => {
  const app = await startLocal();
  const { url } = await aReceiver(answered(410));
  const owner = await app.addUser({ role: 'ROLE_ADMIN' });
  const event = 'request.updated';
  const { id } = await createWebhook(app.ctx, owner, { url, event, secret: SECRET });
  await ping(app.ctx, id, { actor: TESTER, reason: 'a try' });
  await happened(app);
  await app.drain();
  await deleteWebhook(app.ctx, owner, id);
  const about = { webhookId: id, url: `${url}/`, event };
  const told = app.ctx.db.raw.prepare("SELECT what, detail FROM history WHERE what LIKE 'webhook.%'").all();
  expect(
    (told as { what: string; detail: string }[]).map(({ what, detail }) => [what, JSON.parse(detail)]),
  ).toEqual([
    ['webhook.created', about],
    ['webhook.pinged', { webhookId: id, deliveryId: 1, reason: 'a try' }],
    ['webhook.disabled', { webhookId: id, cause: 'gone', error: 'http_410' }],
    ['webhook.deleted', about],
  ]);
});

test.each<[number, 'completed' | 'failed']>([
  [0, 'completed'],
  [1, 'failed'],
])('switched off before its try, after %i replays: its job is %s', async (replays, state) => {
  const app = await startLocal();
  const receiver = await aReceiver();
  await subscribed(app, { url: receiver.url });
  await happened(app);
  app.ctx.db.raw.exec(`UPDATE webhooks SET active = 0; UPDATE jobs SET attempt = 6, replays = ${replays}`);
  await app.drain();
  expect(receiver.received).toEqual([]);
  expect(app.jobs('deliver-webhook')).toMatchObject([{ state }]);
  expect(deliveries(app)).toMatchObject([{ state: 'failed', finishedAt: app.clock.now().toISOString() }]);
  const nothing = { status: null, headers: null, answer: null, ms: 0 };
  expect(attempts(app)).toMatchObject([{ outcome: 'webhook_disabled', ...nothing }]);
});

test('switched off at the second of two replayed tries, it is tried again as usual', async () => {
  const app = await startLocal();
  await subscribed(app, { url: (await aReceiver()).url });
  await happened(app);
  app.ctx.db.raw.exec('UPDATE webhooks SET active = 0; UPDATE jobs SET attempt = 1, replays = 1');
  await app.drain();
  expect(app.jobs('deliver-webhook')).toMatchObject([{ state: 'completed' }]);
});

test('the trouble of a delivery is the receiver’s: its own last one, or why the webhook was off by then', async () => {
  const app = await startLocal();
  await subscribed(app, { url: 'https://hooks.example.org/' });
  await happened(app);
  const { raw } = app.ctx.db;
  const now = app.clock.now().toISOString();
  raw.exec("UPDATE webhooks SET lastError = 'http_503', lastErrorAt = createdAt");
  const set = raw.prepare('UPDATE deliveries SET state = ?, finishedAt = ?');
  const insert = raw.prepare(
    "INSERT INTO deliveryAttempts (deliveryId, at, ms, url, outcome) VALUES (1, ?, 1, 'https://hooks.example.org/', ?)",
  );
  const errorAfter = (state: string, ...outcomes: string[]) => {
    set.run(state, state === 'pending' ? null : now);
    raw.exec('DELETE FROM deliveryAttempts');
    for (const outcome of outcomes) insert.run(now, outcome);
    return getDelivery(app.ctx, 1).error;
  };
  const OFF = 'webhook_disabled';
  expect(errorAfter('pending')).toBeNull();
  expect(errorAfter('pending', 'http_500')).toBe('http_500');
  expect(errorAfter('pending', 'http_500', 'timeout')).toBe('timeout');
  expect(errorAfter('pending', 'http_500', 'delivered', OFF)).toBe('http_500');
  expect(errorAfter('failed', 'http_500', OFF)).toBe('http_500');
  expect(errorAfter('failed', OFF)).toBe('http_503');
  expect(errorAfter('failed')).toBeNull();
  expect(errorAfter('delivered', 'http_500', 'delivered')).toBeNull();
});

describe('a job whose delivery is gone', () => {
  const why = (app: TestApp, payload: object, state: 'available' | 'failed') =>
    deliveryJob.whyPointless?.(app.ctx.db, { id: 7, payload: JSON.stringify(payload), state } as JobRow);

  test('is done, with nothing sent', async () => {
    const app = await startLocal();
    const receiver = await aReceiver();
    const { id } = await subscribed(app, { url: receiver.url });
    await happened(app);
    app.ctx.db.raw.prepare('DELETE FROM webhooks WHERE id = ?').run(id);
    const [job] = app.jobs('deliver-webhook');
    expect(await app.ctx.jobs.runNow(job?.id as number)).toMatchObject({
      state: 'completed',
      outcome: 'subscription_deleted',
    });
    expect(receiver.received).toEqual([]);
  });

  test('is not replayed: it can only be removed; a waiting one notices by itself', async () => {
    const app = await startLocal();
    for (const payload of [{ deliveryId: 99 }, {}]) {
      expect(why(app, payload, 'available')).toBeUndefined();
      expect(why(app, payload, 'failed')).toMatchObject({
        code: 'webhook_deleted',
        hint: expect.arrayContaining([
          expect.objectContaining({ name: 'failed remove', about: [7] }),
        ]) as never,
      });
    }
  });
});

test('a new secret replaces one whose key was lost, and the lost one signs no more', async () => {
  const app = await startLocal();
  const receiver = await aReceiver();
  const owner = await app.addUser({ role: 'ROLE_ADMIN' });
  const { id } = await subscribed(app, { url: receiver.url, owner });
  app.ctx.db.raw.exec("UPDATE webhooks SET secret = 'v1.ruined'");
  expect(await changeWebhook(app.ctx, owner, id, { secret: 'the second secret' })).toMatchObject({
    oldSecret: null,
    oldSecretUntil: null,
  });
  await happened(app);
  await app.drain();
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
});

test.each([
  ['http_304', 'the receiver answered 304'],
  ['http_410', 'refused by the receiver (410)'],
  ['http_503', 'error at the receiver (503)'],
  ['http_504', 'error at the receiver (504)'],
  ['timeout', 'no answer within 10 s'],
  ['http_5030', 'http_5030'],
  ['was http_503', 'was http_503'],
  ['a new word', 'a new word'],
])('%s is told as: %s', (outcome, words) => {
  expect(outcomeWords(sayIn('en'), outcome)).toBe(words);
});

test.each([
  ['address_refused', 'son adresse n’est pas autorisée'],
  ['payment provider answered 503', 'le prestataire de paiement a répondu 503'],
  [
    'the mail server mx.test:25 did not answer in time',
    'le serveur de messagerie mx.test:25 n’a pas répondu à temps',
  ],
  ['there has never been one', 'il n’y en a jamais eu'],
  ['somebody else answered 503', 'somebody else answered 503'],
])('in French %s is told as: %s', (outcome, words) => {
  expect(outcomeWords(sayIn('fr'), outcome)).toBe(words);
});

test.for([
  [6, 'available', 'pending'],
  [7, 'failed', 'failed'],
] as const)(
  'a process that dies during try %i of seven leaves the job %s and the delivery %s',
  async ([attempt, state, delivery]) => {
    const app = await startLocal();
    await subscribed(app, { url: 'http://127.0.0.1:9/' });
    await happened(app);
    const { raw } = app.ctx.db;
    raw
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
