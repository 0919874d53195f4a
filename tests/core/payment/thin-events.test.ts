/** Thin events (rules 3): an endpoint that sends them is set up wrongly, which is told until it sends a whole event. */
import { expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { checkPayments } from '../../../src/core/doctor/upkeep-checks.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { receivePaymentWebhook } from '../../../src/core/payment/receive-payment-webhook.js';
import { iso } from '../../../src/core/clock.js';
import { PAYMENT_WEBHOOK_SECRET, startApp, type TestApp } from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { completedApp, deliverPayment, stripeSignature } from '../../support/webhooks.js';

/** What the provider sends to an endpoint for thin payloads when this session is paid. */
async function deliverThin(app: TestApp, paymentId: string, secret?: string): Promise<number> {
  const body = JSON.stringify({
    id: `evt_${paymentId}`,
    object: 'v2.core.event',
    created: iso(app.clock.now()),
    related_object: { id: paymentId, type: 'checkout.session', url: `/v1/checkout/sessions/${paymentId}` },
    type: 'v1.checkout.session.completed',
  });
  const signature = stripeSignature(app, body, secret);
  const delivery = { rawBody: Buffer.from(body), signature, address: '192.0.2.8' };
  return (await receivePaymentWebhook(app.ctx, delivery)).status;
}

const needs = async (app: TestApp) =>
  (await listNeeds(app.ctx, 9)).needs.map(({ kind, since, next }) => [kind, since, next.name]);
const checks = (app: TestApp) => checkPayments(app.ctx.config, app.ctx.db);
const inbox = (app: TestApp) => app.ctx.db.raw.prepare('SELECT count(*) FROM inbox').pluck().get();

test('a thin event is answered 400, stored as rejected, and told to the office until a whole one comes', async () => {
  const { app, waiting } = await completedApp();
  await app.drain();
  const { id } = waiting.request;
  const paymentId = app.request(id).paymentId as string;
  expect(await needs(app)).toEqual([]);
  const before = inbox(app);
  const since = iso(app.clock.now());

  app.sandbox.pay(paymentId);
  expect(await deliverThin(app, paymentId)).toBe(400);
  app.clock.advance(MINUTE);
  expect(await deliverThin(app, paymentId)).toBe(400);

  expect(app.request(id).status).toBe('WAITING_PAYMENT');
  expect(inbox(app)).toBe(before);
  expect(await needs(app)).toEqual([['payment_webhook', since, 'doctor']]);
  expect(checks(app)).toMatchObject([
    {
      name: 'payment webhook',
      state: 'failed',
      message: expect.stringContaining(since) as unknown,
      fix: expect.stringContaining('snapshot payloads') as unknown,
    },
  ]);
  const { findings, timeline } = await explain(app.ctx, String(id));
  expect(findings[0]).toMatchObject({
    key: 'webhook_missed',
    cause: 'thin',
    next: command('payments check', id),
  });
  expect(timeline.map(({ message }) => message).join('\n')).toContain('thin event');

  app.clock.advance(MINUTE);
  await deliverPayment(app, 'cs_of_anybody');
  expect(await needs(app)).toEqual([]);
  expect(checks(app)).toEqual([]);
});

test('a forged thin event, or one of a webhook that is switched off, says nothing of our endpoint', async () => {
  const app = await startApp();
  expect(await deliverThin(app, 'cs_1234567', 'another secret')).toBe(400);
  expect(await needs(app)).toEqual([]);
  expect(await deliverThin(app, 'cs_1234567', PAYMENT_WEBHOOK_SECRET)).toBe(400);
  expect(await needs(app)).toHaveLength(1);
  app.ctx.config.paymentWebhookSecrets = [];
  expect(await needs(app)).toEqual([]);
});
