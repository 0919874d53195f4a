/**
 * Money that does not complete its request (rules 2): a case until a person decides about that one, for good, and no other. Meanwhile
 * nobody is asked to pay. The price is compared whenever a session counts as paid, whoever brings the news.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { openCase } from '../../../src/core/cases/cases.js';
import { change } from '../../../src/core/change.js';
import { adviceText, command, commandLine } from '../../../src/core/commands.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain, replyAbout } from '../../../src/core/explain/explain.js';
import { ofRequest } from '../../../src/core/history/history.js';
import { orderDigest } from '../../../src/core/needs/digest.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { followPayLink } from '../../../src/core/payment/follow-pay-link.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { readDashboard } from '../../../src/core/status/dashboard.js';
import { surveyTakeover } from '../../../src/core/takeover/survey.js';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { listHistory } from '../../../src/db/history/history.js';
import type { Charged } from '../../../sandbox/payment/session.js';
import { openActNames } from '../../support/acts.js';
import { anyContractPdf, rejection, startApp, type TestApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { findingName } from '../../support/finding-names.js';
import { includes, NEWS, tell, type History } from '../../support/histories.js';
import { startSignature } from '../../support/start-signature.js';
import { BY, REASON, story, type Story } from '../../support/story.js';
import { deliver, deliverOtherAmount, deliverPayment, signWithAllTries } from '../../support/webhooks.js';

const REFUNDED = { ...BY, reason: 'refunded' };
/** The customer pays one dollar instead of 120 euros. */
const LESS = { amount: 100, currency: 'usd' };
const charged = (s: Story, how: Charged = LESS) => s.linked().pays('older', how);

const told = (app: TestApp, id: number, word: string) =>
  listHistory(app.ctx.db, { requestId: id })
    .filter(({ what }) => what === word)
    .map(({ detail }) => JSON.parse(detail) as unknown);
const needs = async (app: TestApp) => (await listNeeds(app.ctx, 30)).needs;
const kinds = async (app: TestApp) => (await needs(app)).map(({ kind }) => kind);
const message = async (app: TestApp, id: number, finding: string) =>
  adviceText(
    (await explain(app.ctx, String(id))).findings.find((one) => findingName(one) === finding)?.message ?? '',
  );
const settle = (s: Story, what: { payments?: string[]; signature?: boolean } = {}) =>
  s.does(({ ctx }, id) => settleRequest(ctx, id, { ...REFUNDED, ...what }));

// Who cancels is not kept from it: money of a canceled request is a case as well.
test.each(NEWS.slice(0, -1))('another amount completes nothing, and is told once, by %s', async (_, hear) => {
  const { app, id, page } = await hear(charged(story())).end();
  const paymentId = page('older');
  // Whoever looks again learns nothing new.
  await story.on(app, id).hears('older').checked({}).drained().end();

  expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentId, paymentUrl: null });
  expect(told(app, id, 'payment.other_price')).toEqual([{ paymentId, amount: 100, currency: 'usd' }]);
  expect(told(app, id, 'payment.received')).toEqual([]);
  const mail = app.sandbox.mails().filter(({ subject }) => subject.includes('Different amount'));
  expect(mail.map(({ text }) => text)).toEqual([expect.stringMatching(/Amount: €120\.00\s+Paid: US\$1\.00/)]);
  expect(await kinds(app)).toEqual(['payment']);
  const { findings, verdict, timeline } = await explain(app.ctx, String(id));
  expect(findings[0]).toMatchObject({ cause: 'other_price', next: command('payments renew', id) });
  expect(adviceText(verdict)).toContain(`not the price of €120.00: ${paymentId} (US$1.00)`);
  expect(timeline.map((entry) => entry.message)).toContain(
    `Paid, but not applied, because it is not the price: US$1.00 (${paymentId})`,
  );
});

test.each(['currency_conversion', 'presentment_details'] as const)(
  'where the provider converts for the customer, the amount in our currency counts, and is what everybody is told: %s',
  async (converted) => {
    for (const [, hear] of NEWS.slice(0, 2)) {
      const price = { amount: 14_000, currency: 'usd', converted };
      const { app, id, page } = await hear(charged(story(), price)).drained().end();
      const received = { paymentId: page('older'), amount: 12_000, currency: 'eur' };
      expect(told(app, id, 'payment.received')).toEqual([received]);
      expect(
        app.sandbox
          .mails()
          .map(({ text }) => text)
          .join('\n'),
      ).not.toContain('$');
    }
  },
);

test('explain and the reply to the customer say it before anybody here knows', async () => {
  const { app, id } = await charged(story()).end();
  expect((await explain(app.ctx, String(id))).findings[0]).toMatchObject({
    cause: 'other_price_there',
    message: expect.stringContaining('paid, but US$1.00 instead of €120.00') as unknown,
    next: command('payments check', id),
  });
  expect(await replyAbout(app.ctx, app.request(id))).toContain('does not match what we expected');
});

test('renewing after a refund says in the time line that it settled the case, and every entry can be followed by its reason', async () => {
  const { app, id, page } = await charged(story()).hears('older').checked({}).end();
  await renewPaymentSession(app.ctx, id, REFUNDED);
  const { timeline } = await explain(app.ctx, String(id), { offline: true });
  const settled = `New payment link requested; the case was settled for ${page('older')}`;
  expect(timeline).toContainEqual(expect.objectContaining({ message: settled, note: 'refunded' }));
  expect(timeline.filter((entry) => entry.message.endsWith('.'))).toEqual([]);
});

tell([
  [
    'an amount that the provider does not say is not the price',
    (s) =>
      charged(s)
        .hears('older', { object: { amount_total: undefined } })
        .drained()
        .does((app) => expect(app.sandbox.mails().at(-1)?.text).toContain('Paid: unknown'))
        .checked({}),
    { status: 'WAITING_PAYMENT', payments: ['case'] },
  ],
  [
    'another amount that was paid for a complete request is a second payment',
    (s) => s.linked().paid('older').otherAmount(),
    { status: 'COMPLETE', findings: includes('payment_case: paid_twice') },
  ],
  [
    'a takeover tells of another amount and completes nothing',
    (s) =>
      s
        .linked()
        .backedUp()
        .pays('older', LESS)
        .moved()
        .does(async ({ ctx }) =>
          expect((await surveyTakeover(ctx, BY))?.plan.payments).toMatchObject([{ key: 'other_price' }]),
        )
        .takenOver(),
    { status: 'WAITING_PAYMENT', findings: includes('payment_case: other_price') },
  ],
  [
    'a new link is refused until somebody decides, and the refusal says how',
    (s) =>
      charged(s)
        .does(async ({ ctx }, id) => {
          const decide = { ...command('payments renew', id), options: ['--reason', '…'] };
          const hint = expect.arrayContaining([decide]) as unknown;
          for (let n = 0; n < 2; n += 1)
            expect(await rejection(renewPaymentSession(ctx, id, BY))).toMatchObject({
              code: 'already_paid',
              hint,
            });
        })
        .renewed(),
    { link: 'payment_page newer', sessions: ['complete', 'open'] },
  ],
  [
    'settled while its request waits, it needs nobody, and the request waits for its customer again',
    (s) =>
      settle(charged(s).hears('older'))
        .does((app, id) => {
          expect(readDashboard(app.ctx).waitingPayment.map(({ request }) => request.id)).toEqual([id]);
          const open = ['renew-payment', 'remind', 'complete', 'cancel'];
          expect(openActNames(app.ctx, app.request(id))).toEqual(expect.arrayContaining(open));
        })
        .refuses(settleRequest, { code: 'nothing_to_settle' })
        .is({ needs: [], findings: ['payment_over: settled'] })
        .is({ link: 'payment_page newer' })
        .hears('older')
        .is({ status: 'WAITING_PAYMENT' })
        .pays('newer')
        .is({ link: 'paid' }),
    { status: 'COMPLETE', told: { 'payment.received': 1 } },
  ],
  [
    'settled, it lets the customer who was never given a link have one',
    (s) =>
      settle(
        s
          .sent()
          .otherAmount()
          .signed()
          .drained()
          .is({ mails: { 'payment-link': 0 } }),
      ).drained(),
    { mails: { 'payment-link': 1 }, findings: ['waiting_for_payment'] },
  ],
  [
    'it stays a case after a restore that has forgotten the decision and the page that was made then',
    (s) =>
      s
        .linked()
        .otherAmount()
        .drained()
        .backedUp()
        .renewed()
        .drained()
        .waits(HOUR)
        .restored()
        .checked({ key: 'old_session_paid' })
        .drained()
        .is({ mails: { 'payment-link': 1 } })
        .renewed(),
    { mails: { 'payment-link': 2 } },
  ],
  ...(['getSession', 'expireSession'] as const).map((call): History => [
    `completing by hand stops when a payment is reported during ${call}: the person does not know of it`,
    (s) =>
      s
        .linked()
        .meanwhile(call, (t) => t.otherAmount())
        .refuses(completeRequest, { code: 'already_paid' }),
    { findings: ['payment_case: other_price'] },
  ]),
  [
    'the mail of a new page is held back while a payment is undecided; the page that is made then is mailed',
    (s) =>
      s
        .linked()
        .promises('older')
        .givenUp()
        .renewed()
        .otherAmount()
        .drained()
        .is({ sent: { 'payment-link': 1 } })
        .renewed()
        .drained(),
    { sent: { 'payment-link': 2 } },
  ],
  ...([settleRequest, renewPaymentSession] as const).map((decide): History => [
    `a first link that was held back is mailed once by ${decide.name}, also when its page could not be closed`,
    (s) =>
      s
        .completed()
        .fault('smtp:451')
        .drained()
        .fault('payment.expire:500')
        .otherAmount()
        .waits(HOUR)
        .noFaults()
        .fault('payment.expire:500')
        .waits(HOUR)
        .drained()
        .waits(HOUR)
        .drained()
        .waits(HOUR)
        .drained()
        .is({ sent: { 'payment-link': 0 } })
        .by(decide)
        .drained(),
    { sessions: ['open'], sent: { 'payment-link': 1 } },
  ]),
  [
    'a reminder is dropped: after the decision only the new link leaves',
    (s) =>
      s
        .linked()
        .waits(2 * HOUR)
        .reminded()
        .otherAmount()
        .drained()
        .renewed()
        .drained(),
    { sent: { 'payment-link': 2, 'payment-reminder': 0 } },
  ],
]);

test('the link to pay looks again after the provider’s answer', async () => {
  const { app, id } = await story().linked().end();
  const late = { target: 'payment', operation: 'get', kind: 'answer_late', delayMs: 300, times: 1 } as const;
  app.sandbox.faults.add(late);
  const asked = () => app.sandbox.state().counters.calls['payment.get'] ?? 0;
  const before = asked();
  const following = followPayLink(app.ctx, app.request(id).payToken as string);
  while (asked() === before) await turn();
  await deliverOtherAmount(app, id);
  expect(await following).toEqual({ place: 'in_review' });
});

test('todo and the daily mail find an open case although many newer ones have been settled', async () => {
  const { app, id } = await story().linked().otherAmount().end();
  for (let n = 0; n < 6; n += 1) {
    const other = (await app.waitingRequest()).request.id;
    await settle(story.on(app, other).otherAmount(`cs_${n}`)).end();
  }
  expect((await listNeeds(app.ctx, 5)).needs).toMatchObject([{ kind: 'payment', request: { id } }]);
  expect(await orderDigest(app.ctx, { actor: SCHEDULE })).toEqual({ needs: 1 });
});

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

tell([
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
    'a case is told once for each session, however often it is reported',
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

describe('of several payments that do not count', () => {
  test('all are named while the request waits, a renewal is about both, and the next one counts', async () => {
    const { app, id } = await story().linked().otherAmount('cs_1').otherAmount('cs_2').end();
    const named = 'cs_1 (US$99.00), cs_2 (US$99.00)';
    expect(await message(app, id, 'payment_case: several_payments')).toContain(named);
    await story
      .on(app, id)
      .renewed()
      .is({ needs: [] })
      .paid('newer')
      .is({ status: 'COMPLETE', needs: [] })
      .end();
  });

  test('completing by hand accepts the last one when none has the right price', async () => {
    const paid = ['cs_1', 'cs_2', 'cs_3'];
    const { app, id } = await paid
      .reduce((s, one) => s.otherAmount(one), story().linked())
      .completedByHand()
      .end();
    const refund = 'Refund cs_1 (US$99.00), cs_2 (US$99.00) at';
    expect(await message(app, id, 'payment_case: paid_twice')).toContain(refund);
  });

  test('what is reported while one is being settled is not settled unseen', async () => {
    const { app, id } = await story().linked().canceled().otherAmount('cs_first').end();
    const reported = deliverOtherAmount(app, id, 'cs_meanwhile');
    const signed = change(app.ctx, BY, (tx) =>
      openCase(tx, { kind: 'canceled_signed', subject: '1' }, ofRequest(id)),
    );
    const { settled } = await settleRequest(app.ctx, id, REFUNDED);
    await Promise.all([reported, signed]);
    expect(settled).toEqual({ payments: ['cs_first'], signature: false, term: false });

    const decided = settleRequest(app.ctx, id, REFUNDED);
    const last = deliverOtherAmount(app, id, 'cs_last');
    const late = rejection(settleRequest(app.ctx, id, REFUNDED));
    expect((await decided).settled).toEqual({ payments: ['cs_meanwhile'], signature: true, term: false });
    await last;
    expect(await late).toMatchObject({ code: 'nothing_to_settle' });
    expect(await message(app, id, 'payment_case: canceled_paid')).toContain('Refund cs_last (US$99.00) at');
  });

  test('one can be settled alone; what is unknown or settled already is refused; the case is as old as the older one', async () => {
    const { app, id } = await story().linked().canceled().otherAmount('cs_first').end();
    const [before] = await needs(app);
    await story
      .on(app, id)
      .waits(20 * DAY)
      .otherAmount('cs_second')
      .end();
    expect((await needs(app)).find(({ kind }) => kind === 'payment')?.since).toBe(before?.since);
    for (const dryRun of [true, false]) {
      const { settled } = await settleRequest(app.ctx, id, { ...REFUNDED, payments: ['cs_first'], dryRun });
      expect(settled).toEqual({ payments: ['cs_first'], signature: false, term: false });
    }
    expect(await message(app, id, 'payment_case: canceled_paid')).toContain('Refund cs_second (US$99.00) at');
    for (const what of [{ payments: ['cs_first'] }, { payments: ['cs_none'] }, { signature: true }])
      expect(await rejection(settleRequest(app.ctx, id, { ...REFUNDED, ...what }))).toMatchObject({
        code: 'nothing_to_settle',
      });
  });
});

test('a late signature and a payment of a canceled request are settled one by one, in any order, as explain advises', async () => {
  const signedAndPaid = story()
    .linked()
    .otherAmount('cs_paid')
    .canceled()
    .reopened()
    .sentNext()
    .canceled()
    .does((app, id) => deliver(app, app.contract(id).signId as string));
  const { app, id } = await signedAndPaid.end();
  const advised = (await needs(app)).map(({ next }) => commandLine(next)).toSorted();
  expect(advised).toEqual([
    `esignctl requests settle ${id} --payment cs_paid --reason "…"`,
    `esignctl requests settle ${id} --signature --reason "…"`,
  ]);
  await settle(story.on(app, id), { signature: true }).end();
  expect(await kinds(app)).toEqual(['payment']);
  await settle(story.on(app, id), { payments: ['cs_paid'] }).end();
  expect(await kinds(app)).toEqual([]);
  const { timeline } = await explain(app.ctx, String(id));
  const settled = timeline.filter(({ what }) => what === 'request.settled').map((entry) => entry.message);
  expect(settled).toEqual(['The case was settled', 'The case was settled for cs_paid']);
});

describe('a contract that may have been sent without our knowledge, and was paid before its signature is known,', () => {
  async function paidEarly() {
    const app = await startApp();
    const { id } = await app.addRequest();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(startSignature(app.ctx, id, { ...BY, pdf: await anyContractPdf() }));
    app.clock.advance(29 * DAY);
    app.sandbox.sign(app.sandbox.state().signatureRequests.at(-1)?.id as string);
    const { externalId: client_reference_id, amount: amount_total, currency } = app.contract(id);
    await deliverPayment(app, 'cs_early', { object: { client_reference_id, amount_total, currency } });
    app.clock.advance(3 * DAY);
    expect(await expireContracts(app.ctx, { actor: SCHEDULE })).toMatchObject({ expired: 0 });
    return { app, id };
  }

  test('does not expire by our clock: the check finds it signed in time, and the payment counts', async () => {
    const { app, id } = await paidEarly();
    expect(await checkAllSignatures(app.ctx, { actor: SCHEDULE })).toMatchObject({ changed: 1 });
    await app.drain();
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: 'cs_early' });
  });

  test('is not sent again by a start after its last day', async () => {
    const { app, id } = await paidEarly();
    expect(await rejection(startSignature(app.ctx, id, BY))).toMatchObject({ code: 'already_signed' });
    expect(app.sandbox.state().signatureRequests).toHaveLength(1);
  });
});
