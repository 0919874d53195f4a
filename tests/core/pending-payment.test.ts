/** A payment that takes days: what is said while the money is on its way, and that nobody is made to pay twice. */
import { describe, expect, test } from 'vitest';
import { command } from '../../src/core/commands.js';
import { explainRequest } from '../../src/core/explain/explain.js';
import { checkPayment } from '../../src/core/payment/check-payment.js';
import { renewPaymentSession } from '../../src/core/payment/renew-payment-session.js';
import { allowedActions } from '../../src/core/requests/allowed-actions.js';
import { completeRequest } from '../../src/core/requests/complete-request.js';
import { listHistory } from '../../src/db/history/history.js';
import { findCurrentPayment } from '../../src/db/payments/payments.js';
import { rejection, startApp, TESTER, type TestApp } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { deliver, deliverPayment } from '../support/webhooks.js';

async function aPayableRequest(settings: Record<string, string> = {}) {
  const app = await startApp({ env: settings });
  const { request, contract, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const paymentId = app.request(request.id).paymentId as string;
  return { app, id: request.id, contract, paymentId };
}

/** The customer has paid by a debit, and the provider has told so. */
async function aPendingPayment(settings: Record<string, string> = {}) {
  const scene = await aPayableRequest(settings);
  const { app, paymentId } = scene;
  app.sandbox.pay(paymentId, { async: true });
  const created = Math.floor(app.clock.now().getTime() / 1000);
  await deliverPayment(app, paymentId, { paymentStatus: 'unpaid', created });
  return scene;
}

const gravest = async (app: TestApp, id: number, offline = true) =>
  (await explainRequest(app.ctx, app.request(id), { offline })).findings[0];
const payment = (app: TestApp, contractId: number) => findCurrentPayment(app.ctx.db, { contractId });
const renew = (app: TestApp, id: number, changes = {}) =>
  renewPaymentSession(app.ctx, id, { actor: TESTER, ...changes });

describe('while the money is on its way', () => {
  test('the request says so and since when, also after the date of the link; the next step is to ask', async () => {
    const { app, id } = await aPendingPayment();
    for (let day = 0; day < 3; day += 1, app.clock.advance(DAY)) {
      expect(await gravest(app, id)).toEqual({
        key: 'payment_pending_since',
        level: 'waiting',
        message: expect.stringMatching(/on its way since 2026-03-02T09:14/) as string,
        next: command('payments check', id),
      });
      expect(await gravest(app, id, false)).toMatchObject({ key: 'payment_pending_since' });
      expect(allowedActions(app.ctx, app.request(id))).toEqual(['check-payment']);
      const { timeline } = await explainRequest(app.ctx, app.request(id), { offline: true });
      expect(timeline.map(({ what }) => what)).not.toContain('date.payment_link');
    }
  });

  test('it is reported in French too', async () => {
    const { app, id } = await aPendingPayment({ ESIGN_LOCALE: 'fr' });
    expect((await gravest(app, id))?.message).toMatch(/en route depuis le 2026-03-02T09:14/);
  });

  test('it is in the history once, however often it is reported', async () => {
    const { app, id, contract, paymentId } = await aPendingPayment();
    const since = payment(app, contract.id)?.pendingSince;
    app.clock.advance(DAY);
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    await checkPayment(app.ctx, id, { actor: TESTER });
    expect(app.history(id).filter((what) => what === 'payment.pending')).toHaveLength(1);
    expect(payment(app, contract.id)?.pendingSince).toBe(since);
  });

  test('a check learns of it when the webhook is lost', async () => {
    const { app, id, contract, paymentId } = await aPayableRequest();
    app.sandbox.pay(paymentId, { async: true });
    expect(await gravest(app, id, false)).toMatchObject({ key: 'payment_pending' });
    await checkPayment(app.ctx, id, { actor: TESTER });
    expect(payment(app, contract.id)?.pendingSince).toBe(app.clock.now().toISOString());
    expect(await gravest(app, id)).toMatchObject({ key: 'payment_pending_since' });
  });

  test('longer than banks take it is trouble, and the words tell the way out', async () => {
    const { app, id } = await aPendingPayment();
    app.clock.advance(15 * DAY);
    expect(await gravest(app, id)).toMatchObject({
      key: 'payment_pending_long',
      level: 'trouble',
      message: expect.arrayContaining([
        { ...command('payments renew', id), options: ['--despite-pending', '--reason', '…'] },
      ]) as unknown,
    });
  });

  test('no new link is made, not even when the provider does not know the payment any more', async () => {
    const { app, id, contract, paymentId } = await aPendingPayment();
    app.clock.advance(2 * DAY);
    expect(await rejection(renew(app, id))).toMatchObject({
      code: 'payment_pending',
      hint: expect.arrayContaining([
        { ...command('payments renew', id), options: ['--despite-pending', '--reason', '…'] },
      ]) as unknown,
    });

    app.sandbox.faults.add('payment.get:404:3');
    expect(await rejection(renew(app, id))).toMatchObject({ code: 'payment_pending' });
    expect(await checkPayment(app.ctx, id, { actor: TESTER })).toEqual({
      type: 'error',
      key: 'payment_session_not_found',
    });
    expect(await gravest(app, id, false)).toMatchObject({ key: 'payment_pending_gone', level: 'trouble' });
    expect(payment(app, contract.id)).toMatchObject({ paymentId, status: 'open' });
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });

  test('a new link is made only by words that say so; if the first payment arrives after all, it is reported', async () => {
    const { app, id, paymentId } = await aPendingPayment();
    const made = await renew(app, id, { despitePending: true, reason: 'the bank refused the debit' });
    expect(made?.paymentId).not.toBe(paymentId);
    const renewed = listHistory(app.ctx.db, { requestId: id }).find(({ what }) => what === 'payment.renewed');
    expect(JSON.parse(renewed?.detail ?? '')).toEqual({
      paymentId,
      despitePending: true,
      reason: 'the bank refused the debit',
    });
    await deliverPayment(app, paymentId, { type: 'checkout.session.async_payment_succeeded' });
    expect(app.history(id)).toContain('payment.old_session_paid');
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
  });

  test('completing by hand is refused, and nothing is changed', async () => {
    const { app, id, contract } = await aPendingPayment();
    const completing = completeRequest(app.ctx, id, { actor: TESTER, reason: 'paid in cash' });
    expect(await rejection(completing)).toMatchObject({ code: 'payment_pending' });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(payment(app, contract.id)?.status).toBe('open');
  });
});

test('money that comes in the end completes the request; money that fails gives way to a new link', async () => {
  const { app, id, paymentId } = await aPendingPayment();
  await deliverPayment(app, paymentId, { type: 'checkout.session.async_payment_succeeded' });
  expect(app.request(id).status).toBe('COMPLETE');

  const other = await aPendingPayment();
  other.app.sandbox.settlePayment(other.paymentId, 'failed');
  const type = 'checkout.session.async_payment_failed';
  await deliverPayment(other.app, other.paymentId, { type, paymentStatus: 'unpaid' });
  expect(await gravest(other.app, other.id)).toMatchObject({ key: 'payment_refused' });
  expect((await renew(other.app, other.id))?.paymentId).not.toBe(other.paymentId);
});
