/**
 * The price is compared whenever a session counts as paid, whoever brings the news (rules 2): another amount or currency completes
 * nothing and is a case for a person. Where the provider converts for the customer, the amount in our currency counts.
 */
import { describe, expect, test } from 'vitest';
import { CUSTOMER, SCHEDULE } from '../../../src/core/actor.js';
import { adviceText, command } from '../../../src/core/commands.js';
import { explain, replyAbout } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { followPayLink } from '../../../src/core/payment/follow-pay-link.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { readDashboard } from '../../../src/core/status/dashboard.js';
import { surveyTakeover } from '../../../src/core/takeover/survey.js';
import { takeOver } from '../../../src/core/takeover/take-over.js';
import { listHistory } from '../../../src/db/history/history.js';
import { findPayment } from '../../../src/db/payments/payments.js';
import type { Charged } from '../../../sandbox/payment/session.js';
import { openActNames } from '../../support/acts.js';
import { rejection, type TestApp } from '../../support/app.js';
import { linked } from '../../support/payments.js';
import { anotherMachine, backupOf } from '../../support/restored.js';
import { BY, findings, mails, REASON, sessions } from '../../support/two-pages.js';
import {
  completedApp,
  deliver,
  deliverOtherAmount,
  deliverPayment,
  signedApp,
} from '../../support/webhooks.js';

const LESS: Charged = { amount: 100, currency: 'usd' };

/** The customer has the link to the contract's page, and pays there: by default one dollar instead of 120 euros. */
async function charged(how: Charged | undefined = LESS) {
  const scene = await linked();
  scene.app.sandbox.pay(scene.paymentId, { charged: how });
  return scene;
}

const told = (app: TestApp, id: number, word: string) =>
  listHistory(app.ctx.db, { requestId: id })
    .filter(({ what }) => what === word)
    .map(({ detail }) => JSON.parse(detail) as unknown);
const needs = async (app: TestApp) => (await listNeeds(app.ctx, 9)).needs.map(({ kind }) => kind);

/** Who can bring the news, and what they get to hear. */
const NEWS: [string, (app: TestApp, id: number) => Promise<unknown>, unknown][] = [
  ['the webhook', (app, id) => deliverPayment(app, app.request(id).paymentId as string), 200],
  [
    'a check',
    (app, id) => checkPayment(app.ctx, id, BY),
    { type: 'error', key: 'old_session_paid', changed: true },
  ],
  [
    'the bulk check of a person',
    (app) => checkAllPayments(app.ctx, BY),
    expect.objectContaining({ changed: 1, failed: 0 }),
  ],
  [
    'the bulk check of the schedule',
    (app) => checkAllPayments(app.ctx, { actor: SCHEDULE }),
    expect.objectContaining({ changed: 1, failed: 0 }),
  ],
  [
    'the link to pay',
    (app, id) => followPayLink(app.ctx, app.request(id).payToken as string),
    { place: 'in_review' },
  ],
  [
    'who completes the request by hand, and is refused',
    (app, id) => rejection(completeRequest(app.ctx, id, REASON)),
    expect.objectContaining({ code: 'already_paid' }),
  ],
  [
    'who reminds the customer, and is refused',
    (app, id) => rejection(remindRequest(app.ctx, id, BY)),
    expect.objectContaining({ code: 'already_paid' }),
  ],
];

describe('a known session that was paid with another amount', () => {
  test.each(NEWS)('completes nothing: %s makes it a case, which is told once', async (_, tell, answer) => {
    const { app, id, paymentId } = await charged();

    expect(await tell(app, id)).toEqual(answer);
    // Whoever looks again learns nothing new.
    await deliverPayment(app, paymentId);
    await checkPayment(app.ctx, id, BY);
    await app.drain();

    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentId, paymentUrl: null });
    expect(told(app, id, 'payment.other_price')).toEqual([{ paymentId, amount: 100, currency: 'usd' }]);
    expect(told(app, id, 'payment.received')).toEqual([]);
    expect(findPayment(app.ctx.db, { paymentId })).toMatchObject({ state: 'case', ...LESS });
    expect(mails(app, 'payment-trouble')).toHaveLength(1);
    const mail = app.sandbox.mails().find(({ subject }) => subject.includes('Different amount'));
    expect(mail?.text).toMatch(/Amount: €120\.00\s+Paid: US\$1\.00/);
    expect(await needs(app)).toEqual(['payment']);
    const explained = await explain(app.ctx, String(id));
    expect(explained.findings[0]).toMatchObject({
      cause: 'other_price',
      next: command('payments renew', id),
    });
    expect(adviceText(explained.verdict)).toContain(`not the price of €120.00: ${paymentId} (US$1.00)`);
    expect(explained.timeline.map(({ message }) => message)).toContain(
      `Paid, but not applied, because it is not the price: US$1.00 (${paymentId})`,
    );
  });

  test.each([
    ['a little less', { amount: 11_999, currency: 'eur' }],
    ['more', { amount: 12_001, currency: 'eur' }],
    ['nothing', { amount: 0, currency: 'eur' }],
    ['the same number in another currency', { amount: 12_000, currency: 'jpy' }],
  ])('%s is another amount', async (_, how) => {
    const { app, id, paymentId } = await charged(how);
    await deliverPayment(app, paymentId);
    expect(told(app, id, 'payment.other_price')).toEqual([{ paymentId, ...how }]);
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
  });

  test('money that came after days is compared as well', async () => {
    const { app, id, paymentId } = await linked();
    app.sandbox.pay(paymentId, { async: true, charged: LESS });
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    app.sandbox.settlePayment(paymentId, 'succeeded');
    await deliverPayment(app, paymentId, { type: 'checkout.session.async_payment_succeeded' });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(told(app, id, 'payment.other_price')).toHaveLength(1);
  });

  test('an amount that the provider does not say is not the price', async () => {
    const { app, id, paymentId } = await charged();
    await deliverPayment(app, paymentId, { object: { amount_total: undefined } });
    await app.drain();
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    const mail = app.sandbox.mails().find(({ subject }) => subject.includes('Different amount'));
    expect(mail?.text).toContain('Paid: unknown');
    // Nor does its row complete the request later.
    await app.ctx.jobs.drain();
    await checkPayment(app.ctx, id, BY);
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
  });

  test('a dry run previews it and changes nothing', async () => {
    const { app, id } = await charged();
    const previewed = await checkPayment(app.ctx, id, { ...BY, dryRun: true });
    expect(previewed).toEqual({ type: 'error', key: 'old_session_paid', changed: true });
    expect(told(app, id, 'payment.other_price')).toEqual([]);
  });

  test('is what explain and the reply to the customer say before anybody here knows', async () => {
    const { app, id } = await charged();
    const { findings: found } = await explain(app.ctx, String(id));
    expect(found[0]).toMatchObject({
      cause: 'other_price_there',
      message: expect.stringContaining('paid, but US$1.00 instead of €120.00') as unknown,
      next: command('payments check', id),
    });
    expect(await replyAbout(app.ctx, app.request(id))).toContain('does not match what we expected');
  });

  test('does not keep a request from being canceled, and stays a case', async () => {
    const { app, id } = await charged();
    await cancelRequest(app.ctx, id, REASON);
    expect(app.request(id).status).toBe('CANCELED');
    expect(await findings(app, id)).toContain('payment_case: canceled_paid');
    await settleRequest(app.ctx, id, REASON);
    expect(await needs(app)).toEqual([]);
  });

  test('is a second payment when the request is complete', async () => {
    const { app, id, paymentId } = await linked();
    await deliverPayment(app, paymentId);
    await deliverOtherAmount(app, id);
    expect(app.request(id).status).toBe('COMPLETE');
    expect(await findings(app, id)).toContain('payment_case: paid_twice');
  });

  test('is found by a takeover, which tells of it and completes nothing', async () => {
    const { app: before, id, paymentId } = await linked();
    const file = await backupOf(before);
    before.sandbox.pay(paymentId, { charged: LESS });
    await before.ctx.close();
    const app = await anotherMachine(before, file);
    const found = await surveyTakeover(app.ctx, BY);
    expect(found?.plan.payments).toMatchObject([{ key: 'other_price' }]);
    if (found) await takeOver(app.ctx, found, BY);
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(await findings(app, id)).toContain('payment_case: other_price');
  });

  test('is refused a new link until somebody decides', async () => {
    const { app, id, paymentId } = await charged();
    const decide = { ...command('payments renew', id), options: ['--reason', '…'] };
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({
      code: 'already_paid',
      hint: expect.arrayContaining([decide]) as unknown,
    });
    await deliverPayment(app, paymentId);
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({ code: 'already_paid' });
    expect(await renewPaymentSession(app.ctx, id, REASON)).toMatchObject({ amount: 12_000, currency: 'eur' });
    expect(sessions(app)).toHaveLength(2);
  });

  test('counts when somebody completes the request by hand, knowing of it', async () => {
    const { app, id, paymentId } = await charged();
    await deliverPayment(app, paymentId);
    expect((await completeRequest(app.ctx, id, REASON)).status).toBe('COMPLETE');
    expect(await needs(app)).toEqual([]);
  });
});

test('renewing after a refund says in the time line that it settled the case, and every entry can be followed by its reason', async () => {
  const { app, id, paymentId } = await charged();
  await deliverPayment(app, paymentId);
  await checkPayment(app.ctx, id, BY);
  await renewPaymentSession(app.ctx, id, { ...BY, reason: 'refunded' });
  const { timeline } = await explain(app.ctx, String(id), { offline: true });
  expect(timeline).toContainEqual(
    expect.objectContaining({
      message: `New payment link requested; the case was settled for ${paymentId}`,
      note: 'refunded',
    }),
  );
  expect(timeline.filter(({ message }) => message.endsWith('.'))).toEqual([]);
});

describe('a payment of another amount that was settled while its request waits', () => {
  async function settled() {
    const scene = await charged();
    const { app, id, paymentId } = scene;
    await deliverPayment(app, paymentId);
    expect(openActNames(app.ctx, app.request(id))).toContain('settle');
    await settleRequest(app.ctx, id, { ...BY, reason: 'refunded', payments: [paymentId] });
    return scene;
  }

  test('leaves the request as it is: nobody need act, and it waits for its customer again', async () => {
    const { app, id, paymentId } = await settled();
    expect(told(app, id, 'request.settled')).toMatchObject([{ payments: [paymentId], reason: 'refunded' }]);
    expect(await needs(app)).toEqual([]);
    expect(await findings(app, id)).toContain('payment_over: settled');
    expect(readDashboard(app.ctx).waitingPayment.map(({ request }) => request.id)).toEqual([id]);
    expect(openActNames(app.ctx, app.request(id))).toEqual(
      expect.arrayContaining(['renew-payment', 'remind', 'complete', 'cancel']),
    );
    expect(await rejection(settleRequest(app.ctx, id, REASON))).toMatchObject({ code: 'nothing_to_settle' });
  });

  test('lets the customer pay the price by the same link, and never counts itself', async () => {
    const { app, id, paymentId, link } = await settled();
    expect(await link()).toEqual({ place: 'payment_page', url: sessions(app)[1]?.url });
    await deliverPayment(app, paymentId);
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    app.sandbox.pay(sessions(app)[1]?.id as string);
    expect(await link()).toEqual({ place: 'paid' });
    expect(app.request(id).status).toBe('COMPLETE');
    expect(told(app, id, 'payment.received')).toMatchObject([{ amount: 12_000, currency: 'eur' }]);
  });

  test('lets the customer who was never given a link have one', async () => {
    const { app, waiting } = await signedApp();
    const { id } = waiting.request;
    await deliverOtherAmount(app, id);
    await deliver(app, waiting.signId);
    await app.drain();
    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', payToken: null });
    await settleRequest(app.ctx, id, { ...BY, reason: 'refunded' });
    await app.drain();
    expect(mails(app, 'payment-link')).toHaveLength(1);
    expect(await findings(app, id)).toEqual(['waiting_for_payment']);
  });
});

describe('where the provider converts for the customer,', () => {
  test.each([
    ['as until March 2025', 'currency_conversion' as const],
    ['as since then', 'presentment_details' as const],
  ])('the amount in our currency counts, %s, and is what everybody is told', async (_, converted) => {
    for (const tell of [NEWS[0], NEWS[1], NEWS[4]]) {
      const { app, id, paymentId } = await charged({ amount: 14_000, currency: 'usd', converted });
      await tell?.[1](app, id);
      await app.drain();
      expect(app.request(id).status).toBe('COMPLETE');
      expect(told(app, id, 'payment.received')).toEqual([{ paymentId, amount: 12_000, currency: 'eur' }]);
      expect(
        app.sandbox
          .mails()
          .map(({ text }) => text)
          .join('\n'),
      ).not.toContain('$');
      expect(await followPayLink(app.ctx, app.request(id).payToken as string)).toEqual({ place: 'paid' });
    }
  });

  test('less than the price in our currency is another amount, whatever the customer has paid', async () => {
    const { app, id, paymentId } = await charged({ amount: 12_000, currency: 'eur' });
    const currency_conversion = { amount_total: 8_600, source_currency: 'gbp' };
    await deliverPayment(app, paymentId, { object: { currency_conversion } });
    expect(told(app, id, 'payment.other_price')).toEqual([{ paymentId, amount: 8_600, currency: 'gbp' }]);
  });
});

test.each([120.5, 2 ** 60])(
  'money of %s, which is no amount, is a case: nobody knows what was paid',
  async (amount_total) => {
    const { app, id, paymentId } = await linked();
    app.sandbox.pay(paymentId);
    const said = { amount_total, expires_at: 1e15 };
    expect(await deliverPayment(app, paymentId, { object: said })).toBe(200);
    expect(told(app, id, 'payment.other_price')).toEqual([{ paymentId, amount: null, currency: 'eur' }]);
  },
);

test('a page that a restore has hidden is found although it is open and the provider knows no address for it', async () => {
  const { app, waiting } = await completedApp({ fault: 'payment.create:answer_lost' });
  await app.drain();
  const { id } = waiting.request;
  expect(sessions(app)).toMatchObject([
    { status: 'open', customer_details: { email: null }, amount_total: null },
  ]);
  app.sandbox.faults.clear();
  const answer = await checkPayment(app.ctx, id, { actor: CUSTOMER });
  expect(answer).toMatchObject({ key: 'check_payment_info.open' });
  expect(app.request(id).paymentUrl).toBe(sessions(app)[0]?.url);
});
