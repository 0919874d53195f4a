/**
 * Histories of payments, told as steps, and how the request stands at their end (rules 2): pages that are open at the same time, or no
 * longer count; money on its way. Sessions that are unknown here: observe.test.ts; money that does not count: payment-cases.test.ts.
 */
import { expect } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { DAY, HOUR } from '../../support/clock.js';
import { includes, NEWS, tell, type History } from '../../support/histories.js';
import { REASON, type Story } from '../../support/story.js';
import { deliverPayment } from '../../support/webhooks.js';

/** The newer was paid while the older's money was on its way. */
const paidBesidePending = (s: Story) =>
  s.twoOpen().pending('older').paid('newer').drained().is({ status: 'COMPLETE', names: 'newer' });

/** A page was forgotten when the request was canceled; the customer paid it by a method that takes days; then it was reopened. */
const reopenedWithMoneyOnItsWay = (s: Story) => s.linked().another().canceled().pending('newer').reopened();

/** The first was mailed; the second was only found, and its money is on its way. */
const twoPages = (s: Story) => s.linked().another().pending('newer');

const forgottenPage = (s: Story) => s.linked().canceled().another().takenOver();

/** The provider does not know the page any more through which the money is on its way. */
const unknownMoney = (s: Story) =>
  s.linked().pending('older').fault('payment.get:404:9', 'payment.expire:404:9');

/** Another amount was paid beside the page. */
tell([
  [
    'the request is complete while other money is on its way: explain says so',
    paidBesidePending,
    { findings: ['second_payment_pending: uncounted', 'finished: complete'], about: 'newer' },
  ],
  [
    'then a person’s check tells nothing that is true only of a request that waits',
    (s) => paidBesidePending(s).untold((t) => t.checked({ type: 'error', key: 'not_waiting_payment' })),
    { status: 'COMPLETE' },
  ],
  [
    'then the schedule’s check finds that it has arrived: a case for a person, told once',
    (s) => paidBesidePending(s).scheduled({ checked: 0 }).arrives('older').scheduled().scheduled(),
    { findings: includes('payment_case: paid_twice'), mails: { 'payment-trouble': 1 } },
  ],
  [
    'then nobody is told to agree on another attempt when the bank refuses it',
    (s) => paidBesidePending(s).refused('older'),
    { findings: ['finished: complete'], mails: { 'payment-trouble': 0 } },
  ],
  [
    'a page that still works after the other was paid is closed by the job that the webhook orders',
    (s) =>
      s
        .twoOpen()
        .paid('newer')
        .is({ status: 'COMPLETE', sessions: ['open', 'complete'] })
        .drained(),
    { sessions: ['expired', 'complete'] },
  ],
  [
    'or by the schedule’s check, whose dry run only says so, and which then has nothing to ask',
    (s) =>
      s
        .twoOpen()
        .paid('newer')
        .scheduled({ results: [{ changed: true }] }, { dryRun: true })
        .is({ sessions: ['open', 'complete'] })
        .scheduled()
        .scheduled({ checked: 0 }),
    { sessions: ['expired', 'complete'] },
  ],
  [
    'or by the next try, when the provider was silent',
    (s) =>
      s
        .linked()
        .another()
        .pays('newer')
        .fault('payment.expire:500:1')
        .hears('newer')
        .drained()
        .is({ status: 'COMPLETE', names: 'newer', sessions: ['open', 'complete'] })
        .waits(2_000)
        .drained(),
    { sessions: ['expired', 'complete'] },
  ],
  ...[cancelRequest, completeRequest].map((act): History => [
    `an installation that is held refuses it: ${act.name}`,
    (s) => s.linked().held().refuses(act, { code: 'held' }),
    { status: 'WAITING_PAYMENT', sessions: ['open'] },
  ]),
  [
    'it closes no page that a complete request has left open',
    (s) => s.twoOpen().paid('newer').held().checked({ type: 'error', key: 'not_waiting_payment' }),
    { sessions: ['open', 'complete'] },
  ],
  [
    'its lasting link makes no page, and the one that was ordered is made afterwards',
    (s) =>
      s.linked().ends('older').fault('payment.create:500:1').refuses(renewPaymentSession, {}).held().is({
        link: 'unavailable',
      }),
    { sessions: ['expired'], jobs: ['available'] },
  ],
  [
    'a renewal makes a new page when both are over',
    (s) =>
      s
        .twoOpen()
        .waits(30 * HOUR)
        .renewed(),
    { sessions: ['expired', 'expired', 'open'], link: 'payment_page third', mails: { 'payment-link': 3 } },
  ],
  [
    'it is refused when the older works and the newer is over',
    (s) => s.twoOpen().ends('newer').refuses(renewPaymentSession, { code: 'payment_link_works' }),
    { link: 'payment_page older', sessions: ['open', 'expired'] },
  ],
  [
    'it makes a new page once the money on its way through both was given up',
    (s) => s.twoOpen().promises('older').promises('newer').givenUp().renewed(),
    { link: 'payment_page third', sessions: ['complete', 'complete', 'open'] },
  ],
  [
    'nobody waits any more for the money of a page that was given up and has ended since',
    (s) =>
      s
        .twoOpen()
        .pending('older')
        .givenUp()
        .renewed()
        .is({ findings: includes('second_payment_pending: given_up') })
        .ended('older')
        .drained(),
    { findings: ['waiting_for_payment'] },
  ],
  [
    'a payment that the bank has refused is not said to be on its way, and the customer may be reminded',
    (s) =>
      s
        .linked()
        .pending('older')
        .refused('older')
        .checked({ key: 'check_payment_info.expired' })
        .by(remindRequest),
    { status: 'WAITING_PAYMENT' },
  ],
  [
    'it stays told when a page of before is found, which had ended unpaid',
    (s) =>
      s
        .linked()
        .another()
        .ends('newer')
        .pending('older')
        .waits(HOUR)
        .refused('older')
        .waits(HOUR)
        .checked({})
        .does((app, id) => expect(ourPayments(app.ctx.db, id).payments).toHaveLength(2)),
    { findings: includes('payment_missing: refused') },
  ],
  [
    'it is told: the page beside it was closed while its money was on its way',
    (s) => s.twoOpen().pending('older').drained().refused('older').drained(),
    { findings: ['payment_missing: refused'] },
  ],
  [
    'the lasting link leads to no page while the provider does not say how both stand',
    (s) => s.twoOpen().fault('payment.get:500:3'),
    { link: 'unavailable' },
  ],

  [
    'money is on its way for the contract before a reopening: explain says so',
    reopenedWithMoneyOnItsWay,
    { findings: includes('second_payment_pending: uncounted') },
  ],
  [
    'the office hears of it only when it has taken too long, and until it waits no longer',
    (s) =>
      reopenedWithMoneyOnItsWay(s)
        .waits(13 * DAY)
        .is({ needs: expect.not.arrayContaining(['payment: payments give-up']) })
        .waits(2 * DAY)
        .is({ needs: includes('payment: payments give-up') })
        .givenUp(),
    { needs: expect.not.arrayContaining(['payment: payments give-up']) },
  ],
  [
    'the schedule’s check finds that it has arrived',
    (s) =>
      reopenedWithMoneyOnItsWay(s)
        .arrives('newer')
        .scheduled({ results: [{ key: 'old_session_paid', changed: true }] }),
    {
      status: 'new',
      findings: includes('payment_case: earlier_contract_paid'),
      mails: { 'payment-trouble': 1 },
    },
  ],
  [
    'a dry run of a check says so, and changes nothing',
    (s) =>
      reopenedWithMoneyOnItsWay(s)
        .arrives('newer')
        .untold((t) => t.checked({ key: 'old_session_paid', changed: true }, { dryRun: true })),
    { status: 'new' },
  ],
  [
    'the check of the next contract tells both, and only its own page is offered',
    (s) =>
      reopenedWithMoneyOnItsWay(s)
        .signedNext()
        .checked({ key: 'check_payment_info.open' })
        .arrives('newer')
        .checked({ key: 'old_session_paid', changed: true }),
    { status: 'WAITING_PAYMENT', names: 'third', findings: includes('payment_case: old_session_paid') },
  ],
  [
    'a reopened request names no page of its earlier contract, although canceling had none to close',
    (s) => s.linked().ends('older').checked({}).is({ names: 'older' }).canceled().reopened(),
    { names: null },
  ],
  [
    'a takeover finds a canceled request’s forgotten page: the schedule closes it',
    (s) => forgottenPage(s).scheduled(),
    { sessions: ['expired', 'expired'] },
  ],
  [
    'a check that cannot close it says so',
    (s) =>
      forgottenPage(s).fault('payment.expire:500').checked({ type: 'error', key: 'payment_unavailable' }),
    { sessions: ['expired', 'open'] },
  ],
  [
    'a check closes it and says so, a dry run only says so',
    (s) =>
      forgottenPage(s)
        .checked({ type: 'info', key: 'check_payment_info.closed', changed: true }, { dryRun: true })
        .is({ sessions: ['expired', 'open'] })
        .checked({ type: 'info', key: 'check_payment_info.closed', changed: true })
        .is({ sessions: ['expired', 'expired'] })
        .checked({ key: 'not_waiting_payment' }),
    { status: 'CANCELED' },
  ],
  ...[cancelRequest, completeRequest, remindRequest].map((act): History => [
    `money on its way through a page that the provider has forgotten is not forgotten here: ${act.name} is refused, and the hint says how to stop waiting`,
    (s) =>
      unknownMoney(s).does(async (app, id) => {
        const giveUp = { ...command('payments give-up', id), reason: '…' };
        const error = await act(app.ctx, id, REASON).catch((refusal: unknown) => refusal);
        expect(error).toMatchObject({
          code: 'payment_pending',
          hint: expect.arrayContaining([giveUp]) as unknown,
        });
      }),
    { status: 'WAITING_PAYMENT', findings: includes('payment_pending_long: gone') },
  ]),
  [
    'beside the page that counts, explain finds one that was paid while its webhook was lost',
    (s) => twoPages(s).pays('older'),
    { findings: includes('webhook_missed: lost') },
  ],
  [
    'todo names money that has been on its way for too long beside the page that counts',
    (s) =>
      twoPages(s)
        .drained()
        .does((app, id) => expect(app.request(id).dueAt).not.toBeNull())
        .waits(15 * DAY),
    { needs: [expect.stringMatching(/^payment: /)] },
  ],
  [
    'a page that is paid while the check closes it is a case',
    (s) =>
      s
        .twoOpen()
        .paid('newer')
        .does((app) => {
          const expire = app.ctx.payment.expireSession.bind(app.ctx.payment);
          app.ctx.payment.expireSession = (paymentId) => {
            app.sandbox.pay(s.page('older'));
            return expire(paymentId);
          };
        })
        .scheduled({ failed: 0, changed: 1 }),
    { findings: includes('payment_case: paid_twice') },
  ],
  [
    'a payment that is reported while a cancellation closes its page stays paid and stops it',
    (s) =>
      s
        .linked()
        .does((app) => {
          app.ctx.payment.expireSession = async () => {
            await deliverPayment(app, s.page('older'));
            throw new ProviderError('not_found', 'payment provider answered 404');
          };
        })
        .refuses(cancelRequest, { code: 'already_complete' }),
    { status: 'COMPLETE', payments: ['paid'] },
  ],
]);

tell([
  ...NEWS.map(([who, hear]): History => [
    `money through the older completes the request, and the newer is closed: told by ${who}`,
    (s) =>
      hear(s.twoOpen().pays('older'))
        .is({
          status: 'COMPLETE',
          names: 'older',
          isShown: false,
          link: 'paid',
          sessions: ['complete', 'expired'],
          told: { 'payment.received': 1 },
          mails: { 'payment-trouble': 0 },
        })
        .drained(),
    { findings: ['finished: complete'] },
  ]),
  ...NEWS.slice(1).map(([who, hear]): History => [
    `no page can be paid while money is on its way through the older: found by ${who}`,
    (s) => hear(s.twoOpen().promises('older')),
    { status: 'WAITING_PAYMENT', isShown: false, sessions: ['complete', 'expired'], link: 'pending' },
  ]),
]);
