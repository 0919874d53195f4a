/** Payment check and renewal: what is asked, what changes, what is refused (rules 2, 5). */
import { describe, expect, test } from 'vitest';
import { SCHEDULE, type Actor } from '../../../src/core/actor.js';
import { command } from '../../../src/core/commands.js';
import { explain } from '../../../src/core/explain/explain.js';
import { CallCut } from '../../../src/core/http/provider-error.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment, type PaymentCheckResult } from '../../../src/core/payment/check-payment.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { listHistory } from '../../../src/db/history/history.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliverPayment } from '../../support/webhooks.js';

async function aRequestWaitingForPayment(app: TestApp) {
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await checkSignature(app.ctx, request.id, { actor: TESTER });
  await app.drain();
  return { id: request.id, paymentId: app.request(request.id).paymentId as string };
}

const check = (app: TestApp, id: number, changes = {}) =>
  checkPayment(app.ctx, id, { actor: TESTER, ...changes });
const renew = (app: TestApp, id: number, changes = {}) =>
  renewPaymentSession(app.ctx, id, { actor: TESTER, ...changes });

describe('the payment check', () => {
  test('paid there, webhook lost: the request is complete, and who asked and why stands in the history', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.sandbox.pay(paymentId);

    expect(await check(app, id, { reason: 'the customer called' })).toEqual({
      type: 'success',
      key: 'check_payment_success',
      changed: true,
    });

    expect(app.request(id).status).toBe('COMPLETE');
    expect(app.history(id).slice(-3)).toEqual(['payment.received', 'request.moved', 'payment.checked']);
    const detail = app.ctx.db.raw
      .prepare(`SELECT detail FROM history WHERE what = 'payment.checked'`)
      .pluck()
      .get();
    expect(JSON.parse(detail as string)).toMatchObject({ reason: 'the customer called' });
  });

  const INFO = { type: 'info' } as const;
  const ERROR = { type: 'error' } as const;
  const CHANGED = { changed: true } as const;

  test.each<[string, (app: TestApp, it: string) => void, PaymentCheckResult, string[]]>([
    ['open', () => undefined, { ...INFO, key: 'check_payment_info.open' }, ['payment.checked']],
    [
      'on its way',
      (app, it) => void app.sandbox.pay(it, { async: true }),
      { ...INFO, key: 'check_payment_info.pending', ...CHANGED },
      ['payment.pending', 'payment.checked'],
    ],
    [
      'over',
      (app, it) => void app.sandbox.expireSession(it),
      { ...INFO, key: 'check_payment_info.expired', ...CHANGED },
      ['payment.session_expired', 'payment.checked'],
    ],
    [
      'gone',
      (app) => void app.sandbox.faults.add('payment.get:404'),
      { ...ERROR, key: 'payment_session_not_found', ...CHANGED },
      ['payment.session_expired', 'payment.checked'],
    ],
    [
      'not to be had',
      (app) => void app.sandbox.faults.add('payment.get:401'),
      { ...ERROR, key: 'payment_unavailable' },
      [],
    ],
  ])('a session that is %s leaves the request waiting', async (_, happen, result, recorded) => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    happen(app, paymentId);
    const before = app.history(id);

    expect(await check(app, id)).toEqual(result);
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(app.history(id).slice(before.length)).toEqual(recorded);
  });

  test('a session that was found to be over changes nothing when it is checked again', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.sandbox.expireSession(paymentId);
    const over = { ...INFO, key: 'check_payment_info.expired' };
    expect(await check(app, id, { dryRun: true })).toEqual({ ...over, ...CHANGED });
    expect(await check(app, id)).toEqual({ ...over, ...CHANGED });
    expect(await check(app, id)).toEqual(over);
  });

  test('an open session is nothing new to the schedule: it writes nothing', async () => {
    const app = await startApp();
    const { id } = await aRequestWaitingForPayment(app);
    const before = app.history(id);
    expect(await check(app, id, { actor: SCHEDULE })).toEqual({ ...INFO, key: 'check_payment_info.open' });
    expect(app.history(id)).toEqual(before);
  });

  test('what the schedule finds is recorded without its own name', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.sandbox.pay(paymentId);
    await check(app, id, { actor: SCHEDULE });
    expect(app.history(id)).toContain('payment.received');
    expect(app.history(id)).not.toContain('payment.checked');
  });

  test('a session that is over here counts when the provider says that it was paid', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.sandbox.pay(paymentId);
    app.ctx.db.raw.prepare("UPDATE payments SET state = 'over'").run();
    expect((await check(app, id)).key).toBe('check_payment_success');
    expect(app.request(id).status).toBe('COMPLETE');
  });

  test('a dry run changes nothing', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.sandbox.pay(paymentId);
    const before = app.history(id);

    expect((await check(app, id, { dryRun: true })).key).toBe('check_payment_success');
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(app.history(id)).toEqual(before);
  });

  test('a request that waits for no payment, or has no session yet, is reported as such', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    expect((await check(app, request.id)).key).toBe('not_waiting_payment');
    app.sandbox.faults.add('payment.create:500');
    app.sandbox.sign(signId);
    await checkSignature(app.ctx, request.id, { actor: TESTER });
    expect((await check(app, request.id)).key).toBe('no_payment_session');
  });

  test('webhook and check at once: paid once', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.sandbox.pay(paymentId);
    await Promise.all([check(app, id), deliverPayment(app, paymentId), check(app, id)]);
    expect(app.history(id).filter((what) => what === 'payment.received')).toHaveLength(1);
  });

  test('the bulk check asks about every open session and about no other', async () => {
    const app = await startApp();
    const paid = await aRequestWaitingForPayment(app);
    const open = await aRequestWaitingForPayment(app);
    const settled = await aRequestWaitingForPayment(app);
    await deliverPayment(app, settled.paymentId);
    app.sandbox.pay(paid.paymentId);

    const { results, ...counts } = await checkAllPayments(app.ctx, { actor: TESTER });

    expect(counts).toEqual({ checked: 2, changed: 1, failed: 0 });
    expect(results.map(({ requestId }) => requestId)).toEqual([paid.id, open.id]);
    expect(app.request(paid.id).status).toBe('COMPLETE');
  });

  test('the schedule asks about sessions that can be paid, a person about every waiting request', async () => {
    const app = await startApp();
    const over = await aRequestWaitingForPayment(app);
    const open = await aRequestWaitingForPayment(app);
    app.sandbox.expireSession(over.paymentId);
    await check(app, over.id);
    const asked = async (actor: Actor) =>
      (await checkAllPayments(app.ctx, { actor })).results.map(({ requestId }) => requestId);
    expect(await asked(SCHEDULE)).toEqual([open.id]);
    expect(await asked(TESTER)).toEqual([over.id, open.id]);
  });

  test('a request without a session is neither asked about nor counted', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.faults.add('payment.create:500');
    app.sandbox.sign(signId);
    await checkSignature(app.ctx, request.id, { actor: TESTER });
    const nothing = { checked: 0, changed: 0, failed: 0, results: [] };
    expect(await checkAllPayments(app.ctx, { actor: TESTER })).toEqual(nothing);
  });

  test('the bulk check asks past a session that fails for ever, and breaks off after three in a row; the next goes on behind them', async () => {
    const app = await startApp();
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await aRequestWaitingForPayment(app)).id);
    const askedAbout = async (actor: Actor) => {
      const { results, ...more } = await checkAllPayments(app.ctx, { actor });
      return { ...more, ids: results.map(({ requestId }) => ids.indexOf(requestId)) };
    };
    const bad = (nth: number) =>
      app.sandbox.faults.add(`payment.get~${app.request(ids[nth] as number).paymentId}:500`);
    bad(1);
    for (const actor of [SCHEDULE, TESTER])
      expect(await askedAbout(actor)).toMatchObject({
        ids: [0, 1, 2, 3, 4],
        failed: 1,
        trouble: `request ${ids[1]}: payment provider answered 500 (An unknown error occurred)`,
      });
    bad(2);
    bad(3);
    expect(await askedAbout(SCHEDULE)).toMatchObject({ ids: [0, 1, 2, 3], failed: 3, brokeOff: true });
    // Whoever asks next.
    expect(await askedAbout(TESTER)).toMatchObject({ ids: [4, 0, 1, 2, 3], failed: 3, brokeOff: true });
    app.sandbox.faults.clear();
    const whole = { ids: [0, 1, 2, 3, 4], checked: 5, changed: 0, failed: 0 };
    expect(await askedAbout(SCHEDULE)).toEqual(whole);
  });

  test('the bulk check ends when it is told to, and says nothing about what it has not asked', async () => {
    const app = await startApp();
    await aRequestWaitingForPayment(app);
    await aRequestWaitingForPayment(app);
    const stopped = { actor: TESTER, signal: AbortSignal.abort() };
    const nothing = { checked: 0, changed: 0, failed: 0, results: [] };
    expect(await checkAllPayments(app.ctx, stopped)).toEqual(nothing);
    // The caller goes while the provider is asked.
    app.ctx.payment.getSession = () =>
      Promise.reject(new CallCut('payment provider', { mayHaveActed: false }));
    expect(await checkAllPayments(app.ctx, { actor: TESTER })).toEqual(nothing);
  });

  test('a fault of our own is not taken for the provider’s', async () => {
    const app = await startApp();
    const { id } = await aRequestWaitingForPayment(app);
    app.ctx.payment.getSession = () => Promise.reject(new Error('a bug'));
    await expect(check(app, id)).rejects.toThrow('a bug');
  });
});

describe('renewing a payment link', () => {
  test('one that is over gets a new one, the customer a mail with it, and it can be paid', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.clock.advance(2 * DAY);

    const made = await renew(app, id, { reason: 'was on holiday' });
    await app.drain();

    expect(made?.paymentId).not.toBe(paymentId);
    expect(app.request(id)).toMatchObject({ paymentId: made?.paymentId, paymentUrl: made?.paymentUrl });
    expect(app.sandbox.mails().at(-1)?.text).toContain(`/pay/${app.request(id).payToken}`);
    app.sandbox.pay(made?.paymentId as string);
    await deliverPayment(app, made?.paymentId as string);
    expect(app.request(id).status).toBe('COMPLETE');
    expect(app.history(id)).toContain('payment.renewed');
  });

  test('after a payment that failed in the end', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.sandbox.pay(paymentId, { async: true });
    app.sandbox.settlePayment(paymentId, 'failed');
    await deliverPayment(app, paymentId, {
      type: 'checkout.session.async_payment_failed',
      paymentStatus: 'unpaid',
    });
    expect((await renew(app, id))?.paymentId).not.toBe(paymentId);
  });

  test('when there has never been one: its job had failed and was removed', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.faults.add('payment.create:500:1');
    app.sandbox.sign(signId);
    await checkSignature(app.ctx, request.id, { actor: TESTER });
    app.ctx.db.raw.exec("DELETE FROM jobs WHERE kind = 'create-payment-session'");
    expect(await renew(app, request.id)).toMatchObject({ state: 'open' });
  });

  test.each([
    ['still works', () => undefined, 'payment_link_works'],
    ['is paid', (app: TestApp, it: string) => void app.sandbox.pay(it), 'already_paid'],
    [
      'is being paid',
      (app: TestApp, it: string) => void app.sandbox.pay(it, { async: true }),
      'payment_pending',
    ],
    [
      'cannot be asked about',
      (app: TestApp) => void app.sandbox.faults.add('payment.get:401'),
      'payment_unavailable',
    ],
  ])('is refused for one that %s, and nothing changes', async (_, happen, code) => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    happen(app, paymentId);

    expect((await rejection(renew(app, id))).code).toBe(code);
    expect(app.request(id).paymentId).toBe(paymentId);
    expect(app.history(id)).not.toContain('payment.renewed');
  });

  test('is refused for a request that waits for no payment', async () => {
    const app = await startApp();
    const { request } = await app.waitingRequest();
    for (const dryRun of [true, false])
      expect((await rejection(renew(app, request.id, { dryRun }))).code).toBe('not_waiting_payment');
  });

  test('who renewed it and why stands in the history, with the session that it replaces', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.clock.advance(2 * DAY);
    await renew(app, id, { reason: 'was on holiday' });
    const renewed = listHistory(app.ctx.db, { requestId: id }).find(({ what }) => what === 'payment.renewed');
    expect(JSON.parse(renewed?.detail ?? '')).toEqual({ paymentId, reason: 'was on holiday' });
  });

  test('a provider that fails now is tried again by the job, with one session in the end', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.clock.advance(2 * DAY);
    app.sandbox.faults.add('payment.create:answer_lost:1');

    expect(await rejection(renew(app, id))).toMatchObject({
      code: 'payment_creation_failed',
      hint: expect.stringContaining('retried automatically') as string,
    });
    const { findings } = await explain(app.ctx, String(id));
    expect(findings[0]).toMatchObject({ key: 'payment_job_stuck', cause: 'retrying' });
    app.clock.advance(2_000);
    await app.drain();

    expect(app.request(id).paymentId).not.toBe(paymentId);
    expect(Object.values(app.sandbox.state().counters.sessionsByKey)).toEqual([1, 1]);
  });

  test('when there has never been one and all tries are used up, the way out is named', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.faults.add('payment.create:500');
    app.sandbox.sign(signId);
    await checkSignature(app.ctx, request.id, { actor: TESTER });
    for (let tries = 0; tries < 2; tries += 1) await rejection(renew(app, request.id));
    const refusal = await rejection(renew(app, request.id));
    const [job] = app.jobs('create-payment-session');
    expect(refusal).toMatchObject({
      code: 'payment_creation_failed',
      hint: expect.arrayContaining([command('failed replay', job?.id as number)]) as unknown,
    });
  });

  test('a fault of our own is not said to be one of the provider', async () => {
    const app = await startApp();
    const { id } = await aRequestWaitingForPayment(app);
    app.ctx.payment.getSession = () => Promise.reject(new Error('a bug'));
    expect((await rejection(renew(app, id))).message).toBe('a bug');
  });

  test('two at once make one link', async () => {
    const app = await startApp();
    const { id } = await aRequestWaitingForPayment(app);
    app.clock.advance(2 * DAY);
    const outcomes = await Promise.allSettled([renew(app, id), renew(app, id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('a dry run only asks', async () => {
    const app = await startApp();
    const { id, paymentId } = await aRequestWaitingForPayment(app);
    app.clock.advance(2 * DAY);
    expect(await renew(app, id, { dryRun: true })).toBeUndefined();
    expect(app.request(id).paymentId).toBe(paymentId);
  });
});
