/** What is published, to whom, and that it stands or falls with the change it tells of. */
import { describe, expect, test } from 'vitest';
import { laneOf, pingLaneOf, publishEvent } from '../../../src/core/webhooks/events.js';
import { createRequest } from '../../../src/core/requests/enter-request.js';
import { setUserEnabled } from '../../../src/core/users/users.js';
import type { DeliveryRow, EventName, UserRow } from '../../../src/db/schema.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

const now = '2026-03-02T09:14:07.250Z';

const subscribe = (
  app: TestApp,
  owner: UserRow,
  event: EventName = 'request.updated',
  url = 'https://a.example/x',
) => app.ctx.writer.write((db) => insertWebhook(db, { ownerId: owner.id, url, event, secret: 's', now }));

const deliveries = (app: TestApp) =>
  app.ctx.db.raw.prepare('SELECT * FROM deliveries ORDER BY id').all() as DeliveryRow[];

const statuses = (app: TestApp) =>
  deliveries(app).map(({ content }) => (JSON.parse(content) as { data: { status: string } }).data.status);

test('a subscription receives events about its owner’s resources, an administrator’s about all, and none that it did not ask for', async () => {
  const app = await startApp();
  const [anna, ben] = [await app.addUser(), await app.addUser()];
  const admin = await app.addUser({ role: 'ROLE_ADMIN' });
  const [ofAnna, ofAdmin] = [await subscribe(app, anna), await subscribe(app, admin)];
  await subscribe(app, ben);
  await subscribe(app, anna, 'offer.created');
  const request = await app.addRequest(anna);

  await app.ctx.writer.write((db) => publishEvent(db, { event: 'request.updated', about: request, now }));

  expect(deliveries(app).map(({ webhookId }) => webhookId)).toEqual([ofAnna.id, ofAdmin.id]);
  expect(app.jobs('deliver-webhook').map(({ payload }) => JSON.parse(payload))).toEqual([
    { deliveryId: 1 },
    { deliveryId: 2 },
  ]);
});

test('an administrator’s subscription receives an event about its own resource once', async () => {
  const app = await startApp();
  const admin = await app.addUser({ role: 'ROLE_ADMIN' });
  await subscribe(app, admin);
  const about = await app.addRequest(admin);
  await app.ctx.writer.write((db) => publishEvent(db, { event: 'request.updated', about, now }));
  expect(deliveries(app)).toHaveLength(1);
});

test('the subscriptions of a disabled user hear nothing, nor do those that are switched off; another’s does', async () => {
  const app = await startApp();
  const addAdmin = () => app.addUser({ role: 'ROLE_ADMIN' });
  const [gone, off, other] = [await addAdmin(), await addAdmin(), await addAdmin()];
  for (const each of [gone, off, other]) await subscribe(app, each);
  await setUserEnabled(app.ctx, gone.id, false, TESTER);
  app.ctx.db.raw.prepare('UPDATE webhooks SET active = 0 WHERE ownerId = ?').run(off.id);
  const about = await app.addRequest();
  await app.ctx.writer.write((db) => publishEvent(db, { event: 'request.updated', about, now }));
  expect(deliveries(app)).toMatchObject([{ webhookId: 3 }]);
});

test('the body is frozen: members in the order of the rules, the time with its offset', async () => {
  const app = await startApp();
  const admin = await app.addUser({ role: 'ROLE_ADMIN' });
  await subscribe(app, admin, 'request.created');
  const { request } = await createRequest(app.ctx, admin, {
    title: 'T',
    description: 'D',
    equipmentId: (await app.addRequest(admin)).equipmentId,
  });
  expect(deliveries(app)[0]?.content).toBe(
    `{"event":"request.created","data":{"id":${request.id},"reference":"${request.reference}","status":"new"},` +
      '"timestamp":"2026-03-02T09:14:07+00:00"}',
  );
});

test('ids of messages are UUIDs of version 7 and sort by time', async () => {
  const app = await startApp();
  await subscribe(app, await app.addUser({ role: 'ROLE_ADMIN' }));
  const about = await app.addRequest();
  const times = ['2026-03-02T09:14:07.250Z', '2026-03-02T09:14:07.251Z', '2027-01-01T00:00:00.000Z'];
  for (const at of times) {
    await app.ctx.writer.write((db) => publishEvent(db, { event: 'request.updated', about, now: at }));
  }
  const ids = deliveries(app).map(({ messageId }) => messageId);
  expect(ids.toSorted()).toEqual(ids);
  // The first 48 bits are its milliseconds.
  expect(ids.map((id) => parseInt(id.replace('-', '').slice(0, 12), 16))).toEqual(
    times.map((at) => Date.parse(at)),
  );
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an owner has four lanes to a target and one for pings; a subscription stays in its own', () => {
  const lane = (id: number, url = 'https://a.example/x', ownerId = 1) => laneOf({ id, url, ownerId });
  expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map((id) => lane(id))).size).toBe(4);
  expect([lane(5), lane(1, 'https://a.example/y?z')]).toEqual([lane(1), lane(1)]);
  expect(lane(1, 'https://a.example:8443/x')).not.toBe(lane(1));
  expect(lane(1, 'https://a.example/x', 2)).not.toBe(lane(1));
  const ping = pingLaneOf({ id: 1, url: 'https://a.example/x', ownerId: 1 });
  expect([1, 2, 3, 4].map((id) => lane(id))).not.toContain(ping);
});

test('a change that is undone publishes nothing', async () => {
  const app = await startApp();
  await subscribe(app, await app.addUser({ role: 'ROLE_ADMIN' }));
  const about = await app.addRequest();
  await expect(
    app.ctx.writer.write((db) => {
      publishEvent(db, { event: 'request.updated', about, now });
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(deliveries(app)).toEqual([]);
  expect(app.jobs('deliver-webhook')).toEqual([]);
});

describe('changes of a request are published', () => {
  test('sent for signature, signed, payment link made, paid', async () => {
    const app = await startApp();
    const admin = await app.addUser({ role: 'ROLE_ADMIN' });
    await subscribe(app, admin);
    const { request, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    await deliver(app, signId);
    for (const job of app.jobs('create-payment-session')) await app.ctx.jobs.runNow(job.id);
    await deliverPayment(app, app.request(request.id).paymentId as string);

    expect(statuses(app)).toEqual(['WAITING_SIGNATURE', 'WAITING_PAYMENT', 'WAITING_PAYMENT', 'COMPLETE']);
    expect(new Set(app.jobs('deliver-webhook').map(({ requestId }) => requestId))).toEqual(
      new Set([request.id]),
    );
  });
});
