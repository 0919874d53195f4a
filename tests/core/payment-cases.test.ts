/** Payments that did not complete their request: each stays a case until a person decides, and meanwhile nobody is asked to pay. */
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../src/core/actor.js';
import { command } from '../../src/core/commands.js';
import { explain } from '../../src/core/explain/explain.js';
import { replayFailed } from '../../src/core/jobs/failed.js';
import { listNeeds } from '../../src/core/needs/needs.js';
import { checkAllPayments } from '../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../src/core/payment/check-payment.js';
import { settleRequest } from '../../src/core/requests/settle-request.js';
import { renewPaymentSession } from '../../src/core/payment/renew-payment-session.js';
import { allowedActions } from '../../src/core/requests/allowed-actions.js';
import { cancelRequest } from '../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../src/core/requests/complete-request.js';
import { listHistory } from '../../src/db/history/history.js';
import { rejection, type TestApp } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { backupOf, restored } from '../support/restored.js';
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
} from '../support/two-pages.js';
import {
  aSessionLike,
  completedApp,
  deliver,
  deliverOtherAmount,
  deliverPayment,
  signedApp,
  signWithAllTries,
} from '../support/webhooks.js';

/** What the history says of each renewal. */
const renewals = (app: TestApp, id: number) =>
  listHistory(app.ctx.db, { requestId: id })
    .filter(({ what }) => what === 'payment.renewed')
    .map(({ detail }) => JSON.parse(detail) as unknown);

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

  test('is what a check answers, although the webhook reports it while the check is asking', async () => {
    const { app, id, older } = await twoOpen();
    app.sandbox.pay(older);
    const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
    app.ctx.payment.getSession = async (paymentId) => {
      const answer = await ask(paymentId);
      if (paymentId === older) await deliverPayment(app, older);
      return answer;
    };
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
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({
      code: 'already_paid',
      hint: expect.arrayContaining([
        { ...command('payments renew', id), options: ['--reason', '…'] },
      ]) as unknown,
    });
    expect(sessions(app)).toHaveLength(2);
    expect(await findings(app, id)).toContain('old_session_paid');
  });

  test('is settled by a renewal with a reason: the open page counts again, and no third is made', async () => {
    const { app, id, newer, link } = await paidThroughTheOlder();
    expect(await renewPaymentSession(app.ctx, id, REASON)).toMatchObject({ paymentId: newer });
    expect((await link()).place).toBe('payment_page');
    expect(renewals(app, id)).toMatchObject([{ paymentId: newer, reason: REASON.reason }]);
    expect(sessions(app)).toHaveLength(2);
    expect(await findings(app, id)).not.toContain('old_session_paid');
  });

  test('stays one when the request is canceled, also twice, until somebody settles it', async () => {
    const { app, id } = await paidThroughTheOlder();
    await cancelRequest(app.ctx, id, REASON);
    await cancelRequest(app.ctx, id, REASON);
    expect(await findings(app, id)).toContain('canceled_paid');
    await settleRequest(app.ctx, id, REASON);
    expect(await findings(app, id)).not.toContain('canceled_paid');
  });

  test('is not to be settled by completing while only the provider knows that money is on its way', async () => {
    const { app, id, newer } = await paidThroughTheOlder();
    app.sandbox.pay(newer, { async: true });
    const { findings: found } = await explain(app.ctx, String(id));
    expect(found.find(({ key }) => key === 'payment_undecided')?.next?.name).toBe('payments check');
  });

  test('is not to be settled by completing while the money of the page that counts is on its way', async () => {
    const { app, id, newer } = await paidThroughTheOlder();
    app.sandbox.pay(newer, { async: true });
    await deliverPayment(app, newer, { paymentStatus: 'unpaid' });
    const advice = async () =>
      (await explain(app.ctx, String(id))).findings.find(({ key }) => key !== 'daemon_down')?.next?.name;
    expect(await advice()).toBe('payments check');
    expect(await findings(app, id)).toContain('payment_undecided');
    expect((await listNeeds(app.ctx, 9)).needs).toEqual([]);
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
    // That the money is still on its way does not end the waiting.
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
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
    expect(renewals(app, id)).toEqual([{ paymentId: newer, despitePending: true, reason: REASON.reason }]);
    expect((await link()).place).toBe('payment_page');
    expect(sessions(app)).toHaveLength(2);
  });
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

describe('once a person has refunded a payment that did not count,', () => {
  /** The newer page was given up for the older; its money came all the same, and the older ended. */
  async function refunded() {
    const two = await twoOpen();
    const { app, id, older, newer } = two;
    app.sandbox.pay(newer, { async: true });
    await deliverPayment(app, newer, { paymentStatus: 'unpaid' });
    await renewPaymentSession(app.ctx, id, { ...REASON, despitePending: true });
    app.sandbox.settlePayment(newer, 'succeeded');
    await deliverPayment(app, newer, RECEIVED);
    app.clock.advance(30 * HOUR);
    app.sandbox.expireSession(older);
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect(await findings(app, id)).toContain('old_session_paid');
    return two;
  }

  test('a renewal makes another page, although the refunded session is the newest', async () => {
    const { app, id, link } = await refunded();
    expect(await renewPaymentSession(app.ctx, id, REASON)).toMatchObject({
      status: 'open',
      paymentId: sessions(app)[2]?.id,
    });
    expect(await link()).toEqual({ place: 'payment_page', url: sessions(app)[2]?.url });
  });

  test('the link thanks nobody when the new page could not be made yet, and makes one later', async () => {
    const { app, id, link } = await refunded();
    app.sandbox.faults.add('payment.create:500:9');
    const failed = { code: 'payment_creation_failed' };
    expect(await rejection(renewPaymentSession(app.ctx, id, REASON))).toMatchObject(failed);
    expect((await link()).place).not.toBe('paid');
    expect(await findings(app, id)).not.toContain('webhook_missed');
    app.sandbox.faults.clear();
    app.clock.advance(HOUR);
    await app.drain();
    expect((await link()).place).toBe('payment_page');
  });
});

describe('a payment of another amount', () => {
  /** Reported while the page that counts is open. */
  async function otherAmount() {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    await app.drain();
    const [page] = sessions(app);
    const object = { client_reference_id: page?.client_reference_id, amount_total: 9900, currency: 'usd' };
    await deliverPayment(app, 'cs_other', { object });
    await app.drain();
    expect(await findings(app, id)).toEqual(['other_price']);
    return { app, id, page, object };
  }

  test('is told once for each session, however often it is reported', async () => {
    const { app, id, object } = await otherAmount();
    for (const paymentId of ['cs_other', 'cs_another', 'cs_another'])
      await deliverPayment(app, paymentId, { object });
    expect(app.history(id).filter((what) => what === 'payment.other_price')).toHaveLength(2);
    expect(mails(app, 'payment-trouble')).toHaveLength(2);
  });

  test('is settled by the renewal that explain advises, although the page works', async () => {
    const { app, id, page } = await otherAmount();
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({ code: 'already_paid' });
    expect(mails(app, 'payment-link')).toHaveLength(1);
    expect(await renewPaymentSession(app.ctx, id, REASON)).toMatchObject({ paymentId: page?.id });
    expect(await findings(app, id)).toEqual(['waiting_for_payment']);
  });

  test('stays a case when a check finds a forgotten page, and nobody is asked to pay there', async () => {
    const { app, id, page } = await otherAmount();
    app.clock.advance(30 * HOUR);
    app.sandbox.expireSession(page?.id as string);
    await deliverPayment(app, page?.id as string, EXPIRED);
    await aSessionLike(app);
    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'old_session_paid', changed: true });
    await app.drain();
    expect(await findings(app, id)).toContain('other_price');
    expect(mails(app, 'payment-link')).toHaveLength(1);
  });

  test('stays a case when the failed payment job is replayed: no page is made', async () => {
    const { app, waiting } = await signedApp();
    const { id } = waiting.request;
    app.sandbox.faults.add('payment.create:500:9');
    await signWithAllTries(app, waiting.signId);
    const object = { client_reference_id: app.contract(id).externalId, amount_total: 9900, currency: 'usd' };
    await deliverPayment(app, 'cs_other', { object });
    app.sandbox.faults.clear();
    await replayFailed(app.ctx, [app.jobs('create-payment-session').at(-1)?.id as number], BY);
    await app.drain();
    expect(sessions(app)).toEqual([]);
    expect(await findings(app, id)).toContain('other_price');
  });
});

test('a page that a restore had forgotten is not mailed while another payment is a case', async () => {
  const { app: before, id, newer } = await paidThroughTheOlder();
  before.sandbox.expireSession(newer);
  await checkAllPayments(before.ctx, { actor: SCHEDULE });
  await before.drain();
  const file = await backupOf(before);
  await renewPaymentSession(before.ctx, id, REASON);
  await before.drain();
  before.clock.advance(HOUR);
  const app = await restored(before, file);
  const sent = mails(app, 'payment-link').length;

  expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'old_session_paid' });
  await app.drain();
  expect(mails(app, 'payment-link')).toHaveLength(sent);

  await renewPaymentSession(app.ctx, id, REASON);
  expect(mails(app, 'payment-link')).toHaveLength(sent + 1);
});

test('completing by hand stops when a payment is reported meanwhile: the person does not know of it', async () => {
  const { app, id, older } = await twoOpen();
  const expire = app.ctx.payment.expireSession.bind(app.ctx.payment);
  app.ctx.payment.expireSession = async (paymentId) => {
    if (!app.history(id).includes('payment.old_session_paid')) {
      app.sandbox.pay(older);
      await deliverPayment(app, older);
    }
    return expire(paymentId);
  };
  const busy = { code: 'in_progress' };
  expect(await rejection(completeRequest(app.ctx, id, REASON))).toMatchObject(busy);
  expect(await findings(app, id)).toContain('old_session_paid');
});

test.for(['a new page', 'the page that works'])(
  'a renewal that would give %s stops when a payment is reported meanwhile: the person does not know of it',
  async (what) => {
    const { app, id, older, newer } = await twoOpen();
    app.sandbox.expireSession(older);
    if (what === 'a new page') app.sandbox.expireSession(newer);
    const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
    app.ctx.payment.getSession = async (paymentId) => {
      const answer = await ask(paymentId);
      await deliverOtherAmount(app, id);
      return answer;
    };
    const renewal = renewPaymentSession(app.ctx, id, REASON);
    expect(await rejection(renewal)).toMatchObject({ code: 'in_progress' });
    expect(app.history(id)).not.toContain('payment.renewed');
    expect(await findings(app, id)).toContain('other_price');
  },
);

test('completing by hand is refused, too, when a payment is reported while hidden sessions are looked for', async () => {
  const { app, id, older } = await twoOpen();
  const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
  app.ctx.payment.getSession = async (paymentId) => {
    if (!app.history(id).includes('payment.old_session_paid')) {
      app.sandbox.pay(older);
      await deliverPayment(app, older);
    }
    return ask(paymentId);
  };
  expect(await rejection(completeRequest(app.ctx, id, REASON))).toMatchObject({ code: 'in_progress' });
  expect(await findings(app, id)).toContain('old_session_paid');
});

test('todo finds an open case although many newer ones have been settled', async () => {
  const { app, id } = await paidThroughTheOlder();
  const insert = app.ctx.db.raw.prepare(
    "INSERT INTO history (at, actor, what, requestId, detail) VALUES ('2026-03-02', 'webhook', ?, ?, '{}')",
  );
  for (let n = 0; n < 9; n += 1) {
    const other = await app.waitingRequest();
    for (const what of ['payment.old_session_paid', 'request.settled']) insert.run(what, other.request.id);
    app.ctx.db.raw.prepare("UPDATE requests SET status = 'COMPLETE' WHERE id = ?").run(other.request.id);
  }
  const { needs } = await listNeeds(app.ctx, 5);
  expect(needs).toMatchObject([{ kind: 'payment', request: { id } }]);
});

test('the bulk check says so when the provider is silent about the page of a request that is over, and asks about the others', async () => {
  const { app, id, first, second } = await givenUp();
  await deliverPayment(app, second);
  const next = await app.waitingRequest();
  app.sandbox.sign(next.signId);
  await deliver(app, next.signId);
  await app.drain();
  app.sandbox.faults.add(`payment.get~${first}:500`);
  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({
    failed: 1,
    results: [
      { requestId: id, key: 'payment_unavailable' },
      { requestId: next.request.id, key: 'check_payment_info.open' },
    ],
    trouble: expect.stringContaining('500'),
  });
});
