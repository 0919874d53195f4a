/** A payment that takes days: what is said while the money is on its way, that nobody is made to pay twice, and how a person stops waiting. */
import { expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { listHistory } from '../../../src/db/history/history.js';
import { openActNames } from '../../support/acts.js';
import { rejection, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { BY, story, UNPAID } from '../../support/story.js';
import { table } from '../../support/table.js';

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

table(`
  it is in the history once, however often it is reported
    linked; pending older; waits 1d; hears older paymentStatus=unpaid; checked → told payment.pending 1
  a check learns of it when the webhook is lost, as explain says before
    linked; promises older → findings payment_pending
    checked → findings payment_pending; payments pending
  no new link is made or looked for, not even when the provider does not know the payment any more
    linked; pending older; waits 2d; fault payment.list:503; refuses renew payment_pending payments.give-up
    fault payment.get:404:3; refuses renew payment_pending; checked type=error key=payment_session_not_found
    → findings payment_pending_long: gone; payments pending; sessions complete
  there is nothing to give up when it has just arrived: the request is complete
    linked; pending older; arrives older; refuses giveUp no_payment_pending → COMPLETE
  nor when it arrives before that is written
    linked; pending older; underLock: arrives older, hears older; refuses giveUp no_payment_pending → COMPLETE
  nor when the customer can still pay
    linked; refuses giveUp no_payment_pending → link payment_page older
  nor after a fault of our own
    linked; pending older; bug getSession; breaks giveUp → payments pending
  a dry run knows what only the provider knows, and refuses as the act does
    linked; refusesPreview giveUp no_payment_pending; promises older; previews giveUp; refusesPreview cancel payment_pending
    arrives older; refusesPreview giveUp no_payment_pending → payments open
  no reminder leaves, although it was ordered before
    linked; waits 12h; reminded; pending older; drained → sent payment-reminder 0
  the first link does not leave; the customer gets one, once, when it can be paid again
    completed; fault smtp:451; drained; pending older; noFaults; waits 1d; drained → sent payment-link 0
    givenUp → needs payment: payments renew
    renewed; drained → needs none; sent payment-link 1`);

test('longer than banks take since its first report, it is trouble, and the words tell the way out', async () => {
  const again = story().linked().pending('older').waits(DAY).hears('older', UNPAID).checked();
  const { app, id } = await again.waits(14 * DAY).end();
  const since = app.ctx.db.raw.prepare('SELECT pendingSince FROM payments').pluck().get();
  expect(since).toBe('2026-03-02T09:14:07.250Z');
  const { findings } = await explainRequest(app.ctx, app.request(id), { offline: true });
  const stop = { ...command('payments give-up', id), options: ['--reason', '…'] };
  expect(findings[0]).toMatchObject({
    key: 'payment_pending_long',
    cause: 'long',
    level: 'trouble',
    message: expect.arrayContaining([stop]) as unknown,
  });
});

test('a person can stop waiting for it, once, with a reason: only then a new link can be made', async () => {
  const { app, id, page } = await story().linked().pending('older').end();
  expect(await rejection(giveUp(app, 999))).toMatchObject({ code: 'request_not_found' });
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
    .is({ findings: ['payment_over: given_up', 'second_payment_pending: given_up'] })
    .end();
  await renewPaymentSession(app.ctx, id, BY);
  expect(told(app, id, 'payment.renewed')).toEqual([{ paymentId }]);
});
