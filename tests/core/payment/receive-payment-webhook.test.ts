/**
 * The payment provider's webhook (rules 3): what is taken, and what its events do; what proves one is in payment-event.test.ts. An endpoint
 * that sends thin events is set up wrongly, which is told until it sends a whole event.
 */
import { expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { checkPayments } from '../../../src/core/doctor/upkeep-checks.js';
import { explain } from '../../../src/core/explain/explain.js';
import { newestRejected } from '../../../src/core/inbox/inbox.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { receivePaymentWebhook } from '../../../src/core/payment/receive-payment-webhook.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { iso } from '../../../src/core/clock.js';
import { startApp, type TestApp } from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { BY, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliverPayment, stripeSignature } from '../../support/webhooks.js';

const send = async (app: TestApp, body: object | string, signature?: string | null, secret?: string) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const rawBody = Buffer.from(text);
  const by = signature === undefined ? stripeSignature(app, text, secret) : (signature ?? undefined);
  return (await receivePaymentWebhook(app.ctx, { rawBody, signature: by, address: '192.0.2.8' })).status;
};
const PAID = {
  id: 'evt_1',
  type: 'checkout.session.completed',
  data: { object: { id: 'cs_1', payment_status: 'paid' } },
};
const isStored = (app: TestApp) => app.ctx.db.raw.prepare('SELECT count(*) FROM inbox').pluck().get();

test('forged events are answered 400 and move nothing; the reasons are kept', async () => {
  const app = await startApp();
  for (const signature of [null, '', 'nonsense', `t=1,v1=${'0'.repeat(64)}`])
    expect(await send(app, PAID, signature)).toBe(400);
  expect(await send(app, PAID, undefined, 'somebody-elses-secret')).toBe(400);
  expect(isStored(app)).toBe(0);
  const reasons = newestRejected(app.ctx, 20).map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(['missing_signature', 'wrong_signature']));
});

test('an address that forges more than 60 a minute gets 429, a genuine delivery from it still 200', async () => {
  const app = await startApp();
  const answers = [];
  for (let i = 0; i < 62; i += 1) answers.push(await send(app, '{}', null));
  expect(answers).toEqual([...Array<number>(60).fill(400), 429, 429]);
  expect(newestRejected(app.ctx, 100)).toHaveLength(60);
  expect(await send(app, PAID)).toBe(200);
});

test('without a secret in the settings there is no such endpoint', async () => {
  const app = await startApp({ env: { ESIGN_PAYMENT_WEBHOOK_SECRET: '' } });
  expect(await send(app, PAID)).toBe(404);
});

test('a genuine body that is unusable is answered 400; one about something without an id is stored and ignored', async () => {
  const app = await startApp();
  for (const body of ['hello', { ...PAID, type: undefined }, { ...PAID, data: {} }])
    expect(await send(app, body)).toBe(400);
  expect(isStored(app)).toBe(0);
  expect(await send(app, { id: 'evt_1', type: 'balance.available', data: { object: {} } })).toBe(200);
  expect(isStored(app)).toBe(1);
});

const words: Words = {
  hearsAllAtOnce: (s) =>
    s.does((app) =>
      Promise.all(
        ['evt_1', 'evt_1', 'evt_2', 'evt_1'].map((eventId) =>
          deliverPayment(app, s.page('older'), { eventId }),
        ),
      ),
    ),
  hearsOfContractBeforeReset: (s) =>
    s.does(async (app, id) => {
      const { externalId: client_reference_id, amount: amount_total, currency } = app.contract(id);
      await resetSignature(app.ctx, id, BY);
      await deliverPayment(app, 'cs_early', { object: { client_reference_id, amount_total, currency } });
    }),
};

table(
  `
  paid completes the request, once, however often and how simultaneously it is reported
    linked; pays older; hearsAllAtOnce
    → COMPLETE; names older; shown; payments paid; told payment.received 1 request.moved 3; outcomes paid repeat
  nothing to pay counts as paid
    linked; hears older paymentStatus=no_payment_required → COMPLETE
  refused by the bank is told to the office once, and the link that no longer works is taken away
    linked; pending older; refused older; refused older
    → WAITING_PAYMENT; names older; not shown; told payment.failed 1; mails payment-trouble 1;
    outcomes not_paid_yet payment_failed repeat
  over takes the link away, too
    linked; ends older; ended older
    → names older; not shown; payments over; findings payment_over: expired; outcomes session_expired
  the end of an old page leaves the new link
    linked; ends older; renewed; ended older → names newer; link payment_page newer
  what is told after the payment, in whatever order, changes nothing
    linked; paid older; hears older paymentStatus=unpaid; refused older; ended older
    → COMPLETE; payments paid; mails payment-trouble 0; outcomes paid repeat repeat repeat
  events that say nothing of the money are stored and ignored
    linked; hears older type=checkout.session.viewed; hears older type=charge.refunded; hears cs_of_somebody_else
    → WAITING_PAYMENT; outcomes not_used not_used unknown_session
  a second payment is a case for the office
    twoOpen; paid older; hears newer
    → told payment.received 1 payment.old_session_paid 1; mails payment-trouble 1; outcomes paid old_session_paid
  so is one of a contract that was replaced, before the new one has a link
    linked; canceled; reopened; sentNext; signed; hears older
    → WAITING_PAYMENT; mails payment-trouble 1; outcomes old_session_paid
  and one for a contract that was reset before it was signed
    sent; hearsOfContractBeforeReset → WAITING_SIGNATURE; mails payment-trouble 1; outcomes old_session_paid
  one whose answer was lost is taken for ours by its name, and its customer is not asked twice
    completed; fault payment.create:answer_lost:1; drained; hears older paymentStatus=unpaid → WAITING_PAYMENT
    paid older; waits 1m; drained → COMPLETE; names older; sessions complete; jobs completed`,
  { words },
);

/** What the provider sends to an endpoint for thin payloads when this session is paid. */
const thin = (app: TestApp, paymentId = 'cs_1234567') => ({
  id: `evt_${paymentId}`,
  object: 'v2.core.event',
  created: iso(app.clock.now()),
  related_object: { id: paymentId, type: 'checkout.session', url: `/v1/checkout/sessions/${paymentId}` },
  type: 'v1.checkout.session.completed',
});
const needs = async (app: TestApp) =>
  (await listNeeds(app.ctx, 9)).needs.map(({ kind, since, next }) => [kind, since, next.name]);
const checks = (app: TestApp) => checkPayments(app.ctx.config, app.ctx.db);

test('a thin event is answered 400, stored as rejected, and told to the office until a whole one comes', async () => {
  const { app, id, page } = await story().linked().pays('older').end();
  const before = isStored(app);
  const since = iso(app.clock.now());

  for (let n = 0; n < 2; n += 1, app.clock.advance(MINUTE))
    expect(await send(app, thin(app, page('older')))).toBe(400);

  expect(app.request(id).status).toBe('WAITING_PAYMENT');
  expect(isStored(app)).toBe(before);
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
  const missed = { key: 'webhook_missed', cause: 'thin', next: command('payments check', id) };
  expect(findings[0]).toMatchObject(missed);
  expect(timeline.map(({ message }) => message).join('\n')).toContain('thin event');

  await deliverPayment(app, 'cs_of_anybody');
  expect(await needs(app)).toEqual([]);
  expect(checks(app)).toEqual([]);
});

test('a forged thin event, or one of a webhook that is switched off, says nothing of our endpoint', async () => {
  const app = await startApp();
  expect(await send(app, thin(app), undefined, 'another secret')).toBe(400);
  expect(await needs(app)).toEqual([]);
  expect(await send(app, thin(app))).toBe(400);
  expect(await needs(app)).toHaveLength(1);
  app.ctx.config.paymentWebhookSecrets = [];
  expect(await needs(app)).toEqual([]);
});
