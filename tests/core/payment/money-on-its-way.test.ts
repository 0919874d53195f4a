/** A payment that takes days: what is said while the money is on its way, and that nobody is made to pay twice. */
import { describe, expect, test } from 'vitest';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { command } from '../../../src/core/commands.js';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { listHistory } from '../../../src/db/history/history.js';
import { listSentMails } from '../../../src/db/mail/sent-mails.js';
import { currentPayment } from '../../support/payments.js';
import { openActNames } from '../../support/acts.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { completedApp, deliver, deliverPayment } from '../../support/webhooks.js';

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
const payment = (app: TestApp, contractId: number) => currentPayment(app.ctx.db, { contractId });
const renew = (app: TestApp, id: number, changes = {}) =>
  renewPaymentSession(app.ctx, id, { actor: TESTER, ...changes });
const giveUp = (app: TestApp, id: number, changes = {}) =>
  giveUpPayment(app.ctx, id, { actor: TESTER, reason: 'the bank refused the debit', ...changes });
const told = (app: TestApp, id: number, word: string) =>
  listHistory(app.ctx.db, { requestId: id })
    .filter(({ what }) => what === word)
    .map(({ detail }) => JSON.parse(detail) as unknown);

const mailed = (app: TestApp, id: number) =>
  listSentMails(app.ctx.db, { requestId: id }).map(({ mail }) => mail);

describe('while the money is on its way', () => {
  test('the request says so and since when, also after the date of the link; the next step is to ask', async () => {
    const { app, id } = await aPendingPayment();
    for (let day = 0; day < 3; day += 1, app.clock.advance(DAY)) {
      expect(await gravest(app, id)).toMatchObject({
        key: 'payment_pending',
        level: 'waiting',
        message: expect.stringMatching(/on its way since 2026-03-02T09:14/) as string,
        next: command('payments check', id),
      });
      expect(await gravest(app, id, false)).toMatchObject({ key: 'payment_pending' });
      expect(openActNames(app.ctx, app.request(id))).toEqual(['check-payment', 'give-up-payment']);
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
    expect(await gravest(app, id)).toMatchObject({ key: 'payment_pending' });
  });

  test('longer than banks take it is trouble, and the words tell the way out', async () => {
    const { app, id } = await aPendingPayment();
    app.clock.advance(15 * DAY);
    expect(await gravest(app, id)).toMatchObject({
      key: 'payment_pending_long',
      cause: 'long',
      level: 'trouble',
      message: expect.arrayContaining([
        { ...command('payments give-up', id), options: ['--reason', '…'] },
      ]) as unknown,
    });
  });

  test('no new link is made, not even when the provider does not know the payment any more', async () => {
    const { app, id, contract, paymentId } = await aPendingPayment();
    app.clock.advance(2 * DAY);
    expect(await rejection(renew(app, id))).toMatchObject({
      code: 'payment_pending',
      hint: expect.arrayContaining([{ ...command('payments give-up', id), reason: '…' }]) as unknown,
    });

    app.sandbox.faults.add('payment.get:404:3');
    expect(await rejection(renew(app, id))).toMatchObject({ code: 'payment_pending' });
    expect(await checkPayment(app.ctx, id, { actor: TESTER })).toEqual({
      type: 'error',
      key: 'payment_session_not_found',
    });
    expect(await gravest(app, id, false)).toMatchObject({ cause: 'gone', level: 'trouble' });
    expect(payment(app, contract.id)).toMatchObject({ paymentId, state: 'pending' });
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });

  test('a person can stop waiting for it, once, with a reason: only then a new link can be made', async () => {
    const { app, id, contract, paymentId } = await aPendingPayment();
    expect(await rejection(giveUp(app, id, { reason: ' ' }))).toMatchObject({ code: 'invalid_input' });
    await giveUp(app, id, { dryRun: true });
    expect(payment(app, contract.id)?.state).toBe('pending');

    const both = await Promise.allSettled([giveUp(app, id), giveUp(app, id)]);

    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await rejection(giveUp(app, id))).toMatchObject({ code: 'no_payment_pending' });
    expect(await gravest(app, id, false)).toMatchObject({ key: 'payment_over', cause: 'given_up' });
    expect(told(app, id, 'payment.given_up')).toEqual([{ paymentId, reason: 'the bank refused the debit' }]);
    expect(openActNames(app.ctx, app.request(id))).toEqual(
      expect.arrayContaining(['renew-payment', 'cancel']),
    );
    expect((await renew(app, id))?.paymentId).not.toBe(paymentId);
    expect(told(app, id, 'payment.renewed')).toEqual([{ paymentId }]);
  });

  test('there is nothing to give up when it has just arrived, or when the customer can still pay', async () => {
    const { app, id, paymentId } = await aPendingPayment();
    app.sandbox.settlePayment(paymentId, 'succeeded');
    expect(await rejection(giveUp(app, id))).toMatchObject({ code: 'no_payment_pending' });
    expect(app.request(id).status).toBe('COMPLETE');
    const other = await aPayableRequest();
    expect(await rejection(giveUp(other.app, other.id))).toMatchObject({ code: 'no_payment_pending' });
  });

  test('no reminder leaves, although it was ordered before', async () => {
    const { app, id, paymentId } = await aPayableRequest();
    app.clock.advance(DAY / 2);
    await remindRequest(app.ctx, id, { actor: TESTER });
    app.sandbox.pay(paymentId, { async: true });
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    await app.drain();
    expect(mailed(app, id)).not.toContain('payment-reminder');
  });

  test('the first link does not leave; the customer gets one, once, when it can be paid again', async () => {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    app.sandbox.faults.add('smtp:451');
    await app.drain();
    const paymentId = app.request(id).paymentId as string;
    app.sandbox.pay(paymentId, { async: true });
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    app.sandbox.faults.clear();
    app.clock.advance(DAY);
    await app.drain();
    expect(mailed(app, id)).not.toContain('payment-link');

    await giveUp(app, id);
    const needed = async () =>
      (await listNeeds(app.ctx, 10)).needs.map(({ kind, next }) => [kind, next.name]);
    expect(await needed()).toEqual([['payment', 'payments renew']]);
    await renew(app, id);
    await app.drain();
    expect(await needed()).toEqual([]);
    expect(mailed(app, id).filter((mail) => mail === 'payment-link')).toHaveLength(1);
  });

  test('completing by hand is refused, and nothing is changed', async () => {
    const { app, id, contract } = await aPendingPayment();
    const completing = completeRequest(app.ctx, id, { actor: TESTER, reason: 'paid in cash' });
    expect(await rejection(completing)).toMatchObject({ code: 'payment_pending' });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(payment(app, contract.id)?.state).toBe('pending');
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
  expect(await gravest(other.app, other.id)).toMatchObject({ cause: 'refused' });
  expect((await renew(other.app, other.id))?.paymentId).not.toBe(other.paymentId);
});
