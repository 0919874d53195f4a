/** A renewed payment link that a restore has forgotten, while its predecessor seems to work: the providers' facts decide which one counts. */
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { explain } from '../../../src/core/explain/explain.js';
import { removeFailed, replayFailed } from '../../../src/core/jobs/failed.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { followPayLink } from '../../../src/core/payment/follow-pay-link.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { surveyTakeover } from '../../../src/core/takeover/survey.js';
import { takeOver } from '../../../src/core/takeover/take-over.js';
import { findPayment } from '../../../src/db/payments/payments.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { HOUR } from '../../support/clock.js';
import { anotherMachine, backupOf, restored } from '../../support/restored.js';
import {
  aSessionLike,
  completedApp,
  deliver,
  deliverPayment,
  signWithAllTries,
} from '../../support/webhooks.js';
import { loseAllAnswers, renewDespitePending } from '../../support/payments.js';

const BY = { actor: TESTER };
const sessions = (app: TestApp) => app.sandbox.state().sessions;
const mails = (app: TestApp, name: string) =>
  app.jobs('send-mail').filter(({ payload }) => payload.includes(`"${name}"`));

interface Life {
  /** What has become of the renewed link. */
  renewal?: 'open' | 'slow' | 'paid';
  /** The backup is from after the first link's end, not from before. */
  isKnownAsOver?: boolean;
  /** How old the first link is at the backup. */
  agedHours?: number;
  /** From the renewal's payment to the restore. */
  laterHours?: number;
  put?: typeof restored;
}

/** The backup knows the first link; since then it ended and was renewed. */
async function forgottenRenewal({
  renewal = 'paid',
  isKnownAsOver = false,
  agedHours = 0,
  laterHours = 25,
  put = restored,
}: Life = {}) {
  const first = await startApp();
  const { request, signId } = await first.waitingRequest();
  first.sandbox.sign(signId);
  await deliver(first, signId);
  await first.drain();
  const { clock } = first;
  clock.advance(agedHours * HOUR);
  let file = await backupOf(first);
  clock.advance(25 * HOUR);
  if (agedHours === 0) await checkAllPayments(first.ctx, { actor: SCHEDULE });
  if (isKnownAsOver) file = await backupOf(first);
  const session = await renewPaymentSession(first.ctx, request.id, BY);
  const renewed = session?.paymentId as string;
  await first.drain();
  if (renewal !== 'open') first.sandbox.pay(renewed, { async: renewal === 'slow' });
  clock.advance(laterHours * HOUR);
  if (put === anotherMachine) await first.ctx.close();
  return { app: await put(first, file), id: request.id, renewed };
}

/** The webhook about the newest session. */
function told(app: TestApp, paymentStatus: string): Promise<number> {
  const session = sessions(app).at(-1);
  const object = { ...session, payment_status: paymentStatus };
  return deliverPayment(app, session?.id as string, { paymentStatus, object });
}

async function takesOver(app: TestApp): Promise<void> {
  const found = await surveyTakeover(app.ctx, BY);
  if (found) await takeOver(app.ctx, found, BY);
  await app.drain();
}

describe('a renewed link that is paid', () => {
  test.for<[who: string, find: (app: TestApp, id: number) => Promise<unknown>]>([
    [
      'the renewal of the link that the backup knew',
      ({ ctx }, id) => rejection(renewPaymentSession(ctx, id, BY)),
    ],
    ["the schedule's check", ({ ctx }) => checkAllPayments(ctx, { actor: SCHEDULE })],
    ['a reminder, which is not sent', ({ ctx }, id) => rejection(remindRequest(ctx, id, BY))],
  ])('is found by %s', async ([, find]) => {
    const { app, id, renewed } = await forgottenRenewal();

    await find(app, id);
    await app.drain();

    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
    expect(sessions(app)).toHaveLength(2);
    expect(app.jobs('send-mail').filter(({ payload }) => payload.includes('reminder'))).toEqual([]);
  });

  test('a renewal of the earlier link is refused, and the refusal says that the request is complete', async () => {
    const { app, id } = await forgottenRenewal({ isKnownAsOver: true });
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({
      code: 'already_paid',
      hint: 'The request is now complete.',
    });
  });

  test("is found by a person's check of all, although the backup knew that the link before it was over", async () => {
    const { app, id, renewed } = await forgottenRenewal({ isKnownAsOver: true });

    await checkAllPayments(app.ctx, { ...BY, dryRun: true });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    const { results } = await checkAllPayments(app.ctx, BY);

    expect(results).toMatchObject([{ requestId: id, key: 'check_payment_success', changed: true }]);
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
  });
});

describe('a webhook about a renewed link that a restore has forgotten, whose predecessor is known to be over:', () => {
  test('paid, it completes the request', async () => {
    const { app, id, renewed } = await forgottenRenewal({ isKnownAsOver: true });

    expect(await told(app, 'paid')).toBe(200);

    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
    expect(app.history(id)).not.toContain('payment.old_session_paid');
  });

  test('a payment on its way counts when it arrives, and nobody is asked to pay twice', async () => {
    const { app, id, renewed } = await forgottenRenewal({ isKnownAsOver: true, renewal: 'slow' });

    expect(await told(app, 'unpaid')).toBe(200);

    expect(app.request(id)).toMatchObject({ paymentId: renewed, paymentUrl: null });
    const refused = { code: 'payment_pending' };
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject(refused);
    expect(await rejection(cancelRequest(app.ctx, id, { ...BY, reason: 'moved' }))).toMatchObject(refused);
    expect(sessions(app)).toHaveLength(2);
    await deliverPayment(app, renewed, { type: 'checkout.session.async_payment_succeeded' });
    expect(app.request(id).status).toBe('COMPLETE');
  });
});

describe('a webhook about a renewed link, before anything has said that its predecessor is over:', () => {
  test.for([
    ['a machine that is held', anotherMachine],
    ['one that was let go', restored],
  ] as const)(
    'on %s, a payment on its way is waited for, and nobody is asked to pay twice',
    async ([, put]) => {
      const { app, id, renewed } = await forgottenRenewal({ renewal: 'slow', laterHours: 1, put });

      expect(await told(app, 'unpaid')).toBe(200);
      await takesOver(app);
      await checkAllPayments(app.ctx, { actor: SCHEDULE });
      app.clock.advance(25 * HOUR);

      expect(app.request(id)).toMatchObject({ paymentId: renewed, paymentUrl: null });
      expect((await explain(app.ctx, String(id))).findings[0]?.key).toMatch(/^payment_pending/);
      const place = await followPayLink(app.ctx, app.request(id).payToken as string);
      expect(place).toEqual({ place: 'pending' });
      expect(await rejection(remindRequest(app.ctx, id, BY))).toMatchObject({ code: 'payment_pending' });
      expect(sessions(app)).toHaveLength(2);
      await deliverPayment(app, renewed, { type: 'checkout.session.async_payment_succeeded' });
      expect(app.request(id).status).toBe('COMPLETE');
      expect(app.history(id)).not.toContain('payment.old_session_paid');
    },
  );

  test('paid, it completes the request', async () => {
    const { app, id, renewed } = await forgottenRenewal({ laterHours: 1, put: anotherMachine });
    expect(await told(app, 'paid')).toBe(200);
    await takesOver(app);
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
    expect(app.history(id)).not.toContain('payment.old_session_paid');
  });
});

describe('a takeover of data whose link is older than the provider’s list goes back,', () => {
  const old = { agedHours: 80, laterHours: 1, put: anotherMachine };

  test('waits for the money of the renewed one', async () => {
    const { app, id, renewed } = await forgottenRenewal({ ...old, renewal: 'slow' });
    await takesOver(app);
    app.clock.advance(25 * HOUR);
    expect(app.request(id).paymentId).toBe(renewed);
    const place = await followPayLink(app.ctx, app.request(id).payToken as string);
    expect(place).toEqual({ place: 'pending' });
    expect(sessions(app)).toHaveLength(2);
  });

  test('leads the customer to the renewed one, which works', async () => {
    const { app, id, renewed } = await forgottenRenewal({ ...old, renewal: 'open' });
    await takesOver(app);
    const place = await followPayLink(app.ctx, app.request(id).payToken as string);
    expect(place).toEqual({ place: 'payment_page', url: sessions(app)[1]?.url });
    expect(app.request(id).paymentId).toBe(renewed);
    expect(sessions(app)).toHaveLength(2);
  });
});

describe.for([true, false])('after a restore that knows the first link as over (%s),', (isKnownAsOver) => {
  test.for([
    ['canceled', (app: TestApp, id: number) => cancelRequest(app.ctx, id, { ...BY, reason: 'moved' })],
    ['completed', (app: TestApp, id: number) => completeRequest(app.ctx, id, { ...BY, reason: 'cash' })],
  ] as const)('a renewed link that works is closed when its request is %s by hand', async ([, close]) => {
    const { app, id } = await forgottenRenewal({ renewal: 'open', laterHours: 1, isKnownAsOver });
    await close(app, id);
    expect(sessions(app).map(({ status }) => status)).toEqual(['expired', 'expired']);
  });

  test('a renewed link that is paid completes the request that somebody wants to cancel', async () => {
    const { app, id, renewed } = await forgottenRenewal({ laterHours: 1, isKnownAsOver });
    const refused = await rejection(cancelRequest(app.ctx, id, { ...BY, reason: 'moved' }));
    expect(refused).toMatchObject({ code: 'already_complete' });
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
    expect(app.history(id)).toContain('payment.received');
  });
});

test('a renewal that finds money on its way says so', async () => {
  const { app, id } = await forgottenRenewal({ renewal: 'slow', isKnownAsOver: true });
  expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({ code: 'payment_pending' });
});

test('a renewal that finds only a link that is over, and makes none, says so', async () => {
  const { app, id } = await forgottenRenewal({ renewal: 'open', isKnownAsOver: true });
  app.sandbox.faults.add('payment.create:500:1');
  expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject({
    code: 'payment_creation_failed',
  });
});

test('of two links that were paid and forgotten, one completes the request, and the other is a case for a person', async () => {
  const first = await startApp();
  const { request, signId } = await first.waitingRequest();
  const file = await backupOf(first);
  first.sandbox.sign(signId);
  await deliver(first, signId);
  await first.drain();
  const slow = first.request(request.id).paymentId as string;
  first.sandbox.pay(slow, { async: true });
  await deliverPayment(first, slow, { paymentStatus: 'unpaid' });
  const renewed = await renewDespitePending(first.ctx, request.id);
  first.sandbox.pay(renewed?.paymentId as string);
  first.sandbox.settlePayment(slow, 'succeeded');
  first.clock.advance(13 * HOUR);
  await first.ctx.close();

  const app = await anotherMachine(first, file);
  await takesOver(app);

  const { id } = request;
  expect(app.request(id)).toMatchObject({ status: 'COMPLETE' });
  const happened = app.history(id);
  expect(happened.filter((what) => what === 'payment.received')).toHaveLength(1);
  expect(happened.filter((what) => what === 'payment.old_session_paid')).toHaveLength(1);
  expect(mails(app, 'payment-trouble')).toHaveLength(1);
});

describe('a session that a late call of the first try makes beside one whose money is on its way,', () => {
  async function aLateSession() {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.faults.add('payment.create:500');
    await signWithAllTries(app, signId);
    app.sandbox.faults.clear();
    await replayFailed(app.ctx, [app.jobs('create-payment-session')[0]?.id as number], BY);
    await app.drain();
    const replayed = app.request(request.id).paymentId as string;
    app.clock.advance(60_000);
    await aSessionLike(app);
    app.sandbox.pay(replayed, { async: true });
    await deliverPayment(app, replayed, { paymentStatus: 'unpaid' });
    return { app, id: request.id, replayed, before: await backupOf(app) };
  }

  async function staysPending(app: TestApp, id: number, replayed: string): Promise<void> {
    expect(app.request(id).paymentId).toBe(replayed);
    expect((await explain(app.ctx, String(id))).findings.map(({ key }) => key)).toContain('payment_pending');
    const place = await followPayLink(app.ctx, app.request(id).payToken as string);
    expect(place).toEqual({ place: 'pending' });
    await deliverPayment(app, replayed, { type: 'checkout.session.async_payment_succeeded' });
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: replayed });
    expect(app.history(id)).not.toContain('payment.old_session_paid');
  }

  test('changes nothing when its end is reported', async () => {
    const { app, id, replayed } = await aLateSession();
    app.clock.advance(25 * HOUR);
    const late = sessions(app).find((session) => session.id !== replayed);
    const object = { ...late, status: 'expired' };
    const type = 'checkout.session.expired';
    await deliverPayment(app, late?.id as string, { type, paymentStatus: 'unpaid', object });
    await staysPending(app, id, replayed);
  });

  test('changes nothing when a takeover finds it open', async () => {
    const { app: first, id, replayed, before } = await aLateSession();
    const mailed = mails(first, 'payment-link').length;
    await first.ctx.close();
    const app = await anotherMachine(first, before);
    await takesOver(app);
    expect(mails(app, 'payment-link')).toHaveLength(mailed);
    await staysPending(app, id, replayed);
  });
});

describe('a link that was renewed although money was on its way, and that a restore has forgotten:', () => {
  const refusedByBank = { type: 'checkout.session.async_payment_failed', paymentStatus: 'unpaid' };
  const received = { type: 'checkout.session.async_payment_succeeded' };

  async function besidePending({ put = restored }: Pick<Life, 'put'> = {}) {
    const { app: first, waiting } = await completedApp();
    const { id } = waiting.request;
    await first.drain();
    const pending = first.request(id).paymentId as string;
    first.sandbox.pay(pending, { async: true });
    await deliverPayment(first, pending, { paymentStatus: 'unpaid' });
    const file = await backupOf(first);
    first.clock.advance(HOUR);
    const session = await renewDespitePending(first.ctx, id);
    const renewed = session?.paymentId as string;
    await first.drain();
    if (put === anotherMachine) await first.ctx.close();
    return { app: await put(first, file), id, pending, renewed };
  }

  async function fails(app: TestApp, paymentId: string): Promise<void> {
    app.sandbox.settlePayment(paymentId, 'failed');
    await deliverPayment(app, paymentId, refusedByBank);
  }

  test.for([true, false])(
    'when its own money is on its way too, the bank refuses one of the two (the older: %s), and the other is waited for',
    async (isOlder) => {
      const { app, id, pending, renewed } = await besidePending();
      app.sandbox.pay(renewed, { async: true });
      expect(await told(app, 'unpaid')).toBe(200);
      const [refused, other] = isOlder ? [pending, renewed] : [renewed, pending];

      await fails(app, refused);

      expect(app.request(id)).toMatchObject({ paymentId: other, paymentUrl: null });
      const again = await rejection(renewPaymentSession(app.ctx, id, BY));
      expect(again).toMatchObject({ code: 'payment_pending' });
      expect(sessions(app)).toHaveLength(2);
      await deliverPayment(app, other, received);
      expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: other });
      expect(app.history(id)).not.toContain('payment.old_session_paid');
    },
  );

  test("the schedule's check asks about both", async () => {
    const { app, id, pending, renewed } = await besidePending();
    app.sandbox.pay(renewed, { async: true });
    await told(app, 'unpaid');
    app.sandbox.settlePayment(renewed, 'succeeded');

    const { results } = await checkAllPayments(app.ctx, { actor: SCHEDULE });

    expect(results).toMatchObject([{ requestId: id, key: 'check_payment_success', changed: true }]);
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
    await deliverPayment(app, pending, received);
    expect(app.history(id).filter((what) => what === 'payment.old_session_paid')).toHaveLength(1);
  });

  test('paid while the other money is on its way, it completes the request', async () => {
    const { app, id, renewed } = await besidePending();
    app.sandbox.pay(renewed);
    expect(await told(app, 'paid')).toBe(200);
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
    expect(app.history(id)).not.toContain('payment.old_session_paid');
  });

  test('when the bank refuses the other, it is the link that works, and no third one is made', async () => {
    const { app, id, pending, renewed } = await besidePending({ put: anotherMachine });
    await takesOver(app);
    await fails(app, pending);

    expect(app.request(id)).toMatchObject({ paymentId: renewed, paymentUrl: sessions(app)[1]?.url });
    const works = { code: 'payment_link_works' };
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject(works);
    const place = await followPayLink(app.ctx, app.request(id).payToken as string);
    expect(place).toEqual({ place: 'payment_page', url: sessions(app)[1]?.url });
    expect(sessions(app)).toHaveLength(2);
  });

  test('when nobody knows it, a renewal finds it and makes no third one', async () => {
    const { app, id, pending, renewed } = await besidePending();
    await fails(app, pending);
    const works = { code: 'payment_link_works' };
    expect(await rejection(renewPaymentSession(app.ctx, id, BY))).toMatchObject(works);
    expect(app.request(id)).toMatchObject({ paymentId: renewed, paymentUrl: sessions(app)[1]?.url });
    expect(sessions(app)).toHaveLength(2);
  });

  test.for([
    ['canceled', (app: TestApp, id: number) => cancelRequest(app.ctx, id, { ...BY, reason: 'moved' })],
    ['completed', (app: TestApp, id: number) => completeRequest(app.ctx, id, { ...BY, reason: 'cash' })],
  ] as const)('it is closed when the request is %s by hand', async ([, close]) => {
    const { app, id, pending } = await besidePending({ put: anotherMachine });
    await takesOver(app);
    await fails(app, pending);
    await close(app, id);
    expect(sessions(app).map(({ status }) => status)).toEqual(['complete', 'expired']);
  });
});

test('a link that was found by a cancellation that failed completes the request when it is paid', async () => {
  const { app, id, renewed } = await forgottenRenewal({
    renewal: 'open',
    laterHours: 1,
    isKnownAsOver: true,
  });
  app.sandbox.faults.add('payment.expire:500');
  await rejection(cancelRequest(app.ctx, id, { ...BY, reason: 'moved' }));
  app.sandbox.faults.clear();
  expect(findPayment(app.ctx.db, { paymentId: renewed })?.state).toBe('open');
  app.sandbox.pay(renewed);
  await deliverPayment(app, renewed);
  expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: renewed });
  expect(app.history(id)).not.toContain('payment.old_session_paid');
});

test('a customer who was never mailed a link is not said to have one when a session is reported as over', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  const { id } = request;
  await loseAllAnswers(app, signId);
  const [lost] = sessions(app);
  const object = { ...lost, status: 'expired' };
  await deliverPayment(app, lost?.id as string, {
    type: 'checkout.session.expired',
    paymentStatus: 'unpaid',
    object,
  });
  const found = async () => (await explain(app.ctx, String(id))).findings[0];
  expect(await found()).toMatchObject({ key: 'payment_job_stuck', cause: 'failed' });
  await removeFailed(app.ctx, [app.jobs('create-payment-session')[0]?.id as number], BY);
  expect(await found()).toMatchObject({
    key: 'payment_missing',
    cause: 'unmade',
    next: { name: 'payments renew' },
  });
});

test('a link that was found by a cancellation that failed is given to the customer by a renewal', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  const { id } = request;
  await loseAllAnswers(app, signId);
  app.sandbox.faults.add('payment.expire:500');
  await rejection(cancelRequest(app.ctx, id, { ...BY, reason: 'moved' }));
  app.sandbox.faults.clear();
  expect((await explain(app.ctx, String(id))).findings[0]).toMatchObject({
    level: 'trouble',
    next: { name: 'failed replay' },
  });

  expect(await renewPaymentSession(app.ctx, id, { ...BY, dryRun: true })).toBeUndefined();
  expect(mails(app, 'payment-link')).toEqual([]);
  await renewPaymentSession(app.ctx, id, BY);

  expect(sessions(app)).toMatchObject([{ status: 'open', url: app.request(id).paymentUrl }]);
  expect(mails(app, 'payment-link')).toHaveLength(1);
  await app.drain();
  expect((await explain(app.ctx, String(id))).findings).toMatchObject([{ key: 'waiting_for_payment' }]);
});

test('a renewal that is ordered while the one before is being tried again makes one link', async () => {
  const { app, waiting } = await completedApp();
  const { id } = waiting.request;
  await app.drain();
  app.clock.advance(25 * HOUR);
  app.sandbox.faults.add('payment.create:500:1');
  await rejection(renewPaymentSession(app.ctx, id, BY));
  app.clock.advance(1000);
  const made = () => app.sandbox.state().counters.calls['payment.create'] ?? 0;
  const before = made();
  app.sandbox.faults.add({ target: 'payment', operation: 'create', kind: 'delay', delayMs: 500, times: 1 });
  const draining = app.drain();
  while (made() === before) await new Promise<void>((next) => void setImmediate(next));
  await renewPaymentSession(app.ctx, id, BY).catch(() => undefined);
  await draining;
  await app.drain();

  expect(sessions(app).map(({ status }) => status)).toEqual(['expired', 'open']);
  expect((await explain(app.ctx, String(id))).findings[0]).toMatchObject({ key: 'waiting_for_payment' });
});
