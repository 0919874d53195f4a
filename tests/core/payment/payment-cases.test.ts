/** Payments that did not complete their request: each stays a case until a person decides, and meanwhile nobody is asked to pay. */
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { orderDigest } from '../../../src/core/needs/digest.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { rejection, type TestApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { linked, renewDespitePending } from '../../support/payments.js';
import { backupOf, restored } from '../../support/restored.js';
import { BY, REASON, REFUSED, findings, mails, sessions } from '../../support/two-pages.js';
import {
  deliver,
  deliverOtherAmount,
  deliverPayment,
  signedApp,
  signWithAllTries,
} from '../../support/webhooks.js';

/** Another amount was paid beside the page. */
async function otherAmount() {
  const scene = await linked();
  await deliverOtherAmount(scene.app, scene.id);
  await scene.app.drain();
  expect(await findings(scene.app, scene.id)).toEqual(['payment_case: other_price']);
  return scene;
}

/** The next call of this kind only returns when a payment of another amount has been reported. */
function reportDuring(app: TestApp, id: number, call: 'getSession' | 'expireSession') {
  const { payment } = app.ctx;
  const ask: (paymentId: string) => Promise<unknown> = payment[call].bind(payment);
  const asked = async (paymentId: string) => {
    const answer = await ask(paymentId);
    await deliverOtherAmount(app, id);
    return answer;
  };
  Object.assign(payment, { [call]: asked });
}

describe('a payment that does not count', () => {
  test('is what a check answers, although the webhook reports it while the check is asking', async () => {
    const { app, id } = await linked();
    reportDuring(app, id, 'getSession');
    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'old_session_paid' });
  });

  test('stays one after a restore that has forgotten the decision and the page that was made then', async () => {
    const { app: before, id } = await otherAmount();
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

  test('stays one when the failed payment job is replayed: no page is made', async () => {
    const { app, waiting } = await signedApp();
    const { id } = waiting.request;
    app.sandbox.faults.add('payment.create:500:9');
    await signWithAllTries(app, waiting.signId);
    await deliverOtherAmount(app, id);
    app.sandbox.faults.clear();
    await replayFailed(app.ctx, [app.jobs('create-payment-session').at(-1)?.id as number], BY);
    await app.drain();
    expect(sessions(app)).toEqual([]);
    expect(await findings(app, id)).toContain('payment_case: other_price');
  });
});

/** The first page was paid by a method that takes days; a person did not believe in it, and made a second page. */
async function givenUp() {
  const { app, id, paymentId: first, link } = await linked();
  app.sandbox.pay(first, { async: true });
  const made = await renewDespitePending(app.ctx, id);
  return { app, id, first, second: made?.paymentId as string, link };
}

describe('a payment that was given up', () => {
  test('completes the request when its money arrives although the webhook is lost, and the other page is closed', async () => {
    const { app, id, first, link } = await givenUp();
    // That the money is still on its way does not end the waiting.
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect((await link()).place).toBe('payment_page');
    app.sandbox.settlePayment(first, 'succeeded');
    await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: first });
    expect(sessions(app).map(({ status }) => status)).toEqual(['complete', 'expired']);
    expect(mails(app, 'payment-trouble')).toEqual([]);
  });

  test('is a case, told once, when its money arrives after the other page was paid and the webhook is lost', async () => {
    const { app, id, first, second } = await givenUp();
    await deliverPayment(app, second);
    app.sandbox.settlePayment(first, 'succeeded');
    app.clock.advance(10 * DAY);
    for (let run = 0; run < 2; run += 1) await checkAllPayments(app.ctx, { actor: SCHEDULE });
    expect(mails(app, 'payment-trouble')).toHaveLength(1);
    expect(await findings(app, id)).toContain('payment_case: paid_twice');
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

  test('does not hide the payment of another page when it cannot be asked about', async () => {
    const { app, id, first, second } = await givenUp();
    app.sandbox.pay(second);
    app.sandbox.faults.add(`payment.get~${first}:500`);
    expect(await checkPayment(app.ctx, id, BY)).toMatchObject({ key: 'check_payment_success' });
    expect(app.request(id).status).toBe('COMPLETE');
  });

  test('that cannot be asked about is named by the bulk check when its request is over, and the others are checked', async () => {
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
});

test.for(['getSession', 'expireSession'] as const)(
  'completing by hand stops when a payment is reported during %s: the person does not know of it',
  async (call) => {
    const { app, id } = await linked();
    reportDuring(app, id, call);
    const unknown = { code: 'already_paid' };
    expect(await rejection(completeRequest(app.ctx, id, REASON))).toMatchObject(unknown);
    expect(await findings(app, id)).toContain('payment_case: other_price');
  },
);

test('a renewal stops when a payment is reported meanwhile: the person does not know of it', async () => {
  const { app, id, paymentId } = await linked();
  app.sandbox.expireSession(paymentId);
  reportDuring(app, id, 'getSession');
  const unknown = { code: 'in_progress' };
  expect(await rejection(renewPaymentSession(app.ctx, id, REASON))).toMatchObject(unknown);
  expect(app.history(id)).not.toContain('payment.renewed');
  expect(await findings(app, id)).toContain('payment_case: other_price');
});

test('todo and the daily mail find an open case although many newer ones have been settled', async () => {
  const { app, id } = await otherAmount();
  for (let n = 0; n < 9; n += 1) {
    const other = (await app.waitingRequest()).request.id;
    await deliverOtherAmount(app, other, `cs_${n}`);
    await settleRequest(app.ctx, other, REASON);
  }
  const { needs } = await listNeeds(app.ctx, 5);
  expect(needs).toMatchObject([{ kind: 'payment', request: { id } }]);
  expect(await orderDigest(app.ctx, { actor: SCHEDULE })).toEqual({ needs: 1 });
});
