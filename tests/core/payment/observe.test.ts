/**
 * Sessions that we do not know of, since an answer was lost or a backup came back: the provider's list decides what becomes of them
 * (rules 2), whoever asks for it.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { removeFailed } from '../../../src/core/jobs/failed.js';
import { correctUser } from '../../../src/core/users/change-user.js';
import { HOUR, SECOND } from '../../support/clock.js';
import { CLOSE, includes, tell, type History } from '../../support/histories.js';
import { BY, REASON, story, UNPAID, type Story } from '../../support/story.js';
import { aSessionLike, signWithAllTries } from '../../support/webhooks.js';

const COMPLETE = {
  status: 'COMPLETE',
  told: { 'payment.received': 1, 'payment.old_session_paid': 0 },
} as const;
const ONE_LINK = { link: 'payment_page older', sessions: ['open'], mails: { 'payment-link': 1 } };
const priceNow = (s: Story) => s.does((app) => app.ctx.db.raw.exec('UPDATE contracts SET amount = 9900'));
const firstIsLost = (s: Story) => s.completed().fault('payment.create:answer_lost:1').drained();
/** Its customer is another person now. */
const corrected = (s: Story) =>
  s.does(({ ctx }) => correctUser(ctx, 1, { locale: 'fr', username: 'else@example.org' }, BY));

tell(
  [
    [
      'a replay finds it, and makes no second one',
      (s) => s.answersLost().replayed(),
      { ...ONE_LINK, names: 'older' },
    ],
    [
      'paid, it completes the request, and a dry run only says so',
      (s) =>
        s
          .answersLost()
          .pays('older')
          .allChecked({ changed: 1 }, { dryRun: true })
          .is({ status: 'WAITING_PAYMENT' })
          .allChecked({ results: [{ key: 'check_payment_success', changed: true }] }),
      { ...COMPLETE, names: 'older' },
    ],
    [
      'paid with another amount, it is a case, and a dry run says so',
      (s) => {
        const found = { type: 'error', key: 'old_session_paid', changed: true };
        return priceNow(s.answersLost()).pays('older').checked(found, { dryRun: true }).checked(found);
      },
      { status: 'WAITING_PAYMENT', payments: ['case'] },
    ],
    [
      'a page that works becomes the customer’s link, once',
      (s) =>
        s
          .answersLost()
          .checked({ key: 'check_payment_info.open', changed: true })
          .checked({ key: 'check_payment_info.open' })
          .replayed(),
      ONE_LINK,
    ],
    [
      'one that is over is known from then on, once',
      (s) =>
        s
          .answersLost()
          .ends('older')
          .checked({ key: 'check_payment_info.expired', changed: true })
          .untold((t) => t.scheduled({ changed: 0 })),
      { payments: ['over'] },
    ],
    [
      'a list that cannot be read is not an empty one',
      (s) => s.answersLost().fault('payment.list:503').checked({ key: 'payment_unavailable' }),
      { payments: [] },
    ],
    [
      'the next try finds it although the customer has another language and address since',
      (s) => corrected(firstIsLost(s)).waits(SECOND).drained(),
      { ...ONE_LINK, jobs: ['completed'] },
    ],
    [
      'one that is over under its key is followed by one under another key',
      (s) => corrected(firstIsLost(s)).ends('older').waits(SECOND).drained(),
      {
        link: 'payment_page newer',
        sessions: ['expired', 'open'],
        mails: { 'payment-link': 1 },
        payments: ['over', 'open'],
      },
    ],
    [
      'also when its end is reported, and the provider would still repeat its making',
      (s) =>
        firstIsLost(s)
          .ended('older')
          .waits(2 * SECOND)
          .drained(),
      { names: 'newer', link: 'payment_page newer' },
    ],
    [
      'a customer who was never mailed a link is not said to have one when it is reported as over',
      (s) =>
        s
          .answersLost()
          .ended('older')
          .is({ findings: ['payment_job_stuck: failed'] })
          .does((app) => removeFailed(app.ctx, [app.jobs('create-payment-session')[0]?.id as number], BY)),
      { findings: ['payment_missing: unmade'] },
    ],
    [
      'found by a cancellation that failed, it is given to the customer by a renewal, whose dry run mails nothing',
      (s) =>
        s
          .answersLost()
          .fault('payment.expire:500')
          .refuses(cancelRequest, { code: 'payment_unavailable' })
          .noFaults()
          .is({ findings: ['payment_job_stuck: failed'] })
          .does(({ ctx }, id) => renewPaymentSession(ctx, id, { ...BY, dryRun: true }))
          .is({ mails: { 'payment-link': 0 } })
          .renewed()
          .drained(),
      { ...ONE_LINK, findings: ['waiting_for_payment'] },
    ],
  ],
  'a session whose answers were lost: ',
);

for (const [how, close] of CLOSE)
  tell(
    [
      [
        'it is closed too, and nobody is mailed its link',
        (s) => s.answersLost().by(close).drained(),
        {
          sessions: ['expired'],
          told: { 'payment.session_found': 1, 'payment.session_closed': 1 },
          mails: { 'payment-link': 0 },
        },
      ],
      [
        'it counts when it has been paid',
        (s) =>
          s
            .answersLost()
            .pays('older')
            .does(({ ctx }, id) => close(ctx, id, REASON).catch(() => undefined)),
        { ...COMPLETE, names: 'older' },
      ],
      [
        'it is a case when it was paid with another amount',
        (s) =>
          priceNow(s.answersLost())
            .pays('older')
            .does(({ ctx }, id) => close(ctx, id, REASON).catch(() => undefined)),
        { told: { 'payment.other_price': 1, 'payment.received': 0 } },
      ],
      [
        'it could still be paid, so nothing changes while the list cannot be read',
        (s) => s.answersLost().fault('payment.list:500').refuses(close, { code: 'payment_unavailable' }),
        { status: 'WAITING_PAYMENT' },
      ],
      [
        'it is not looked for when none was ever asked for, so a provider that is down prevents nothing',
        (s) =>
          s
            .fault('payment:500')
            .sent()
            .does((app, id) => signWithAllTries(app, app.contract(id).signId as string))
            .by(close),
        { status: how === 'canceled' ? 'CANCELED' : 'COMPLETE' },
      ],
      [
        'one that a canceled contract left behind is not looked for when the next one is closed',
        (s) =>
          s
            .fault('payment.create:500')
            .sent()
            .does((app, id) => signWithAllTries(app, app.contract(id).signId as string))
            .canceled()
            .reopened()
            .fault('payment:500')
            .sentNext()
            .does((app, id) => signWithAllTries(app, app.contract(id).signId as string))
            .by(close),
        { status: how === 'canceled' ? 'CANCELED' : 'COMPLETE' },
      ],
      [
        'a fault of our own in the search stops it',
        (s) =>
          s.answersLost().does(async ({ ctx }, id) => {
            ctx.payment.listSessions = () => Promise.reject(new Error('a bug'));
            await expect(close(ctx, id, REASON)).rejects.toThrow('a bug');
          }),
        { status: 'WAITING_PAYMENT' },
      ],
    ],
    `a session whose answers were lost, when its request is ${how} by hand: `,
  );

tell([
  [
    'one that is over needs nothing when its request is canceled',
    (s) => s.answersLost().ends('older').canceled(),
    { status: 'CANCELED', told: { 'payment.session_closed': 0 } },
  ],
  [
    'none is looked for before the signature, when nobody can have paid',
    (s) => s.sent().canceled(),
    { calls: { 'payment.list': 0 } },
  ],
  [
    'nor when it is known',
    (s) =>
      s
        .linked()
        .is({ calls: { 'payment.list': 1 } })
        .canceled(),
    { calls: { 'payment.list': 1 }, sessions: ['expired'] },
  ],
  [
    'a dry run of a cancellation leaves it as it is',
    (s) => s.answersLost().does(({ ctx }, id) => cancelRequest(ctx, id, { ...REASON, dryRun: true })),
    { sessions: ['open'], payments: [] },
  ],
]);

/** The backup is from before the signature; what `since` does with the page that was mailed is forgotten too. */
const forgotten = (s: Story, hours: number, since: (story: Story) => Story = (story) => story) =>
  since(s.sent().backedUp().signed().drained())
    .waits(hours * HOUR)
    .restored();

tell(
  [
    [
      'paid, it completes the request, and nobody is asked to pay twice',
      (s) =>
        forgotten(s, 30, (t) => t.pays('older'))
          .signaturesChecked()
          .signaturesChecked(),
      {
        ...COMPLETE,
        names: 'older',
        sessions: ['complete'],
        mails: { 'payment-link': 0 },
        told: { 'payment.session_found': 1, 'payment.received': 1 },
        findings: ['finished: complete'],
      },
    ],
    [
      'money on its way is waited for',
      (s) =>
        forgotten(s, 30, (t) => t.promises('older'))
          .signaturesChecked()
          .is({ mails: { 'payment-link': 0 }, findings: ['payment_pending'] })
          .arrives('older')
          .hears('older'),
      { ...COMPLETE, sessions: ['complete'] },
    ],
    [
      'over, it is replaced by a link that works',
      (s) => forgotten(s, 30).signaturesChecked(),
      { names: 'newer', link: 'payment_page newer', mails: { 'payment-link': 1 } },
    ],
    [
      'also when its end is reported before the payment job has run',
      (s) => forgotten(s, 25).ended('older').signaturesChecked(),
      { names: 'newer', link: 'payment_page newer', mails: { 'payment-link': 1 } },
    ],
    [
      'it is replaced by one session only when the answer is lost, although the first key is not used again',
      (s) =>
        forgotten(s, 30)
          .fault('payment.create:answer_lost:1')
          .signaturesChecked()
          .waits(2 * SECOND)
          .drained(),
      { sessions: ['expired', 'open'], link: 'payment_page newer' },
    ],
    [
      'open, it becomes the customer’s link again, and no second one is made',
      (s) => forgotten(s, 13).signaturesChecked(),
      { ...ONE_LINK, names: 'older', payments: ['open'] },
    ],
    [
      'one that a person’s replay made is found, although its key is not that of the first try',
      (s) =>
        s
          .sent()
          .backedUp()
          .fault('payment.create:500')
          .does((app, id) => signWithAllTries(app, app.contract(id).signId as string))
          .noFaults()
          .replayed()
          .waits(HOUR)
          .restored()
          .signaturesChecked(),
      { names: 'older', sessions: ['open'] },
    ],
    [
      'a list that cannot be read makes no second session: the job tries again',
      (s) =>
        forgotten(s, 30, (t) => t.pays('older'))
          .fault('payment.list:500')
          .signaturesChecked()
          .is({ status: 'WAITING_PAYMENT', sessions: ['complete'] })
          .noFaults()
          .waits(4 * SECOND)
          .drained(),
      COMPLETE,
    ],
    [
      'that of another installation, for the same person and price, is not taken',
      (s) =>
        forgotten(s, 13, (t) =>
          t
            .pays('older')
            .does((app) => aSessionLike(app, 'esign-0123456789abcdef-0123456789abcdef'))
            .pays('newer'),
        ).signaturesChecked(),
      { ...COMPLETE, names: 'older' },
    ],
    [
      'paid with another amount, it is a case, and no link is made until a person orders one',
      (s) =>
        priceNow(forgotten(s, 30, (t) => t.pays('older')))
          .signaturesChecked()
          .is({ sessions: ['complete'], findings: ['payment_case: other_price'] })
          .renewed()
          .drained(),
      { findings: ['waiting_for_payment'], told: { 'payment.other_price': 1 } },
    ],
    [
      'of another price and unpaid, it is no case once it is over: the customer gets one with the price that holds',
      (s) => priceNow(forgotten(s, 30)).signaturesChecked(),
      { link: 'payment_page newer', told: { 'payment.other_price': 0 } },
    ],
    ...(
      [
        [
          'its payment completes the request',
          (s) => s.paid('older'),
          { ...COMPLETE, sessions: ['complete'] },
        ],
        [
          'money on its way is waited for',
          (s) => s.pending('older'),
          { sessions: ['complete'], isShown: false, mails: { 'payment-link': 0 } },
        ],
        [
          'after a cancellation it is closed',
          (s) => s.does((app) => app.ctx.db.raw.exec("UPDATE requests SET status = 'CANCELED'")),
          { sessions: ['expired'], isShown: false, mails: { 'payment-link': 0 } },
        ],
        [
          'after its end another one is made',
          (s) => s.ends('older').ended('older'),
          { sessions: ['expired', 'open'], mails: { 'payment-link': 1 } },
        ],
      ] satisfies History[]
    ).map(([what, happen, end]): History => [
      `what comes after the list has shown it as open decides: ${what}`,
      (s) => forgotten(s, 13).meanwhile('listSessions', happen).signaturesChecked(),
      end,
    ]),
  ],
  'a session that a restore has forgotten: ',
);

interface Renewal {
  /** What has become of the renewed link. */
  newer?: (story: Story) => Story;
  /** The backup is from after the first link's end, not from before. */
  isKnownAsOver?: boolean;
  /** From the renewal to the restore. */
  hours?: number;
}

const paid = (s: Story) => s.pays('newer');
const pending = (s: Story) => s.promises('newer');
const open = (s: Story) => s;

/** The backup knows the first link; since then it ended and was renewed. */
function forgottenRenewal(s: Story, { newer = paid, isKnownAsOver = true, hours = 25 }: Renewal = {}): Story {
  const ended = s
    .linked()
    .backedUp()
    .waits(25 * HOUR)
    .scheduled();
  return newer((isKnownAsOver ? ended.backedUp() : ended).renewed().drained()).waits(hours * HOUR);
}

const RENEWED = { ...COMPLETE, names: 'newer', sessions: ['expired', 'complete'] };
/** Nobody is asked to pay twice, and what comes counts. */
const isWaitedFor = (s: Story) =>
  s
    .is({ names: 'newer', isShown: false, link: 'pending', sessions: ['expired', 'complete'] })
    .is({ findings: ['payment_pending'] })
    .refuses(renewPaymentSession, { code: 'payment_pending' })
    .refuses(remindRequest, { code: 'payment_pending' })
    .refuses(cancelRequest, { code: 'payment_pending' })
    .arrives('newer')
    .hears('newer');

tell(
  [
    ...(
      [
        [
          'the renewal of the link that the backup knew',
          (s) =>
            s.refuses(renewPaymentSession, { code: 'already_paid', hint: 'The request is now complete.' }),
        ],
        ['the schedule’s check', (s) => s.scheduled()],
        ['a reminder, which is not sent', (s) => s.refuses(remindRequest, { code: 'already_paid' })],
        ['a cancellation', (s) => s.refuses(cancelRequest, { code: 'already_complete' })],
      ] as [string, (s: Story) => Story][]
    ).map(([who, find]): History => [
      `paid, it is found by ${who}`,
      (s) => find(forgottenRenewal(s, { isKnownAsOver: false }).restored()).drained(),
      { ...RENEWED, mails: { 'payment-reminder': 0 } },
    ]),
    [
      'paid, it is found by a person’s check of all, although the backup knew that the link before it was over',
      (s) =>
        forgottenRenewal(s)
          .restored()
          .allChecked({ changed: 1 }, { dryRun: true })
          .is({ status: 'WAITING_PAYMENT' })
          .allChecked({ results: [{ key: 'check_payment_success', changed: true }] }),
      RENEWED,
    ],
    ['its webhook completes the request', (s) => forgottenRenewal(s).restored().hears('newer'), RENEWED],
    [
      'its webhook tells of money on its way, which is waited for',
      (s) => isWaitedFor(forgottenRenewal(s, { newer: pending }).restored().hears('newer', UNPAID)),
      RENEWED,
    ],
    [
      'so it is on a machine that is held, before anything has said that its predecessor is over',
      (s) =>
        isWaitedFor(
          forgottenRenewal(s, { newer: pending, isKnownAsOver: false, hours: 1 })
            .moved()
            .hears('newer', UNPAID)
            .takenOver()
            .drained()
            .scheduled()
            .waits(25 * HOUR),
        ),
      RENEWED,
    ],
    [
      'on a machine that is held, its webhook completes the request',
      (s) =>
        forgottenRenewal(s, { isKnownAsOver: false, hours: 1 }).moved().hears('newer').takenOver().drained(),
      RENEWED,
    ],
    [
      'a takeover of data whose link is older than the provider’s list goes back waits for its money',
      (s) =>
        isWaitedFor(
          oldRenewal(s, pending)
            .takenOver()
            .drained()
            .waits(25 * HOUR),
        ),
      RENEWED,
    ],
    [
      'or leads the customer to it',
      (s) => oldRenewal(s, open).takenOver().drained(),
      { names: 'newer', link: 'payment_page newer', sessions: ['expired', 'open'] },
    ],
    ...CLOSE.flatMap(([how, close]) =>
      [true, false].map((isKnownAsOver): History => [
        `open, it is closed when its request is ${how} by hand, if the first is known as over: ${isKnownAsOver}`,
        (s) => forgottenRenewal(s, { newer: open, isKnownAsOver, hours: 1 }).restored().by(close),
        { sessions: ['expired', 'expired'] },
      ]),
    ),
    [
      'found by a cancellation that failed, it completes the request when it is paid',
      (s) =>
        forgottenRenewal(s, { newer: open, hours: 1 })
          .restored()
          .fault('payment.expire:500')
          .refuses(cancelRequest, { code: 'payment_unavailable' })
          .noFaults()
          .is({ payments: ['over', 'open'] })
          .paid('newer'),
      RENEWED,
    ],
    [
      'a renewal that finds only a link that is over, and makes none, says so',
      (s) =>
        forgottenRenewal(s, { newer: open })
          .restored()
          .fault('payment.create:500:1')
          .refuses(renewPaymentSession, { code: 'payment_creation_failed' }),
      { status: 'WAITING_PAYMENT' },
    ],
  ],
  'a renewed link that a restore has forgotten: ',
);

/** Made when the first link was older than the provider's list goes back. */
const oldRenewal = (s: Story, newer: (story: Story) => Story) =>
  newer(
    s
      .linked()
      .waits(80 * HOUR)
      .backedUp()
      .waits(25 * HOUR)
      .renewed()
      .drained(),
  )
    .waits(HOUR)
    .moved();

/** It was renewed although money was on its way. */
const besidePending = (s: Story) =>
  s.linked().pending('older').backedUp().waits(HOUR).givenUp().renewed().drained();

tell(
  [
    ...[true, false].map((isOlder): History => {
      const [refused, other] = isOlder ? ['older', 'newer'] : ['newer', 'older'];
      return [
        `when its own money is on its way too, the bank refuses one of the two (the older: ${isOlder}), and the other is waited for`,
        (s) =>
          besidePending(s)
            .restored()
            .pending('newer')
            .refused(refused)
            .is({ names: other, isShown: false })
            .refuses(renewPaymentSession, { code: 'payment_pending' })
            .arrives(other)
            .hears(other),
        { ...COMPLETE, names: other, sessions: ['complete', 'complete'] },
      ];
    }),
    [
      'the schedule’s check asks about both',
      (s) =>
        besidePending(s)
          .restored()
          .pending('newer')
          .arrives('newer')
          .scheduled({ results: [{ key: 'check_payment_success', changed: true }] })
          .is({ names: 'newer' })
          .arrives('older')
          .hears('older'),
      { status: 'COMPLETE', told: { 'payment.received': 1, 'payment.old_session_paid': 1 } },
    ],
    [
      'paid while the other money is on its way, it completes the request',
      (s) => besidePending(s).restored().paid('newer'),
      { ...COMPLETE, names: 'newer' },
    ],
    [
      'when the bank refuses the other, it is the link that works, and no third one is made',
      (s) =>
        besidePending(s)
          .moved()
          .takenOver()
          .refused('older')
          .refuses(renewPaymentSession, { code: 'payment_link_works' }),
      { names: 'newer', link: 'payment_page newer', sessions: ['complete', 'open'] },
    ],
    [
      'when nobody knows it, a renewal finds it and makes no third one',
      (s) =>
        besidePending(s)
          .restored()
          .refused('older')
          .refuses(renewPaymentSession, { code: 'payment_link_works' }),
      { names: 'newer', link: 'payment_page newer', sessions: ['complete', 'open'] },
    ],
    ...CLOSE.map(([how, close]): History => [
      `it is closed when the request is ${how} by hand`,
      (s) => besidePending(s).moved().takenOver().refused('older').by(close),
      { sessions: ['complete', 'expired'] },
    ]),
    [
      'of two that were paid and forgotten, one completes the request, and the other is a case for a person',
      (s) =>
        s
          .sent()
          .backedUp()
          .signed()
          .drained()
          .pending('older')
          .givenUp()
          .renewed()
          .pays('newer')
          .arrives('older')
          .waits(13 * HOUR)
          .moved()
          .takenOver()
          .drained(),
      {
        status: 'COMPLETE',
        told: { 'payment.received': 1, 'payment.old_session_paid': 1 },
        mails: { 'payment-trouble': 1 },
      },
    ],
  ],
  'a link that was renewed although money was on its way, and that a restore has forgotten: ',
);

/** A late call of the first try has made another one beside it. */
const lateBesidePending = (s: Story) =>
  s
    .linked()
    .waits(60 * SECOND)
    .another()
    .pending('older');
const staysPending = (s: Story) =>
  s
    .is({ names: 'older', findings: includes('payment_pending'), link: 'pending' })
    .arrives('older')
    .hears('older');

tell(
  [
    [
      'that its end is reported changes nothing',
      (s) =>
        staysPending(
          lateBesidePending(s)
            .waits(25 * HOUR)
            .ended('newer'),
        ),
      { ...COMPLETE, names: 'older' },
    ],
    [
      'that a takeover finds it open changes nothing, and it is not mailed',
      (s) =>
        staysPending(
          lateBesidePending(s)
            .held()
            .takenOver()
            .drained()
            .is({ mails: { 'payment-link': 1 } }),
        ),
      { ...COMPLETE, names: 'older' },
    ],
  ],
  'a session that a late call makes beside one whose money is on its way: ',
);

test('a renewal that is ordered while the one before is being tried again makes one link', async () => {
  const { app, id } = await story()
    .linked()
    .waits(25 * HOUR)
    .fault('payment.create:500:1')
    .refuses(renewPaymentSession, {})
    .waits(SECOND)
    .end();
  const made = () => app.sandbox.state().counters.calls['payment.create'] ?? 0;
  const before = made();
  app.sandbox.faults.add({ target: 'payment', operation: 'create', kind: 'delay', delayMs: 500, times: 1 });
  const draining = app.drain();
  while (made() === before) await turn();
  await renewPaymentSession(app.ctx, id, BY).catch(() => undefined);
  await draining;
  await app.drain();
  expect(app.sandbox.state().sessions.map(({ status }) => status)).toEqual(['expired', 'open']);
  expect(app.request(id).paymentUrl).toBe(app.sandbox.state().sessions[1]?.url);
});
