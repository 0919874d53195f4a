/** Reminders (rules 2): by the provider for a signature, by mail for a payment; never of what is done, never too often. */
import { describe, expect, test } from 'vitest';
import { requestLock, withLock } from '../../../src/core/lock.js';
import { asProviderSettings, nextReminder } from '../../../src/core/reminders/remind-days.js';
import { remindDue, remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { rejection, startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { story } from '../../support/story.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

const remind = (app: TestApp, id: number, changes = {}) =>
  remindRequest(app.ctx, id, { actor: TESTER, ...changes });
const ours = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'smtp');
const theirs = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'provider');
const reminders = (app: TestApp) => ours(app).filter(({ subject }) => subject.startsWith('Reminder'));

async function waitingApp() {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  return { app, id: request.id };
}

async function payableApp(options?: AppOptions) {
  const { app, id } = await story(options).linked().end();
  return { app, id, paymentId: app.request(id).paymentId as string };
}

async function anotherPayable(app: TestApp): Promise<void> {
  const { signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
}

describe('of a signature', () => {
  test('the provider sends its own mail, none on a dry run, and a second one only after a pause', async () => {
    const { app, id } = await waitingApp();
    await remind(app, id, { dryRun: true });
    expect([theirs(app).length, app.history(id).includes('signature.reminded')]).toEqual([1, false]);
    expect(await remind(app, id, { reason: 'mail lost' })).toBe('signature');
    expect(theirs(app)).toHaveLength(2);
    expect(app.history(id).at(-1)).toBe('signature.reminded');
    app.clock.advance(HOUR - 1);
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'reminded_recently' });
    app.clock.advance(1);
    await remind(app, id);
    expect(theirs(app)).toHaveLength(3);
  });

  test('of two at once one goes out', async () => {
    const { app, id } = await waitingApp();
    const both = await Promise.allSettled([remind(app, id), remind(app, id)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(theirs(app)).toHaveLength(2);
  });

  test('nobody is reminded of what is signed or over there, and what the provider says of it counts at once', async () => {
    const { app, id } = await story().sent().waits(MINUTE).signs().end();
    expect(await rejection(remind(app, id, { dryRun: true }))).toMatchObject({ code: 'already_signed' });
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'already_signed' });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    const other = await app.waitingRequest();
    app.sandbox.setStatus(other.signId, 'canceled');
    expect(await rejection(remind(app, other.request.id))).toMatchObject({ code: 'contract_expired' });
    expect(app.contract(other.request.id)).toMatchObject({ status: 'EXPIRED', endReason: 'canceled' });
    for (const each of [id, other.request.id]) expect(app.history(each)).not.toContain('signature.reminded');
  });

  test('nobody is reminded of what the provider does not know, has of somebody else, or while it is down', async () => {
    const { app, id } = await waitingApp();
    app.sandbox.faults.add('signature:503');
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'provider_unavailable' });
    app.sandbox.faults.clear();
    const { id: other } = await app.addRequest();
    expect(await rejection(remind(app, other))).toMatchObject({ code: 'nothing_to_remind' });
    app.ctx.db.raw.prepare("UPDATE contracts SET externalId = 'esign-other-other'").run();
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'foreign_signature' });
    expect(app.history(id)).not.toContain('signature.reminded');
  });

  test('nobody is reminded of what was signed too late, and the office is told of it', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    const { id } = request;
    app.sandbox.sign(signId, { completedAt: '2026-04-02T00:00:07.000Z' });
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'already_signed' });
    expect(app.contract(id).told).toBe('late');
  });

  test('the provider is told to remind by itself, as near to the setting as it can', async () => {
    const { app } = await waitingApp();
    app.clock.advance(4 * DAY);
    const [there] = app.sandbox.state().signatureRequests;
    expect(there).toMatchObject({ reminder_settings: { interval_in_days: 2, max_occurrences: 2 } });
    expect(asProviderSettings([7, 14])).toEqual({ intervalInDays: 7, maxOccurrences: 2 });
    expect(asProviderSettings([1])).toEqual({ intervalInDays: 1, maxOccurrences: 1 });
    expect(asProviderSettings([])).toBeUndefined();
  });
});

describe('of a payment', () => {
  test('the mail with the link goes out again, even when the page is over', async () => {
    const { app, id, paymentId } = await payableApp();
    app.sandbox.expireSession(paymentId);
    expect(await remind(app, id)).toBe('payment');
    await app.drain();
    expect(reminders(app)).toMatchObject([
      { text: expect.stringContaining(`/pay/${app.request(id).payToken}`) as string },
    ]);
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'reminded_recently' });
  });

  test('nobody is reminded who has paid, whose money is on its way, or while the provider is down', async () => {
    const { app, id, paymentId } = await payableApp();
    app.sandbox.faults.add('payment:503');
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'payment_unavailable' });
    app.sandbox.faults.clear();
    app.sandbox.pay(paymentId, { async: true });
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'payment_pending' });
    app.sandbox.pay(paymentId);
    await deliverPayment(app, paymentId);
    expect(await rejection(remind(app, id))).toMatchObject({ code: 'nothing_to_remind' });
    await app.drain();
    expect(reminders(app)).toEqual([]);
  });

  test('none overtakes the mail with the signed contract: by hand it is refused, by itself it comes later', async () => {
    const { app, id } = await story().completed().end();
    app.sandbox.faults.add('smtp:refuse');
    await app.drain();
    expect(app.request(id).payToken).not.toBeNull();
    expect(await rejection(remind(app, id))).toMatchObject({ kind: 'busy', code: 'in_progress' });
    app.sandbox.faults.clear();
    app.clock.advance(HOUR);
    await app.drain();
    expect(await remind(app, id)).toBe('payment');
    await app.drain();
    expect(ours(app).at(-1)?.subject).toMatch(/^Reminder/);
  });

  test('a reminder that waits for the mail server stays here when the payment comes first', async () => {
    const { app, id, paymentId } = await payableApp();
    await remind(app, id);
    await deliverPayment(app, paymentId);
    await app.drain();
    expect(reminders(app)).toEqual([]);
  });

  test('goes out by itself on the days of the setting, once each, and not once it is canceled', async () => {
    const { app, id } = await payableApp();
    const days: number[] = [];
    for (let day = 1; day <= 9; day += 1) {
      app.clock.advance(DAY);
      const { reminded } = await remindDue(app.ctx);
      await remindDue(app.ctx);
      if (reminded > 0) days.push(day);
    }
    await app.drain();
    expect([days, reminders(app).length]).toEqual([[3, 7], 2]);
    const second = await app.waitingRequest();
    await cancelRequest(app.ctx, id, { actor: TESTER, reason: 'sold' });
    expect(second.request.remindAt).toBeNull();
    expect(await remindDue(app.ctx)).toMatchObject({ reminded: 0 });
  });

  test('comes later the same day when the provider has not answered, and a reminder by hand on that day counts', async () => {
    const { app, id } = await payableApp();
    app.clock.advance(3 * DAY);
    app.sandbox.faults.add('payment:503');
    expect(await remindDue(app.ctx)).toEqual({
      reminded: 0,
      passed: 0,
      failed: 1,
      trouble: `request ${id}: payment provider answered 503 (The service is unavailable)`,
    });
    app.sandbox.faults.clear();
    await remind(app, id);
    app.clock.advance(2 * HOUR);
    expect(await remindDue(app.ctx)).toMatchObject({ reminded: 0 });
    await app.drain();
    expect(reminders(app)).toHaveLength(1);
  });

  test('one for whom there is no answer keeps nobody else from being reminded', async () => {
    const { app, id, paymentId } = await payableApp();
    await anotherPayable(app);
    app.clock.advance(4 * DAY);
    app.sandbox.faults.add(`payment.get~${paymentId}:500`);
    expect(await remindDue(app.ctx)).toMatchObject({ reminded: 1, failed: 1 });
    app.clock.advance(2 * HOUR);
    expect(await remindDue(app.ctx)).toMatchObject({ reminded: 0, failed: 1 });
    app.sandbox.faults.clear();
    app.clock.advance(2 * HOUR);
    expect(await remindDue(app.ctx)).toEqual({ reminded: 1, passed: 0, failed: 0 });
    expect(app.history(id)).toContain('payment.reminded');
  });

  test('while nobody is answered, it stops after three, however many are due', async () => {
    const { app } = await payableApp();
    for (let i = 0; i < 3; i += 1) await anotherPayable(app);
    app.clock.advance(4 * DAY);
    app.sandbox.faults.add('payment:503');
    const trouble = expect.stringContaining('broke off') as string;
    expect(await remindDue(app.ctx)).toMatchObject({ failed: 3, trouble });
  });

  test('comes later the same day when somebody is working on the request', async () => {
    const { app, id } = await payableApp();
    app.clock.advance(3 * DAY);
    const { reminded } = await withLock(app.ctx, requestLock(id), () => remindDue(app.ctx));
    expect(reminded).toBe(0);
    app.clock.advance(2 * HOUR);
    expect(await remindDue(app.ctx)).toMatchObject({ reminded: 1 });
  });

  test('never, when the setting is empty', async () => {
    const { app, id } = await payableApp({ env: { ESIGN_REMIND_DAYS: '' } });
    expect(app.ctx.config.remindDays).toEqual([]);
    expect(app.request(id).remindAt).toBeNull();
    app.clock.advance(10 * DAY);
    expect(await remindDue(app.ctx)).toMatchObject({ reminded: 0 });
  });
});

test('the next reminder is that of the first day that is ahead', () => {
  const since = '2026-03-02T09:00:00.000Z';
  expect(nextReminder([3, 7], since, since)).toBe('2026-03-05T09:00:00.000Z');
  expect(nextReminder([3, 7], since, '2026-03-05T09:00:00.000Z')).toBe('2026-03-09T09:00:00.000Z');
  expect(nextReminder([3, 7], since, '2026-04-05T09:00:00.000Z')).toBeNull();
});
