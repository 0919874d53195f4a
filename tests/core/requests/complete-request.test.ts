/** Completing by hand (rules 2): what the administrator knows counts, and nobody pays a second time. */
import { expect, test } from 'vitest';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { currentPayment } from '../../support/payments.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

async function payable() {
  const app = await startApp();
  const { request, contract, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  return { app, id: request.id, contract, paymentId: app.request(request.id).paymentId as string };
}

const complete = (app: TestApp, id: number, reason = 'paid in cash') =>
  completeRequest(app.ctx, id, { actor: TESTER, reason });

test('the request is complete, its payment link is closed here and at the provider, the reason is kept', async () => {
  const { app, id, contract, paymentId } = await payable();

  const request = await complete(app, id);

  expect(request).toMatchObject({ status: 'COMPLETE', paymentId, paymentUrl: null });
  expect(app.sandbox.state().sessions[0]).toMatchObject({ status: 'expired' });
  expect(currentPayment(app.ctx.db, { contractId: contract.id })).toMatchObject({ state: 'over' });
  const { detail } = app.ctx.db.raw.prepare('SELECT detail FROM history ORDER BY id DESC').get() as {
    detail: string;
  };
  expect(JSON.parse(detail)).toEqual({ from: 'WAITING_PAYMENT', to: 'COMPLETE', reason: 'paid in cash' });
  expect(app.history(id).slice(-2)).toEqual(['payment.session_closed', 'request.moved']);
});

test('twice is once, one after the other or at the same time', async () => {
  const { app, id } = await payable();

  const both = await Promise.allSettled([complete(app, id), complete(app, id)]);
  await complete(app, id);

  expect(both.map(({ status }) => status)).toContain('fulfilled');
  expect(app.history(id).filter((what) => what === 'request.moved')).toHaveLength(3);
});

test('a request that waits for no payment is refused, so is a blank reason, and a dry run changes nothing', async () => {
  const { app, id } = await payable();
  const { id: other } = await app.addRequest();

  expect(await rejection(complete(app, other))).toMatchObject({ code: 'not_waiting_payment' });
  expect(await rejection(complete(app, 999))).toMatchObject({ code: 'request_not_found' });
  expect(await rejection(complete(app, id, ' '))).toMatchObject({ kind: 'invalid' });
  await completeRequest(app.ctx, id, { actor: TESTER, reason: 'paid in cash', dryRun: true });
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
});

test('while the link cannot be closed nothing is changed: the customer could still pay', async () => {
  const { app, id } = await payable();
  app.sandbox.faults.add('payment:500');

  expect(await rejection(complete(app, id))).toMatchObject({ code: 'payment_unavailable' });
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
});

test('a customer who paid at that very moment has paid: the late webhook finds nothing left to do', async () => {
  const { app, id, contract, paymentId } = await payable();
  app.sandbox.pay(paymentId);

  expect(await complete(app, id)).toMatchObject({ status: 'COMPLETE', paymentId });
  await deliverPayment(app, paymentId);

  expect(currentPayment(app.ctx.db, { contractId: contract.id })).toMatchObject({ state: 'paid' });
  expect(app.history(id).slice(-2)).toEqual(['payment.received', 'request.moved']);
});

test('money that arrives all the same needs a decision: no signature can make it count', async () => {
  const { app, id, paymentId } = await payable();
  await complete(app, id);
  await deliverPayment(app, paymentId);
  expect(app.history(id).at(-1)).toBe('payment.old_session_paid');
});

test('a payment session that comes while the request is completed gives nobody a link', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  const createSession = app.ctx.payment.createSession.bind(app.ctx.payment);
  app.ctx.payment.createSession = async (...wanted) => {
    const session = await createSession(...wanted);
    await complete(app, request.id);
    return session;
  };

  await app.drain();

  expect(app.request(request.id)).toMatchObject({ status: 'COMPLETE', paymentUrl: null });
  expect(app.jobs('send-mail').map(({ payload }) => payload)).not.toContainEqual(
    expect.stringContaining('payment-link'),
  );
});
