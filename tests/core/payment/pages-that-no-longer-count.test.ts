/** Payment pages that no longer count, but may still be paid: of a request that is over, or of an earlier contract. */
import { describe, expect, test } from 'vitest';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { adviceText } from '../../../src/core/commands.js';
import { SCHEDULE } from '../../../src/core/actor.js';
import { command } from '../../../src/core/commands.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { surveyTakeover } from '../../../src/core/takeover/survey.js';
import { takeOver } from '../../../src/core/takeover/take-over.js';
import { openActNames } from '../../support/acts.js';
import { rejection, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { linked } from '../../support/payments.js';
import { anotherMachine, backupOf } from '../../support/restored.js';
import { BY, REASON, findings, mails, sessions } from '../../support/two-pages.js';
import { aSessionLike, deliver, deliverOtherAmount, deliverPayment } from '../../support/webhooks.js';

const UNPAID = { paymentStatus: 'unpaid' };

/** The customer pays through the page that we had forgotten, by a method that takes days; the webhook names it. */
async function becomesPending(app: TestApp): Promise<string> {
  const made = sessions(app)[1];
  const paymentId = made?.id as string;
  app.sandbox.pay(paymentId, { async: true });
  const object = {
    client_reference_id: made?.client_reference_id,
    amount_total: made?.amount_total,
    currency: made?.currency,
  };
  await deliverPayment(app, paymentId, { ...UNPAID, object });
  return paymentId;
}

/** Canceled while a page was forgotten, through which the customer paid by a method that takes days; then reopened. */
async function reopenedWithMoneyOnItsWay() {
  const { app, id } = await linked();
  await aSessionLike(app);
  await cancelRequest(app.ctx, id, REASON);
  const forgotten = await becomesPending(app);
  await reopenRequest(app.ctx, id, REASON);
  return { app, id, forgotten };
}

describe('when money is on its way for the contract before the reopening,', () => {
  test('explain says so', async () => {
    const { app, id } = await reopenedWithMoneyOnItsWay();
    expect(await findings(app, id)).toContain('second_payment_pending: uncounted');
  });

  test('the office hears of it only when it has taken too long, and until it waits no longer', async () => {
    const { app, id } = await reopenedWithMoneyOnItsWay();
    const needs = async () => (await listNeeds(app.ctx, 10)).needs.map(({ kind, next }) => [kind, next.name]);
    app.clock.advance(13 * DAY);
    expect(await needs()).not.toContainEqual(['payment', 'payments give-up']);
    app.clock.advance(2 * DAY);
    expect(await needs()).toContainEqual(['payment', 'payments give-up']);

    await giveUpPayment(app.ctx, id, REASON);

    expect(await needs()).not.toContainEqual(['payment', 'payments give-up']);
  });

  test("the schedule's check finds that it has arrived", async () => {
    const { app, id, forgotten } = await reopenedWithMoneyOnItsWay();
    app.sandbox.settlePayment(forgotten, 'succeeded');

    const { results } = await checkAllPayments(app.ctx, { actor: SCHEDULE });

    expect(results).toMatchObject([{ requestId: id, key: 'old_session_paid', changed: true }]);

    expect(mails(app, 'payment-trouble')).toHaveLength(1);
    expect(await findings(app, id)).toContain('payment_case: earlier_contract_paid');
    expect(app.request(id).status).toBe('new');
  });

  test('the check of the next contract tells both, and only its own page is offered', async () => {
    const { app, id, forgotten } = await reopenedWithMoneyOnItsWay();
    const { signId } = await startSignature(app.ctx, id, BY);
    app.sandbox.sign(signId as string);
    await deliver(app, signId as string);
    await app.drain();
    const { paymentId } = app.request(id);
    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'check_payment_info.open' });
    app.sandbox.settlePayment(forgotten, 'succeeded');

    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'old_session_paid', changed: true });

    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentId });
    expect(await findings(app, id)).toContain('payment_case: old_session_paid');
  });

  test('a dry run changes nothing', async () => {
    const { app, id, forgotten } = await reopenedWithMoneyOnItsWay();
    app.sandbox.settlePayment(forgotten, 'succeeded');
    const before = app.history(id);
    const dry = await checkPayment(app.ctx, id, { ...BY, dryRun: true });
    expect(dry).toMatchObject({ key: 'old_session_paid', changed: true });
    expect(app.history(id)).toEqual(before);
  });
});

/** For which contracts a mail with a link to pay has left. */
function linksSent(app: TestApp): number[] {
  const sql = "SELECT contractId FROM sentMails WHERE mail = 'payment-link' ORDER BY id";
  return app.ctx.db.raw.prepare<[], number>(sql).pluck().all();
}

/** Before the request was canceled another amount was paid, or the price afterwards. */
async function paidAndReopened(pay: 'before' | 'after') {
  const { app, id, paymentId: page } = await linked();
  if (pay === 'before') await deliverOtherAmount(app, id);
  await cancelRequest(app.ctx, id, REASON);
  if (pay === 'after') await deliverPayment(app, page);
  await reopenRequest(app.ctx, id, REASON);
  expect(await findings(app, id)).toEqual(
    expect.arrayContaining(['payment_case: earlier_contract_paid', 'not_started']),
  );
  return { app, id, paymentId: pay === 'before' ? 'cs_other' : page };
}

/** The next contract, which has no page yet. */
async function signNext(app: TestApp, id: number) {
  const { signId } = await startSignature(app.ctx, id, BY);
  app.sandbox.sign(signId as string);
  await deliver(app, signId as string);
  await app.drain();
}

async function reopenedAfterPayment(pay: 'before' | 'after') {
  const scene = await paidAndReopened(pay);
  await signNext(scene.app, scene.id);
  return scene;
}

describe.for(['before', 'after'] as const)(
  'money that came %s its request was canceled is not forgotten when the request is reopened:',
  (pay) => {
    test('the customer is not asked to pay for the next contract', async () => {
      const { app, id } = await reopenedAfterPayment(pay);
      expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentUrl: null });
      expect(await findings(app, id)).toEqual([
        pay === 'before' ? 'payment_case: other_price' : 'payment_case: old_session_paid',
      ]);
      expect((await listNeeds(app.ctx, 9)).needs).toMatchObject([{ kind: 'payment' }]);
      // The first contract's mail announces a link to pay.
      const signed = app.sandbox.state().mails.filter(({ subject }) => subject.includes('Your signed'));
      expect(signed.map(({ text }) => text.includes('link to the payment page'))).toEqual([true, false]);
    });

    test('it needs the office at once; after a refund, settling ends the case, and the next contract is to be paid', async () => {
      const { app, id, paymentId } = await paidAndReopened(pay);
      const { needs } = await listNeeds(app.ctx, 9);
      const next = { name: 'requests settle', about: [id] };
      const what = expect.stringContaining(paymentId) as unknown;
      expect(needs).toMatchObject([{ kind: 'payment', request: { id }, next, what }]);
      expect(openActNames(app.ctx, app.request(id))).toContain('settle');

      await settleRequest(app.ctx, id, REASON);

      expect(await findings(app, id)).not.toContain('payment_case: earlier_contract_paid');
      expect((await listNeeds(app.ctx, 9)).needs).toEqual([]);
      expect(openActNames(app.ctx, app.request(id))).not.toContain('settle');
      await signNext(app, id);
      expect(linksSent(app)).toEqual([1, 2]);
      expect(await findings(app, id)).toEqual(['waiting_for_payment']);
    });

    test('completing by hand accepts it', async () => {
      const { app, id } = await reopenedAfterPayment(pay);
      await completeRequest(app.ctx, id, REASON);
      expect(await findings(app, id)).toEqual(['finished: complete']);
      expect((await listNeeds(app.ctx, 9)).needs).toEqual([]);
    });

    test('after a refund, a renewal with a reason asks the customer', async () => {
      const { app, id } = await reopenedAfterPayment(pay);
      await renewPaymentSession(app.ctx, id, REASON);
      await app.drain();
      expect(linksSent(app)).toEqual([1, 2]);
      expect(await findings(app, id)).toEqual(['waiting_for_payment']);
      expect((await listNeeds(app.ctx, 9)).needs).toEqual([]);
    });

    test('when the request is canceled again, the payment is a case until somebody settles it', async () => {
      const { app, id } = await reopenedAfterPayment(pay);
      await cancelRequest(app.ctx, id, REASON);
      expect(await findings(app, id)).toEqual(['payment_case: canceled_paid', 'finished: canceled']);
      await settleRequest(app.ctx, id, REASON);
      expect(await findings(app, id)).toEqual(['finished: canceled']);
    });
  },
);

test('completing by hand accepts the payment of the price, not another amount that came later, as explain says', async () => {
  const { app, id, paymentId } = await reopenedAfterPayment('after');
  await deliverOtherAmount(app, id, 'cs_later');
  const { findings: found } = await explain(app.ctx, String(id));
  const several = found.find(({ cause }) => cause === 'several_payments');
  expect(adviceText(several?.message ?? '')).toContain(`accepts ${paymentId};`);
  await completeRequest(app.ctx, id, REASON);
  const { findings: after } = await explain(app.ctx, String(id));
  expect(after.find(({ cause }) => cause === 'paid_twice')?.message).toContain(
    'Refund cs_later (US$99.00) at',
  );
});

test('a reopened request names no payment page of its earlier contract, although canceling had none to close', async () => {
  const { app, id, paymentId } = await linked();
  app.sandbox.expireSession(paymentId);
  await checkPayment(app.ctx, id, BY);
  expect(app.request(id).paymentId).toBe(paymentId);
  await cancelRequest(app.ctx, id, REASON);
  await reopenRequest(app.ctx, id, REASON);
  expect(app.request(id).paymentId).toBeNull();
});

describe("a takeover finds a canceled request's forgotten page:", () => {
  async function forgottenPage() {
    const { app: before, id } = await linked();
    await cancelRequest(before.ctx, id, REASON);
    await aSessionLike(before);
    const file = await backupOf(before);
    await before.ctx.close();
    const app = await anotherMachine(before, file);
    const found = await surveyTakeover(app.ctx, BY);
    if (found) await takeOver(app.ctx, found, BY);
    return { app, id, states: () => sessions(app).map(({ status }) => status) };
  }

  test('the schedule closes it', async () => {
    const { app, states } = await forgottenPage();
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect(states()).toEqual(['expired', 'expired']);
  });

  test('a check that cannot close it says so', async () => {
    const { app, id, states } = await forgottenPage();
    app.sandbox.faults.add('payment.expire:500');
    expect(await checkPayment(app.ctx, id, BY)).toEqual({ type: 'error', key: 'payment_unavailable' });
    expect(states()).toEqual(['expired', 'open']);
  });

  test('a check closes it and says so, a dry run only says so', async () => {
    const { app, id, states } = await forgottenPage();
    const closed = { type: 'info', key: 'check_payment_info.closed', changed: true };
    expect(await checkPayment(app.ctx, id, { ...BY, dryRun: true })).toEqual(closed);
    expect(states()).toEqual(['expired', 'open']);

    expect(await checkPayment(app.ctx, id, BY)).toEqual(closed);

    expect(states()).toEqual(['expired', 'expired']);
    expect((await checkPayment(app.ctx, id, BY)).key).toBe('not_waiting_payment');
  });
});

describe('money on its way through a page that the provider does not know any more', () => {
  async function unknownMoney() {
    const waiting = await linked();
    const { app, paymentId } = waiting;
    app.sandbox.pay(paymentId, { async: true });
    await deliverPayment(app, paymentId, UNPAID);
    for (const call of ['get', 'expire']) app.sandbox.faults.add(`payment.${call}:404:9`);
    return waiting;
  }

  test.for([
    ['canceling', cancelRequest],
    ['completing', completeRequest],
    ['reminding', remindRequest],
  ] as const)('is not forgotten: %s is refused, and the hint says how to stop waiting', async ([, act]) => {
    const { app, id } = await unknownMoney();
    const refusal = await rejection(act(app.ctx, id, REASON));
    expect(refusal).toMatchObject({
      code: 'payment_pending',
      hint: expect.arrayContaining([{ ...command('payments give-up', id), reason: '…' }]) as unknown,
    });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(await findings(app, id)).toContain('payment_pending_long: gone');
  });
});

describe('beside the page that counts,', () => {
  /** The first was mailed; the second was only found, and its money is on its way. */
  async function twoPages() {
    const scene = await linked();
    await aSessionLike(scene.app);
    return { ...scene, other: await becomesPending(scene.app) };
  }

  test('explain finds the other, which was paid while its webhook was lost', async () => {
    const { app, id, paymentId } = await twoPages();
    app.sandbox.pay(paymentId);
    expect(await findings(app, id)).toContain('webhook_missed: lost');
  });

  test('todo names the money that has been on its way for too long', async () => {
    const { app, id } = await twoPages();
    await app.drain();
    expect(app.request(id).dueAt).not.toBeNull();
    app.clock.advance(15 * DAY);
    const { needs } = await listNeeds(app.ctx, 9);
    expect(needs).toMatchObject([{ kind: 'payment', request: { id } }]);
  });
});
