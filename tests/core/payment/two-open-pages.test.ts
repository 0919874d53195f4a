/** Two payment pages of one contract that are both open, and what happens while the provider is being asked (others: histories.test.ts). */
import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { findPayment } from '../../../src/db/payments/payments.js';
import { rejection } from '../../support/app.js';
import { linked } from '../../support/payments.js';
import { BY, REASON, RECEIVED, findings, twoOpen } from '../../support/two-pages.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

test('a page that is paid while the check closes it is a case', async () => {
  const { app, id, older, newer } = await twoOpen();
  app.sandbox.pay(newer);
  await deliverPayment(app, newer);
  const expire = app.ctx.payment.expireSession.bind(app.ctx.payment);
  app.ctx.payment.expireSession = (paymentId) => {
    app.sandbox.pay(older);
    return expire(paymentId);
  };
  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({ failed: 0, changed: 1 });
  expect(await findings(app, id)).toContain('payment_case: paid_twice');
});

test('a check says that the newer is open although the provider does not know the older any more', async () => {
  const { app, id, older } = await twoOpen();
  const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
  app.ctx.payment.getSession = (paymentId) =>
    paymentId === older
      ? Promise.reject(new ProviderError('not_found', 'payment provider answered 404'))
      : ask(paymentId);
  expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'check_payment_info.open' });
});

test('a check that cannot ask about each session changes nothing', async () => {
  const { app, id, older, newer } = await twoOpen();
  app.sandbox.pay(older);
  const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
  app.ctx.payment.getSession = (paymentId) => {
    if (paymentId === older) app.sandbox.faults.add('payment.get:500');
    return ask(paymentId);
  };
  expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'payment_unavailable' });
  expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentId: newer });
});

test('a payment that is reported while a cancellation closes its page stays paid and stops it', async () => {
  const { app, id, paymentId } = await linked();
  app.ctx.payment.expireSession = async () => {
    await deliverPayment(app, paymentId, RECEIVED);
    throw new ProviderError('not_found', 'payment provider answered 404');
  };
  const done = { code: 'already_complete' };
  expect(await rejection(cancelRequest(app.ctx, id, REASON))).toMatchObject(done);
  expect(app.request(id).status).toBe('COMPLETE');
  expect(findPayment(app.ctx.db, { paymentId })?.state).toBe('paid');
});

test('a session about which the provider refuses to answer does not keep the others from being checked', async () => {
  const { app, paymentId: refused } = await linked();
  const next = await app.waitingRequest();
  app.sandbox.sign(next.signId);
  await deliver(app, next.signId);
  await app.drain();
  app.sandbox.pay(app.request(next.request.id).paymentId as string);
  const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
  app.ctx.payment.getSession = (paymentId) =>
    paymentId === refused
      ? Promise.reject(new ProviderError('rejected', 'payment provider answered 400'))
      : ask(paymentId);

  const done = await checkAllPayments(app.ctx, { actor: SCHEDULE });

  expect(done).toMatchObject({ checked: 2, failed: 1, changed: 1 });
  expect(app.request(next.request.id).status).toBe('COMPLETE');
});
