/** A payment that takes days: what is said while the money is on its way, that nobody is made to pay twice, and how a person stops waiting. */
import { expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { listHistory } from '../../../src/db/history/history.js';
import { openActNames } from '../../support/acts.js';
import { rejection, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { includes, tell } from '../../support/histories.js';
import { BY, story, UNPAID } from '../../support/story.js';

const STOP = (id: number) => ({ ...command('payments give-up', id), reason: '…' });
const giveUp = ({ ctx }: TestApp, id: number, changes = {}) =>
  giveUpPayment(ctx, id, { ...BY, reason: 'the bank refused the debit', ...changes });
const told = (app: TestApp, id: number, word: string) =>
  listHistory(app.ctx.db, { requestId: id })
    .filter(({ what }) => what === word)
    .map(({ detail }) => JSON.parse(detail) as unknown);

test.each([
  ['en', /on its way since 2026-03-02T09:14/],
  ['fr', /en route depuis le 2026-03-02T09:14/],
])(
  'the request says so and since when, also after the date of the link; the next step is to ask (%s)',
  async (locale, message) => {
    const { app, id } = await story({ env: { ESIGN_LOCALE: locale } })
      .linked()
      .pending('older')
      .end();
    for (let day = 0; day < 3; day += 1, app.clock.advance(DAY)) {
      const { findings, timeline } = await explainRequest(app.ctx, app.request(id), { offline: true });
      expect(findings[0]).toMatchObject({
        key: 'payment_pending',
        level: 'waiting',
        message: expect.stringMatching(message) as unknown,
        next: command('payments check', id),
      });
      expect(timeline.map(({ what }) => what)).not.toContain('date.payment_link');
      expect(openActNames(app.ctx, app.request(id))).toEqual(['check-payment', 'give-up-payment']);
    }
  },
);

tell([
  [
    'it is in the history once, with the moment of the first report, however often it is reported',
    (s) =>
      s
        .linked()
        .pending('older')
        .waits(DAY)
        .hears('older', UNPAID)
        .checked({})
        .does((app) => {
          const since = app.ctx.db.raw.prepare('SELECT pendingSince FROM payments').pluck().get();
          expect(since).toBe('2026-03-02T09:14:07.250Z');
        }),
    { told: { 'payment.pending': 1 } },
  ],
  [
    'a check learns of it when the webhook is lost, as explain says before',
    (s) =>
      s
        .linked()
        .promises('older')
        .is({ findings: ['payment_pending'] })
        .checked({}),
    { findings: ['payment_pending'], payments: ['pending'] },
  ],
  [
    'longer than banks take it is trouble, and the words tell the way out',
    (s) =>
      s
        .linked()
        .pending('older')
        .waits(15 * DAY)
        .does(async (app, id) => {
          const { findings } = await explainRequest(app.ctx, app.request(id), { offline: true });
          const stop = { ...command('payments give-up', id), options: ['--reason', '…'] };
          expect(findings[0]).toMatchObject({
            cause: 'long',
            level: 'trouble',
            message: expect.arrayContaining([stop]) as unknown,
          });
        }),
    { findings: ['payment_pending_long: long'] },
  ],
  [
    'no new link is made, not even when the provider does not know the payment any more',
    (s) =>
      s
        .linked()
        .pending('older')
        .waits(2 * DAY)
        .does(async ({ ctx }, id) => {
          const hint = expect.arrayContaining([STOP(id)]) as unknown;
          const refusal = await rejection(renewPaymentSession(ctx, id, BY));
          expect(refusal).toMatchObject({ code: 'payment_pending', hint });
        })
        .fault('payment.get:404:3')
        .refuses(renewPaymentSession, { code: 'payment_pending' })
        .checked({ type: 'error', key: 'payment_session_not_found' }),
    { findings: ['payment_pending_long: gone'], payments: ['pending'], sessions: ['complete'] },
  ],
  [
    'completing by hand is refused, and nothing is changed',
    (s) => s.linked().pending('older').refuses(completeRequest, { code: 'payment_pending' }),
    { status: 'WAITING_PAYMENT', payments: ['pending'] },
  ],
  [
    'there is nothing to give up when it has just arrived: the request is complete',
    (s) =>
      s.linked().pending('older').arrives('older').refuses(giveUpPayment, { code: 'no_payment_pending' }),
    { status: 'COMPLETE' },
  ],
  [
    'nor when the customer can still pay',
    (s) => s.linked().refuses(giveUpPayment, { code: 'no_payment_pending' }),
    { link: 'payment_page older' },
  ],
  [
    'no reminder leaves, although it was ordered before',
    (s) =>
      s
        .linked()
        .waits(DAY / 2)
        .reminded()
        .pending('older')
        .drained(),
    { sent: { 'payment-reminder': 0 } },
  ],
  [
    'the first link does not leave; the customer gets one, once, when it can be paid again',
    (s) =>
      s
        .completed()
        .fault('smtp:451')
        .drained()
        .pending('older')
        .noFaults()
        .waits(DAY)
        .drained()
        .is({ sent: { 'payment-link': 0 } })
        .givenUp()
        .is({ needs: ['payment: payments renew'] })
        .renewed()
        .drained(),
    { needs: [], sent: { 'payment-link': 1 } },
  ],
  [
    'money that comes in the end completes the request',
    (s) => s.linked().pending('older').arrives('older').hears('older'),
    { status: 'COMPLETE' },
  ],
]);

test('a person can stop waiting for it, once, with a reason: only then a new link can be made', async () => {
  const { app, id, page } = await story().linked().pending('older').end();
  expect(await rejection(giveUp(app, id, { reason: ' ' }))).toMatchObject({ code: 'invalid_input' });
  await giveUp(app, id, { dryRun: true });
  expect(told(app, id, 'payment.given_up')).toEqual([]);

  const both = await Promise.allSettled([giveUp(app, id), giveUp(app, id)]);

  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await rejection(giveUp(app, id))).toMatchObject({ code: 'no_payment_pending' });
  const paymentId = page('older');
  expect(told(app, id, 'payment.given_up')).toEqual([{ paymentId, reason: 'the bank refused the debit' }]);
  expect(openActNames(app.ctx, app.request(id))).toEqual(expect.arrayContaining(['renew-payment', 'cancel']));
  await story
    .on(app, id)
    .is({ findings: includes('payment_over: given_up') })
    .end();
  await renewPaymentSession(app.ctx, id, BY);
  expect(told(app, id, 'payment.renewed')).toEqual([{ paymentId }]);
});
