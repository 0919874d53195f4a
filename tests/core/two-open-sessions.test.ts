/** Two payment sessions of one contract that are both open, as a late call or a restore may leave them. */
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../src/core/actor.js';
import { explain } from '../../src/core/explain/explain.js';
import { replayFailed } from '../../src/core/jobs/failed.js';
import { ProviderError } from '../../src/core/http/provider-error.js';
import { checkAllPayments } from '../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../src/core/payment/check-payment.js';
import { followPayLink } from '../../src/core/payment/follow-pay-link.js';
import { renewPaymentSession } from '../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../src/core/reminders/remind-request.js';
import { allowedActions } from '../../src/core/requests/allowed-actions.js';
import { cancelRequest } from '../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../src/core/requests/complete-request.js';
import { reopenRequest } from '../../src/core/requests/reopen-request.js';
import { startSignature } from '../../src/core/signature/start-signature.js';
import { surveyTakeover } from '../../src/core/takeover/survey.js';
import { takeOver } from '../../src/core/takeover/take-over.js';
import { rejection, TESTER, type TestApp } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { anotherMachine, backupOf } from '../support/restored.js';
import {
  aSessionLike,
  completedApp,
  deliver,
  deliverPayment,
  signWithAllTries,
} from '../support/webhooks.js';

const HOUR = DAY / 24;
const BY = { actor: TESTER };
const REASON = { ...BY, reason: 'moved' };
const RECEIVED = { type: 'checkout.session.async_payment_succeeded' };
const REFUSED = { type: 'checkout.session.async_payment_failed', paymentStatus: 'unpaid' };
const EXPIRED = { type: 'checkout.session.expired', paymentStatus: 'unpaid' };

const sessions = (app: TestApp) => app.sandbox.state().sessions;
const mails = (app: TestApp, name: string) =>
  app.jobs('send-mail').filter(({ payload }) => payload.includes(`"${name}"`));
const findings = async (app: TestApp, id: number) =>
  (await explain(app.ctx, String(id))).findings.map(({ key }) => key);

/** The first is mailed; the second was made an hour later, and found by a takeover. It ends later, and counts. */
async function twoOpen() {
  const { app: before, waiting } = await completedApp();
  const { id } = waiting.request;
  await before.drain();
  const older = before.request(id).paymentId as string;
  before.clock.advance(HOUR);
  await aSessionLike(before);
  const newer = sessions(before).at(-1)?.id as string;
  const file = await backupOf(before);
  await before.ctx.close();
  const app = await anotherMachine(before, file);
  const found = await surveyTakeover(app.ctx, BY);
  if (found) await takeOver(app.ctx, found, BY);
  await app.drain();
  expect(app.request(id).paymentId).toBe(newer);
  const link = () => followPayLink(app.ctx, app.request(id).payToken as string);
  return { app, id, older, newer, link };
}

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
    expect(await findings(app, id)).toEqual(['second_payment_pending', 'finished']);
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
    app.sandbox.settlePayment(older, 'succeeded');

    for (let run = 0; run < 2; run += 1) await checkAllPayments(app.ctx, { actor: SCHEDULE });

    expect(await findings(app, id)).toContain('paid_twice');
    expect(mails(app, 'payment-trouble')).toHaveLength(1);
  });

  test('nobody is told to agree on another attempt when the bank refuses it', async () => {
    const { app, id, older } = await paidBesidePending();
    app.sandbox.settlePayment(older, 'failed');
    await deliverPayment(app, older, REFUSED);
    expect(mails(app, 'payment-trouble')).toEqual([]);
    expect(await findings(app, id)).toEqual(['finished']);
  });
});

test("a page that still works after the request was paid by the other is closed by the schedule's check", async () => {
  const { app, id, newer } = await twoOpen();
  app.sandbox.pay(newer);
  await deliverPayment(app, newer);
  expect(app.request(id).status).toBe('COMPLETE');

  const dry = await checkAllPayments(app.ctx, { actor: SCHEDULE, dryRun: true });
  expect(dry.results).toMatchObject([{ requestId: id, changed: true }]);
  expect(sessions(app)[0]?.status).toBe('open');
  const { changed } = await checkAllPayments(app.ctx, { actor: SCHEDULE });

  expect(changed).toBe(1);
  expect(sessions(app).map(({ status }) => status)).toEqual(['expired', 'complete']);
  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({ checked: 0 });
});

test('a page that is paid while the check closes it is a case at the next check', async () => {
  const { app, id, older, newer } = await twoOpen();
  app.sandbox.pay(newer);
  await deliverPayment(app, newer);
  const expire = app.ctx.payment.expireSession.bind(app.ctx.payment);
  app.ctx.payment.expireSession = (paymentId) => {
    app.sandbox.pay(older);
    return expire(paymentId);
  };

  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({ failed: 0, changed: 0 });
  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({ changed: 1 });
  expect(await findings(app, id)).toContain('paid_twice');
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

  test.for<[state: string, options: { async?: boolean }, code: string]>([
    ['paid', {}, 'already_paid'],
    ['on its way', { async: true }, 'payment_pending'],
  ])('is refused when the older is %s and the newer is over', async ([, options, code]) => {
    const { app, id, older, newer } = await twoOpen();
    app.sandbox.pay(older, options);
    app.sandbox.expireSession(newer);
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({ code });
    expect(sessions(app)).toHaveLength(2);
  });

  test('is refused when the older works and the newer is over', async () => {
    const { app, id, newer, link } = await twoOpen();
    app.sandbox.expireSession(newer);
    const works = { code: 'payment_link_works' };
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject(works);
    expect(await link()).toEqual({ place: 'payment_page', url: sessions(app)[0]?.url });
    expect(sessions(app)).toHaveLength(2);
  });

  test('despite pending money gives up both at once', async () => {
    const { app, id, older, newer } = await twoOpen();
    for (const paymentId of [older, newer]) app.sandbox.pay(paymentId, { async: true });
    const made = await renewPaymentSession(app.ctx, id, { ...BY, despitePending: true });
    expect(made).toMatchObject({ status: 'open', paymentId: sessions(app)[2]?.id });
  });
});

describe('when the older is paid,', () => {
  test('the lasting link does not lead to the newer, even if the webhook is lost', async () => {
    const { app, id, older, link } = await twoOpen();
    app.sandbox.pay(older);
    expect((await link()).place).toBe('in_review');
    expect(await findings(app, id)).toContain('old_session_paid');
  });

  test('nobody is reminded or led to another page while its money is on its way', async () => {
    const { app, id, older, link } = await twoOpen();
    app.sandbox.pay(older, { async: true });
    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'check_payment_info.pending' });
    expect(await rejection(remindRequest(app.ctx, id, BY))).toMatchObject({ code: 'payment_pending' });
    expect(await link()).toEqual({ place: 'pending' });
  });

  test('nobody is reminded until a person has looked at it, even after the newer is over', async () => {
    const { app, id, older, newer } = await twoOpen();
    app.sandbox.pay(older);
    await deliverPayment(app, older);
    expect(await rejection(remindRequest(app.ctx, id, BY))).toMatchObject({ code: 'already_paid' });
    app.sandbox.expireSession(newer);
    await deliverPayment(app, newer, EXPIRED);
    expect(await rejection(remindRequest(app.ctx, id, BY))).toMatchObject({ code: 'already_paid' });
  });
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

test('a payment that is reported while a cancellation closes the sessions stops it', async () => {
  const { app, id, older } = await twoOpen();
  const expire = app.ctx.payment.expireSession.bind(app.ctx.payment);
  app.ctx.payment.expireSession = async (paymentId) => {
    if (paymentId === older) {
      app.sandbox.pay(older);
      await deliverPayment(app, older);
    }
    return expire(paymentId);
  };
  expect(await rejection(cancelRequest(app.ctx, id, REASON))).toMatchObject({ code: 'in_progress' });
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
  expect(await findings(app, id)).toContain('old_session_paid');
});

test('completing by hand closes neither when the money of one is on its way', async () => {
  const { app, id, older } = await twoOpen();
  app.sandbox.pay(older, { async: true });
  expect(await rejection(completeRequest(app.ctx, id, REASON))).toMatchObject({ code: 'payment_pending' });
  expect(sessions(app).map(({ status }) => status)).toEqual(['complete', 'open']);
});

test('money that arrived for a session which was given up is a case, and no check says that the request is complete', async () => {
  const { app, id, older, newer } = await twoOpen();
  for (const paymentId of [older, newer]) app.sandbox.pay(paymentId, { async: true });
  await renewPaymentSession(app.ctx, id, { ...BY, despitePending: true });
  app.sandbox.settlePayment(older, 'succeeded');
  await deliverPayment(app, older, RECEIVED);
  app.clock.advance(30 * HOUR);
  await checkAllPayments(app.ctx, { actor: SCHEDULE });
  const { key } = await checkPayment(app.ctx, id, BY);
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
  expect(key).not.toBe('check_payment_success');
});

test('after a reopening, the customer has no link to pay until one for the new contract is mailed', async () => {
  const { app, waiting } = await completedApp();
  const { id } = waiting.request;
  await app.drain();
  const token = app.request(id).payToken;
  await cancelRequest(app.ctx, id, REASON);
  await reopenRequest(app.ctx, id, REASON);
  const again = await startSignature(app.ctx, id, BY);
  app.sandbox.faults.add('payment.create:answer_lost:4');
  await signWithAllTries(app, again.signId as string);
  app.sandbox.faults.add('payment.expire:500');
  await rejection(cancelRequest(app.ctx, id, REASON));
  app.sandbox.faults.clear();
  expect(app.request(id).payToken).toBeNull();

  await replayFailed(app.ctx, [app.jobs('create-payment-session').at(-1)?.id as number], BY);
  await app.drain();

  expect(mails(app, 'payment-link')).toHaveLength(2);
  expect(app.request(id).payToken).not.toBe(token);
  expect(await findings(app, id)).toEqual(['waiting_for_payment']);
});

/** The older was paid although the newer counts: a case for a person. */
async function paidThroughTheOlder() {
  const two = await twoOpen();
  two.app.sandbox.pay(two.older);
  await deliverPayment(two.app, two.older);
  expect(await findings(two.app, two.id)).toContain('old_session_paid');
  return two;
}

describe('a case of an outdated payment', () => {
  test('is settled by completing by hand: nobody is told to refund the only payment', async () => {
    const { app, id } = await paidThroughTheOlder();
    await completeRequest(app.ctx, id, REASON);
    expect(await findings(app, id)).not.toContain('paid_twice');
  });

  test('remains for a second payment when the request is completed by hand', async () => {
    const { app, id, newer } = await twoOpen();
    await aSessionLike(app);
    const third = sessions(app)[2];
    const { client_reference_id, amount_total, currency } = third ?? {};
    const object = { client_reference_id, amount_total, currency };
    app.sandbox.pay(third?.id as string, { async: true });
    await deliverPayment(app, third?.id as string, { paymentStatus: 'unpaid', object });
    await renewPaymentSession(app.ctx, id, { ...REASON, despitePending: true });
    for (const paymentId of [sessions(app)[0]?.id, third?.id])
      await deliverPayment(app, paymentId as string, RECEIVED);
    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentId: newer });

    await completeRequest(app.ctx, id, REASON);

    expect(await findings(app, id)).toContain('paid_twice');
  });

  test('is what a check answers, although the page that counts is open', async () => {
    const { app, id } = await paidThroughTheOlder();
    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'old_session_paid' });
  });

  test('can be settled in the back office, too, where nobody is offered to remind the customer', async () => {
    const { app, id } = await paidThroughTheOlder();
    const actions = () => allowedActions(app.ctx, app.request(id));
    expect(actions()).toEqual(expect.arrayContaining(['renew-payment', 'complete', 'cancel']));
    expect(actions()).not.toContain('remind');
    await renewPaymentSession(app.ctx, id, REASON);
    expect(actions()).toContain('remind');
    expect(actions()).not.toContain('renew-payment');
  });

  test('is not settled by a renewal that gives no reason', async () => {
    const { app, id, newer } = await paidThroughTheOlder();
    app.sandbox.expireSession(newer);
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({ code: 'already_paid' });
    expect(sessions(app)).toHaveLength(2);
    expect(await findings(app, id)).toContain('old_session_paid');
  });

  test('is settled by a renewal with a reason: the open page counts again, and no third is made', async () => {
    const { app, id, newer, link } = await paidThroughTheOlder();
    expect(await renewPaymentSession(app.ctx, id, REASON)).toMatchObject({ paymentId: newer });
    expect((await link()).place).toBe('payment_page');
    expect(sessions(app)).toHaveLength(2);
    expect(await findings(app, id)).not.toContain('old_session_paid');
  });

  test('stays one when the request is canceled, until somebody cancels once more or reopens it', async () => {
    const { app, id } = await paidThroughTheOlder();
    await cancelRequest(app.ctx, id, REASON);
    expect(await findings(app, id)).toContain('canceled_paid');
    await cancelRequest(app.ctx, id, REASON);
    expect(await findings(app, id)).not.toContain('canceled_paid');
  });

  test('is not to be settled by completing while the money of the page that counts is on its way', async () => {
    const { app, id, newer } = await paidThroughTheOlder();
    app.sandbox.pay(newer, { async: true });
    await deliverPayment(app, newer, { paymentStatus: 'unpaid' });
    const advice = async () => (await explain(app.ctx, String(id))).findings[0]?.next?.name;
    expect(await advice()).toBe('payments check');
    app.sandbox.settlePayment(newer, 'failed');
    await deliverPayment(app, newer, REFUSED);
    expect(await advice()).toBe('requests complete');
  });

  test('keeps the payment job from making another page', async () => {
    const { app, id, older, newer } = await twoOpen();
    for (const paymentId of [older, newer]) app.sandbox.pay(paymentId, { async: true });
    app.sandbox.faults.add('payment.create:500');
    await rejection(renewPaymentSession(app.ctx, id, { ...REASON, despitePending: true }));
    await deliverPayment(app, older, RECEIVED);
    app.clock.advance(HOUR);
    await app.drain();
    expect(sessions(app)).toHaveLength(2);
  });
});

/** The first page was paid by a method that takes days; a person did not believe in it, and made a second page. */
async function givenUp() {
  const { app, waiting } = await completedApp();
  const { id } = waiting.request;
  await app.drain();
  const first = app.request(id).paymentId as string;
  app.sandbox.pay(first, { async: true });
  const made = await renewPaymentSession(app.ctx, id, { ...REASON, despitePending: true });
  return { app, id, first, second: made?.paymentId as string };
}

describe('a payment that was given up', () => {
  test.for([
    ['while the request waits', false],
    ['after the other page was paid', true],
  ] as const)('is a case when its money arrives %s and the webhook is lost', async ([, isPaid]) => {
    const { app, id, first, second } = await givenUp();
    if (isPaid) await deliverPayment(app, second);
    app.sandbox.settlePayment(first, 'succeeded');
    app.clock.advance(10 * DAY);

    for (let run = 0; run < 2; run += 1) await checkAllPayments(app.ctx, { actor: SCHEDULE });

    expect(mails(app, 'payment-trouble')).toHaveLength(1);
    expect(await findings(app, id)).toContain(isPaid ? 'paid_twice' : 'old_session_paid');
  });

  test('is asked about for two months at most, and not after the bank has refused it', async () => {
    const { app, first } = await givenUp();
    let asked = 0;
    const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
    app.ctx.payment.getSession = (paymentId) => {
      if (paymentId === first) asked += 1;
      return ask(paymentId);
    };
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect(asked).toBe(1);
    app.clock.advance(61 * DAY);
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect(asked).toBe(1);

    const other = await givenUp();
    await deliverPayment(other.app, other.first, REFUSED);
    const dry = await checkAllPayments(other.app.ctx, { actor: SCHEDULE, dryRun: true });
    expect(dry.checked).toBe(1);
  });

  test('gives way to the page that works beside it, and the customer gets its link', async () => {
    const { app, id, older, newer, link } = await twoOpen();
    app.sandbox.pay(older, { async: true });
    await deliverPayment(app, older, { paymentStatus: 'unpaid' });
    const made = await renewPaymentSession(app.ctx, id, { ...REASON, despitePending: true });
    expect(made?.paymentId).toBe(newer);
    expect((await link()).place).toBe('payment_page');
    expect(sessions(app)).toHaveLength(2);
  });
});

describe('a payment that the bank has refused', () => {
  test('is not said to be on its way, and the customer may be reminded', async () => {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    await app.drain();
    const paymentId = app.request(id).paymentId as string;
    app.sandbox.pay(paymentId, { async: true });
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    app.sandbox.settlePayment(paymentId, 'failed');
    await deliverPayment(app, paymentId, REFUSED);

    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'check_payment_info.expired' });
    expect(await remindRequest(app.ctx, id, BY)).toBeDefined();
  });

  test('is told once the page beside it has ended, too', async () => {
    const { app, id, older, newer } = await twoOpen();
    app.sandbox.pay(older, { async: true });
    await deliverPayment(app, older, { paymentStatus: 'unpaid' });
    app.sandbox.settlePayment(older, 'failed');
    await deliverPayment(app, older, REFUSED);
    app.sandbox.expireSession(newer);
    await deliverPayment(app, newer, EXPIRED);
    expect(await findings(app, id)).toEqual(['payment_refused']);
  });
});

test('the older completes the request when the time of the newer is over, whichever tells first', async () => {
  const { app, id, older } = await twoOpen();
  app.sandbox.pay(older);
  app.clock.advance(30 * HOUR);
  await deliverPayment(app, older);
  expect(app.request(id).status).toBe('COMPLETE');
});

test('a given-up page that cannot be asked about does not hide the payment of the one that counts', async () => {
  const { app, id, first, second } = await givenUp();
  app.sandbox.pay(second);
  const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
  app.ctx.payment.getSession = (paymentId) => {
    if (paymentId === first) app.sandbox.faults.add('payment.get:500');
    return ask(paymentId);
  };
  expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'check_payment_success' });
  expect(app.request(id).status).toBe('COMPLETE');
});

test('a session about which the provider refuses to answer does not keep the others from being checked', async () => {
  const { app, waiting } = await completedApp();
  await app.drain();
  const next = await app.waitingRequest();
  app.sandbox.sign(next.signId);
  await deliver(app, next.signId);
  await app.drain();
  const refused = app.request(waiting.request.id).paymentId;
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
