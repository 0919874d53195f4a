/** Two payment sessions of one contract that are both open, as a late call or a restore may leave them. */
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { explain } from '../../../src/core/explain/explain.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { followPayLink } from '../../../src/core/payment/follow-pay-link.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { findPayment } from '../../../src/db/payments/payments.js';
import { rejection, type TestApp } from '../../support/app.js';
import { anotherMachine, backupOf } from '../../support/restored.js';
import {
  BY,
  EXPIRED,
  HOUR,
  REASON,
  RECEIVED,
  REFUSED,
  findings,
  mails,
  sessions,
  twoOpen,
} from '../../support/two-pages.js';
import { aSessionLike, deliver, deliverPayment, signWithAllTries } from '../../support/webhooks.js';
import { linked, renewDespitePending } from '../../support/payments.js';

/** The newer was paid while the older's money was on its way. */
async function paidBesidePending() {
  const two = await twoOpen();
  const { app, older, newer } = two;
  app.sandbox.pay(older, { async: true });
  await deliverPayment(app, older, { paymentStatus: 'unpaid' });
  app.sandbox.pay(newer);
  await deliverPayment(app, newer);
  await app.drain();
  expect(app.request(two.id)).toMatchObject({ status: 'COMPLETE', paymentId: newer });
  return two;
}

describe('when the request is complete while the money of another payment is on its way,', () => {
  test('explain says so, and names the session by which it was paid', async () => {
    const { app, id, newer } = await paidBesidePending();
    expect(await findings(app, id)).toEqual(['second_payment_pending: uncounted', 'finished: complete']);
    expect((await explain(app.ctx, String(id))).subject.paymentId).toBe(newer);
  });

  test("a person's check writes nothing into its history that is true only of one that waits", async () => {
    const { app, id } = await paidBesidePending();
    const before = app.history(id);
    expect(await checkPayment(app.ctx, id, BY)).toEqual({ type: 'error', key: 'not_waiting_payment' });
    expect(app.history(id)).toEqual(before);
  });

  test("the schedule's check finds that it has arrived: a case for a person, told once", async () => {
    const { app, id, older } = await paidBesidePending();
    expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({ checked: 0 });
    app.sandbox.settlePayment(older, 'succeeded');

    for (let run = 0; run < 2; run += 1) await checkAllPayments(app.ctx, { actor: SCHEDULE });

    expect(await findings(app, id)).toContain('payment_case: paid_twice');
    expect(mails(app, 'payment-trouble')).toHaveLength(1);
  });

  test('nobody is told to agree on another attempt when the bank refuses it', async () => {
    const { app, id, older } = await paidBesidePending();
    app.sandbox.settlePayment(older, 'failed');
    await deliverPayment(app, older, REFUSED);
    expect(mails(app, 'payment-trouble')).toEqual([]);
    expect(await findings(app, id)).toEqual(['finished: complete']);
  });
});

test.for<[who: string, look: (app: TestApp) => Promise<unknown>]>([
  ['the job that the webhook orders', (app) => app.drain()],
  ["the schedule's check", (app) => checkAllPayments(app.ctx, { actor: SCHEDULE })],
])('a page that still works after the request was paid by the other is closed by %s', async ([, look]) => {
  const { app, id, newer } = await twoOpen();
  app.sandbox.pay(newer);
  await deliverPayment(app, newer);
  expect(app.request(id).status).toBe('COMPLETE');
  const dry = await checkAllPayments(app.ctx, { actor: SCHEDULE, dryRun: true });
  expect(dry.results).toMatchObject([{ requestId: id, changed: true }]);
  expect(sessions(app)[0]?.status).toBe('open');

  await look(app);

  expect(sessions(app).map(({ status }) => status)).toEqual(['expired', 'complete']);
  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({ checked: 0 });
});

test('a page is closed by the next try when the provider was silent while another was paid', async () => {
  const { app, id, paymentId } = await linked();
  await aSessionLike(app);
  const other = sessions(app).at(-1)?.id as string;
  app.sandbox.pay(other);
  app.sandbox.faults.add('payment.expire:500:1');
  await deliverPayment(app, other);
  await app.drain();
  expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: other });
  expect(findPayment(app.ctx.db, { paymentId })?.state).toBe('open');

  app.clock.advance(2_000);
  await app.drain();

  expect(sessions(app).map(({ status }) => status)).toEqual(['expired', 'complete']);
});

test.each([cancelRequest, completeRequest])('an installation that is held refuses it: %o', async (act) => {
  const { app: before, id } = await linked();
  const file = await backupOf(before);
  await before.ctx.close();
  const app = await anotherMachine(before, file);
  expect(await rejection(act(app.ctx, id, REASON))).toMatchObject({ code: 'held' });
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
  expect(sessions(app)[0]?.status).toBe('open');
});

test('while the installation is held, the lasting link makes no page, and the one that was ordered is made afterwards', async () => {
  const { app: before, id, paymentId } = await linked();
  before.sandbox.expireSession(paymentId);
  before.sandbox.faults.add('payment.create:500:1');
  await rejection(renewPaymentSession(before.ctx, id, BY));
  const file = await backupOf(before);
  await before.ctx.close();
  const app = await anotherMachine(before, file);

  const place = await followPayLink(app.ctx, app.request(id).payToken as string);

  expect(place).toEqual({ place: 'unavailable' });
  expect(sessions(app)).toHaveLength(1);
  expect(app.jobs('create-payment-session').map(({ state }) => state)).toEqual(['available']);
});

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

test('an installation that is held closes no page that a complete request has left open', async () => {
  const { app: before, id, newer } = await twoOpen();
  before.sandbox.pay(newer);
  await deliverPayment(before, newer);
  const file = await backupOf(before);
  await before.ctx.close();
  const app = await anotherMachine(before, file);

  expect(await checkPayment(app.ctx, id, BY)).toEqual({ type: 'error', key: 'not_waiting_payment' });
  expect(sessions(app)[0]?.status).toBe('open');
});

describe('a renewal', () => {
  test('makes a new session when both are over', async () => {
    const { app, id, older, newer } = await twoOpen();
    app.clock.advance(30 * HOUR);
    const made = await renewPaymentSession(app.ctx, id, BY);
    expect([older, newer]).not.toContain(made?.paymentId);
    expect(mails(app, 'payment-link')).toHaveLength(3);
  });

  test('is refused when the older works and the newer is over', async () => {
    const { app, id, newer, link } = await twoOpen();
    app.sandbox.expireSession(newer);
    const works = { code: 'payment_link_works' };
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject(works);
    expect(await link()).toEqual({ place: 'payment_page', url: sessions(app)[0]?.url });
    expect(sessions(app)).toHaveLength(2);
  });

  test('after giving up the money on its way through both makes a new session', async () => {
    const { app, id, older, newer } = await twoOpen();
    for (const paymentId of [older, newer]) app.sandbox.pay(paymentId, { async: true });
    const made = await renewDespitePending(app.ctx, id);
    expect(made).toMatchObject({ state: 'open', paymentId: sessions(app)[2]?.id });
  });
});

const NEWS: [who: string, tell: (app: TestApp, id: number, paymentId: string) => Promise<unknown>][] = [
  ['the webhook with its job', (app, _, paymentId) => deliverPayment(app, paymentId).then(() => app.drain())],
  ['a check', (app, id) => checkPayment(app.ctx, id, BY)],
  ["the schedule's check", (app) => checkAllPayments(app.ctx, { actor: SCHEDULE })],
  ['the lasting link', (app, id) => followPayLink(app.ctx, app.request(id).payToken as string)],
  ['whoever renews', (app, id) => renewPaymentSession(app.ctx, id, BY)],
  ['whoever reminds', (app, id) => remindRequest(app.ctx, id, BY)],
  ['whoever cancels', (app, id) => cancelRequest(app.ctx, id, REASON)],
  ['whoever completes by hand', (app, id) => completeRequest(app.ctx, id, REASON)],
];

test.for(NEWS)(
  'money through the older completes the request, and the newer is closed: told by %s',
  async ([, tell]) => {
    const { app, id, older, link } = await twoOpen();
    app.sandbox.pay(older);
    await Promise.allSettled([tell(app, id, older)]);
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: older, paymentUrl: null });
    expect(await link()).toEqual({ place: 'paid' });
    expect(sessions(app).map(({ status }) => status)).toEqual(['complete', 'expired']);
    expect(app.history(id).filter((what) => what === 'payment.received')).toHaveLength(1);
    expect(mails(app, 'payment-trouble')).toEqual([]);
    await app.drain();
    expect(await findings(app, id)).toEqual(['finished: complete']);
  },
);

test.for(NEWS.slice(1))(
  'no page can be paid while money is on its way through the older: found by %s',
  async ([, look]) => {
    const { app, id, older, link } = await twoOpen();
    app.sandbox.pay(older, { async: true });
    await Promise.allSettled([look(app, id, older)]);
    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentUrl: null });
    expect(sessions(app).map(({ status }) => status)).toEqual(['complete', 'expired']);
    expect(await link()).toEqual({ place: 'pending' });
  },
);

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

test('nobody waits any more for the money of a page that was given up and has ended since', async () => {
  const { app, id, older } = await twoOpen();
  app.sandbox.pay(older, { async: true });
  await deliverPayment(app, older, { paymentStatus: 'unpaid' });
  await renewDespitePending(app.ctx, id);
  expect(await findings(app, id)).toContain('second_payment_pending: given_up');
  await deliverPayment(app, older, EXPIRED);
  await app.drain();
  expect(await findings(app, id)).toEqual(['waiting_for_payment']);
});

test('after a reopening, the customer has no link to pay until one for the new contract is mailed', async () => {
  const { app, id } = await linked();
  const token = app.request(id).payToken;
  await cancelRequest(app.ctx, id, REASON);
  await reopenRequest(app.ctx, id, REASON);
  const again = await startSignature(app.ctx, id, BY);
  app.sandbox.faults.add('payment.create:500:9');
  await signWithAllTries(app, again.signId as string);
  expect(app.request(id).payToken).toBeNull();

  app.sandbox.faults.clear();
  await replayFailed(app.ctx, [app.jobs('create-payment-session').at(-1)?.id as number], BY);
  await app.drain();

  expect(mails(app, 'payment-link')).toHaveLength(2);
  expect(app.request(id).payToken).not.toBe(token);
  expect(await findings(app, id)).toEqual(['waiting_for_payment']);
});

describe('a payment that the bank has refused', () => {
  test('is not said to be on its way, and the customer may be reminded', async () => {
    const { app, id, paymentId } = await linked();
    app.sandbox.pay(paymentId, { async: true });
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    app.sandbox.settlePayment(paymentId, 'failed');
    await deliverPayment(app, paymentId, REFUSED);

    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'check_payment_info.expired' });
    expect(await remindRequest(app.ctx, id, BY)).toBeDefined();
  });

  test('stays told when a page of before is found, which had ended unpaid', async () => {
    const { app, id, paymentId } = await linked();
    await aSessionLike(app);
    app.sandbox.expireSession(sessions(app).at(-1)?.id as string);
    app.sandbox.pay(paymentId, { async: true });
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    app.sandbox.settlePayment(paymentId, 'failed');
    app.clock.advance(HOUR);
    await deliverPayment(app, paymentId, REFUSED);
    app.clock.advance(HOUR);

    await checkPayment(app.ctx, id, BY);

    expect(ourPayments(app.ctx.db, id).payments).toHaveLength(2);
    expect(await findings(app, id)).toContain('payment_missing: refused');
  });

  test('is told: the page beside it was closed while its money was on its way', async () => {
    const { app, id, older } = await twoOpen();
    app.sandbox.pay(older, { async: true });
    await deliverPayment(app, older, { paymentStatus: 'unpaid' });
    await app.drain();
    app.sandbox.settlePayment(older, 'failed');
    await deliverPayment(app, older, REFUSED);
    await app.drain();
    expect(await findings(app, id)).toEqual(['payment_missing: refused']);
  });
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

test('the lasting link leads to no page while the provider does not say how both stand', async () => {
  const { app, link } = await twoOpen();
  app.sandbox.faults.add('payment.get:500:3');
  expect((await link()).place).toBe('unavailable');
});
