/** What support does with deliveries: send them again, ping, and read what came of them. */
import { expect, onTestFinished, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { removeFailed } from '../../../src/core/jobs/failed.js';
import { prune } from '../../../src/core/retention/prune.js';
import {
  getDelivery,
  ping,
  pingAndWait,
  redeliver,
  redeliverAll,
  redeliverFailed,
} from '../../../src/core/webhooks/deliveries.js';
import { laneOf, pingLaneOf } from '../../../src/core/webhooks/events.js';
import { createWebhook, deleteWebhook } from '../../../src/core/webhooks/webhooks.js';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import { TESTER } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { told, until } from '../../support/queue.js';
import { answered, aReceiver } from '../../support/receiver.js';
import {
  allTries,
  attempts,
  deliveries,
  happened,
  listening,
  SECRET,
  startLocal,
  webhook,
} from '../../support/subscriptions.js';

const BY = { actor: TESTER };

test('deliveries that ended a month ago go with their logs; those that are owed, or in the failed list, stay', async () => {
  const { app } = await listening((request, response) => {
    response.writeHead(request.body.includes('"id":2,') ? 500 : 204).end();
  });
  const setActive = app.ctx.db.raw.prepare('UPDATE webhooks SET active = ?');
  for (const about of [1, 2]) await happened(app, about);
  await allTries(app);
  await happened(app, 3);
  setActive.run(0);
  await app.drain();
  setActive.run(1);
  await happened(app, 4);

  app.clock.advance(30 * DAY + HOUR);
  expect(await prune(app.ctx, { actor: SCHEDULE })).toMatchObject({ deliveries: 2 });
  expect(deliveries(app).map(({ id, state }) => [id, state])).toEqual([
    [2, 'failed'],
    [4, 'pending'],
  ]);
  expect(new Set(attempts(app).map(({ deliveryId }) => deliveryId))).toEqual(new Set([2]));

  await removeFailed(app.ctx, [app.jobs('deliver-webhook')[0]?.id as number], BY);
  expect(await prune(app.ctx, { actor: SCHEDULE })).toMatchObject({ deliveries: 1 });
});

test('everything that never arrived at a webhook is owed again at once; what arrived is not', async () => {
  const { app, receiver, webhook } = await listening();
  for (const request of [1, 2, 3]) await happened(app, request);
  await app.drain();
  app.ctx.db.raw.exec(
    "UPDATE deliveries SET state = 'failed' WHERE id < 3; DELETE FROM jobs WHERE kind = 'deliver-webhook'",
  );
  expect(await redeliverFailed(app.ctx, webhook.id, BY)).toBe(2);
  await app.drain();
  expect(receiver.received).toHaveLength(5);
  expect(deliveries(app).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  expect(await redeliverFailed(app.ctx, webhook.id, BY)).toBe(0);
  await expect(redeliverFailed(app.ctx, 999, BY)).rejects.toMatchObject({ kind: 'not_found' });
});

test('what never arrived is owed again however much it is', async () => {
  const { app, webhook } = await listening();
  const insert = app.ctx.db.raw.prepare(
    `INSERT INTO deliveries (webhookId, messageId, event, content, state, createdAt, finishedAt)
     VALUES (?, ?, 'request.updated', '{}', 'failed', 'then', 'then')`,
  );
  app.ctx.db.raw.transaction(() => {
    for (let i = 0; i < 101; i += 1) insert.run(webhook.id, `m${i}`);
  })();
  expect(await redeliverFailed(app.ctx, webhook.id, BY)).toBe(101);
  expect(new Set(deliveries(app).map(({ state }) => state))).toEqual(new Set(['pending']));
  expect(app.jobs('deliver-webhook')).toHaveLength(101);
  expect(told(app.ctx, 'webhook.redelivered')).toHaveLength(101);
});

test('a ping that is answered 410 switches nothing off, and one that fails counts against nobody', async () => {
  const { app, webhook: row } = await listening(answered(410));
  expect(await pingAndWait(app.ctx, row.id, { ...BY, reason: 'a try' })).toMatchObject({
    delivery: { event: 'ping', state: 'failed' },
    attempts: [{ outcome: 'http_410' }],
  });
  expect(webhook(app, row.id)).toMatchObject({ active: 1, failures: 0, failingSince: null });
  expect(app.jobs('deliver-webhook')).toMatchObject([{ state: 'completed' }]);
});

test('a ping waits for no delivery, also when it is sent again', async () => {
  const { app, webhook } = await listening();
  await happened(app);
  await ping(app.ctx, webhook.id, BY);
  await app.drain();
  const lanes = [];
  // The second time, their jobs are no longer kept.
  for (const before of ['SELECT 1', "DELETE FROM jobs WHERE kind = 'deliver-webhook'"]) {
    app.ctx.db.raw.exec(before);
    for (const delivery of deliveries(app)) await redeliver(app.ctx, delivery.id, BY);
    lanes.push(app.jobs('deliver-webhook').map(({ lane }) => lane));
  }
  const own = [laneOf(webhook), pingLaneOf(webhook)];
  expect(lanes).toEqual([own, own]);
});

/** One is being sent again while a daemon holds the data, which does nothing yet. */
async function sendingBeside(before: string, signal?: AbortSignal) {
  const { app } = await listening();
  await happened(app);
  const { raw } = app.ctx.db;
  raw.exec(before);
  const lock = takeDaemonLock(app.dataDir);
  onTestFinished(() => lock?.release());
  const sending = redeliverAll(app.ctx, [1], { ...BY, signal });
  await until(() => raw.prepare('SELECT 1 FROM history').get() !== undefined);
  return { app, raw, sending };
}

test('a delivery sent again may still wait for the daemon when the program is interrupted', async () => {
  const stop = new AbortController();
  const { app, sending } = await sendingBeside('SELECT 1', stop.signal);
  stop.abort();
  const nextTryAt = app.clock.now().toISOString();
  expect(await sending).toEqual([{ id: 1, state: 'pending', outcome: null, nextTryAt }]);
});

test('one is at its end when a try ends that the daemon had begun before', async () => {
  const { raw, sending } = await sendingBeside(
    "UPDATE jobs SET state = 'running', attempt = 1, leaseToken = 'x', leaseHolder = '1', leaseUntil = 'z'",
  );
  raw.exec(
    "UPDATE jobs SET state = 'completed', finishedAt = runAt, leaseToken = NULL, leaseHolder = NULL, leaseUntil = NULL",
  );
  expect(await sending).toMatchObject([{ id: 1, state: 'pending' }]);
});

test('several sent again end with the first fault of our own; a refusal ends nothing', async () => {
  const app = await startLocal();
  expect(await redeliverAll(app.ctx, [98, 99], BY)).toMatchObject([
    { id: 98, state: null, outcome: 'There is no delivery 98.' },
    { id: 99, state: null, outcome: 'There is no delivery 99.' },
  ]);
  app.ctx.writer.refuseWhile(() => new Error('the database is damaged'));
  await expect(redeliverAll(app.ctx, [98], BY)).rejects.toThrow('the database is damaged');
});

test('the history tells of each step in a subscription’s life which one it was', async () => {
  const app = await startLocal();
  const { url } = await aReceiver(answered(410));
  const owner = await app.addUser({ role: 'ROLE_ADMIN' });
  const event = 'request.updated';
  const { id: webhookId } = await createWebhook(app.ctx, owner, { url, event, secret: SECRET });
  await ping(app.ctx, webhookId, { ...BY, reason: 'a try' });
  await happened(app);
  await app.drain();
  await deleteWebhook(app.ctx, owner, webhookId);
  const about = { webhookId, url: `${url}/`, event };
  expect(
    ['created', 'pinged', 'disabled', 'deleted'].map((what) => told(app.ctx, `webhook.${what}`)),
  ).toEqual([
    [about],
    [{ webhookId, deliveryId: 1, reason: 'a try' }],
    [{ webhookId, cause: 'gone', error: 'http_410' }],
    [about],
  ]);
});

const OFF = 'webhook_disabled';

test.each([
  ['pending', [], null],
  ['pending', ['http_500'], 'http_500'],
  ['pending', ['http_500', 'timeout'], 'timeout'],
  ['pending', ['http_500', 'delivered', OFF], 'http_500'],
  ['failed', ['http_500', OFF], 'http_500'],
  ['failed', [OFF], 'http_503'],
  ['failed', [], null],
  ['delivered', ['http_500', 'delivered'], null],
])(
  'the trouble of a delivery is the receiver’s: its own last one, or why the webhook was off by then: %s after %j: %s',
  async (state, outcomes, error) => {
    const { app } = await listening();
    await happened(app);
    const { raw } = app.ctx.db;
    const now = app.clock.now().toISOString();
    raw.exec("UPDATE webhooks SET lastError = 'http_503', lastErrorAt = createdAt");
    raw
      .prepare('UPDATE deliveries SET state = ?, finishedAt = ?')
      .run(state, state === 'pending' ? null : now);
    const insert = raw.prepare(
      "INSERT INTO deliveryAttempts (deliveryId, at, ms, url, outcome) VALUES (1, ?, 1, 'https://hooks.example.org/', ?)",
    );
    for (const outcome of outcomes) insert.run(now, outcome);
    expect(getDelivery(app.ctx, 1).error).toBe(error);
  },
);
