/**
 * Histories of payments, told as steps, and how the request stands at their end (rules 2): pages that are open at the same time, or no
 * longer count; money on its way; payments that do not count until a person has decided.
 */
import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { adviceText, command } from '../../../src/core/commands.js';
import { explain } from '../../../src/core/explain/explain.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { followPayLink } from '../../../src/core/payment/follow-pay-link.js';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { listHistory } from '../../../src/db/history/history.js';
import { openActNames } from '../../support/acts.js';
import type { TestApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { BY, REASON, story, type Standing, type Story } from '../../support/story.js';
import { signWithAllTries } from '../../support/webhooks.js';

type History = [name: string, tell: (told: Story) => Story, end: Standing];

const tell = (histories: readonly History[]) =>
  test.for(histories)('%s', async ([, steps, end]) => {
    await steps(story()).is(end).end();
  });

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
const otherAmount = (s: Story) =>
  s
    .linked()
    .otherAmount()
    .drained()
    .is({ findings: ['payment_case: other_price'] });

/** What a person can do with it, and what not. */
const acts = (open: string[], closed: string[]) => (app: TestApp, id: number) => {
  const names = openActNames(app.ctx, app.request(id));
  expect(names).toEqual(expect.arrayContaining(open));
  for (const name of closed) expect(names).not.toContain(name);
};

const includes = (...names: string[]) => expect.arrayContaining(names) as string[];

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
    'a payment that does not count closes the page beside it: nobody is asked to pay until a person has decided',
    (s) => otherAmount(s).does(acts(['renew-payment', 'complete', 'cancel', 'settle'], ['remind'])),
    { sessions: ['expired'], isShown: false, link: 'in_review' },
  ],
  [
    'a renewal with a reason asks again, and the history names what it was about',
    (s) =>
      otherAmount(s)
        .renewed()
        .is({ link: 'payment_page newer', names: 'newer' })
        .drained()
        .does(acts(['remind'], ['renew-payment']))
        .does((app, id) => {
          const told = listHistory(app.ctx.db, { requestId: id }).find(
            ({ what }) => what === 'payment.renewed',
          );
          expect(JSON.parse(told?.detail ?? '')).toMatchObject({
            payments: ['cs_other'],
            reason: REASON.reason,
          });
        }),
    { findings: ['waiting_for_payment'], sessions: ['expired', 'open'] },
  ],
  [
    'it is told once for each session, however often it is reported',
    (s) => otherAmount(s).otherAmount().otherAmount('cs_another').otherAmount('cs_another'),
    { told: { 'payment.other_price': 2 }, mails: { 'payment-trouble': 2 } },
  ],
  [
    'it stays a case when a check finds a forgotten page, which is closed and not mailed',
    (s) => otherAmount(s).another().checked({ key: 'old_session_paid', changed: true }).drained(),
    {
      sessions: ['expired', 'expired'],
      findings: ['payment_case: other_price'],
      mails: { 'payment-link': 1 },
    },
  ],
  [
    'nobody is thanked for it when the new page could not be made yet; the link makes one later',
    (s) =>
      otherAmount(s)
        .fault('payment.create:500:9')
        .refuses(renewPaymentSession, { code: 'payment_creation_failed' })
        .is({ link: expect.not.stringMatching(/^paid$/) as string })
        .noFaults()
        .waits(HOUR)
        .drained(),
    { link: 'payment_page newer' },
  ],
]);

const NEWS: [who: string, tell: (app: TestApp, id: number) => Promise<unknown>][] = [
  ['a check', (app, id) => checkPayment(app.ctx, id, BY)],
  ['the schedule’s check', (app) => checkAllPayments(app.ctx, { actor: SCHEDULE })],
  ['the lasting link', (app, id) => followPayLink(app.ctx, app.request(id).payToken as string)],
  ['whoever renews', (app, id) => renewPaymentSession(app.ctx, id, BY)],
  ['whoever reminds', (app, id) => remindRequest(app.ctx, id, BY)],
  ['whoever cancels', (app, id) => cancelRequest(app.ctx, id, REASON)],
  ['whoever completes by hand', (app, id) => completeRequest(app.ctx, id, REASON)],
];

tell([
  ...[
    ['the webhook with its job', (s: Story) => s.hears('older').drained()] as const,
    ...NEWS.map(
      ([who, look]) => [who, (s: Story) => s.does((app, id) => Promise.allSettled([look(app, id)]))] as const,
    ),
  ].map(([who, hear]): History => [
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
  ...NEWS.map(([who, look]): History => [
    `no page can be paid while money is on its way through the older: found by ${who}`,
    (s) =>
      s
        .twoOpen()
        .promises('older')
        .does((app, id) => Promise.allSettled([look(app, id)])),
    { status: 'WAITING_PAYMENT', isShown: false, sessions: ['complete', 'expired'], link: 'pending' },
  ]),
]);

for (const who of ['only the provider knows', 'we know']) {
  const beside = (s: Story) =>
    (who === 'we know' ? s.linked().pending('older') : s.linked().promises('older')).otherAmount();
  const advised = (name: string) => async (app: TestApp, id: number) => {
    const { findings } = await explain(app.ctx, String(id));
    expect(findings.find(({ key }) => key !== 'daemon_down')?.next?.name).toBe(name);
  };
  const of = `as ${who}, other money is on its way beside a payment that does not count:`;
  tell([
    [
      `${of} nobody decides, it is waited for, and once the bank has refused it the case is open`,
      (s) =>
        [renewPaymentSession, completeRequest, cancelRequest]
          .reduce(
            (waiting, act) => waiting.refuses(act, { code: 'payment_pending' }),
            beside(s)
              .is({ findings: includes('payment_undecided') })
              .does(advised('payments check')),
          )
          .is({ needs: [] })
          .refused('older')
          .does(advised('payments renew')),
      { status: 'WAITING_PAYMENT' },
    ],
    [
      `${of} it completes the request when it arrives, and the other is a second payment`,
      (s) => beside(s).arrives('older').hears('older', { type: 'checkout.session.async_payment_succeeded' }),
      { status: 'COMPLETE', names: 'older', findings: includes('payment_case: paid_twice') },
    ],
    [
      `${of} a person can give it up, and then decide`,
      (s) => beside(s).by(giveUpPayment).does(advised('payments renew')).completedByHand(),
      { needs: [] },
    ],
  ]);
}

/** Before the request was canceled another amount was paid, or the price afterwards. */
const REOPENED = {
  before: (s: Story) => s.linked().otherAmount().canceled().reopened(),
  after: (s: Story) => s.linked().canceled().hears('older').reopened(),
};

for (const [when, reopened] of Object.entries(REOPENED)) {
  const again = (s: Story) =>
    reopened(s)
      .is({ findings: includes('payment_case: earlier_contract_paid', 'not_started') })
      .signedNext();
  const of = `money that came ${when} its request was canceled is not forgotten when the request is reopened:`;
  const linksSent =
    (...contracts: number[]) =>
    ({ ctx }: TestApp) => {
      const sql = "SELECT contractId FROM sentMails WHERE mail = 'payment-link' ORDER BY id";
      expect(ctx.db.raw.prepare(sql).pluck().all()).toEqual(contracts);
    };
  tell([
    [
      `${of} the customer is not asked to pay for the next contract`,
      (s) =>
        again(s).does((app) => {
          // The first contract's mail announces a link to pay.
          const signed = app.sandbox.state().mails.filter(({ subject }) => subject.includes('Your signed'));
          expect(signed.map(({ text }) => text.includes('link to the payment page'))).toEqual([true, false]);
        }),
      {
        status: 'WAITING_PAYMENT',
        isShown: false,
        findings: [when === 'before' ? 'payment_case: other_price' : 'payment_case: old_session_paid'],
        needs: [expect.stringMatching(/^payment: /)],
      },
    ],
    [
      `${of} it needs the office at once; after a refund, settling ends the case, and the next contract is to be paid`,
      (s) =>
        reopened(s)
          .is({ needs: ['payment: requests settle'] })
          .does(async (app) => {
            const [need] = (await listNeeds(app.ctx, 9)).needs;
            expect(need?.what).toContain(
              when === 'before' ? 'cs_other' : app.sandbox.state().sessions[0]?.id,
            );
          })
          .does(acts(['settle'], []))
          .settled()
          .is({ needs: [], findings: expect.not.arrayContaining(['payment_case: earlier_contract_paid']) })
          .does(acts([], ['settle']))
          .signedNext()
          .does(linksSent(1, 2)),
      { findings: ['waiting_for_payment'] },
    ],
    [
      `${of} completing by hand accepts it`,
      (s) => again(s).completedByHand(),
      { findings: ['finished: complete'], needs: [] },
    ],
    [
      `${of} after a refund, a renewal with a reason asks the customer`,
      (s) => again(s).renewed().drained().does(linksSent(1, 2)),
      { findings: ['waiting_for_payment'], needs: [] },
    ],
    [
      `${of} when it is canceled again, the payment is a case until somebody settles it`,
      (s) =>
        again(s)
          .canceled()
          .is({ findings: ['payment_case: canceled_paid', 'finished: canceled'] })
          .settled(),
      { findings: ['finished: canceled'] },
    ],
  ]);
}

test('completing by hand accepts the payment of the price, not another amount that came later, as explain says', async () => {
  const message = async (app: TestApp, id: number, cause: string) => {
    const { findings } = await explain(app.ctx, String(id));
    return adviceText(findings.find((one) => one.cause === cause)?.message ?? '');
  };
  await REOPENED.after(story())
    .signedNext()
    .otherAmount('cs_later')
    .does(async (app, id) => {
      const paid = app.sandbox.state().sessions[0]?.id as string;
      expect(await message(app, id, 'several_payments')).toContain(`accepts ${paid};`);
    })
    .completedByHand()
    .does(async (app, id) =>
      expect(await message(app, id, 'paid_twice')).toContain('Refund cs_later (US$99.00) at'),
    )
    .end();
});

test('after a reopening, the customer has no link to pay until one for the new contract is mailed', async () => {
  let token: string | null;
  const tokenOf = (app: TestApp, id: number) => app.request(id).payToken;
  await story()
    .linked()
    .does((app, id) => {
      token = tokenOf(app, id);
    })
    .canceled()
    .reopened()
    .sentNext()
    .fault('payment.create:500:9')
    .does((app, id) => signWithAllTries(app, app.contract(id).signId as string))
    .does((app, id) => expect(tokenOf(app, id)).toBeNull())
    .noFaults()
    .does((app) => replayFailed(app.ctx, [app.jobs('create-payment-session').at(-1)?.id as number], BY))
    .drained()
    .does((app, id) => expect(tokenOf(app, id)).not.toBe(token))
    .is({ mails: { 'payment-link': 2 }, findings: ['waiting_for_payment'] })
    .end();
});
