/**
 * Money that does not complete its request (rules 2): a case until a person decides about that one, for good, and no other. Meanwhile
 * nobody is asked to pay. The price is compared whenever a session counts as paid, whoever brings the news.
 */
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
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { readDashboard } from '../../../src/core/status/dashboard.js';
import { surveyTakeover } from '../../../src/core/takeover/take-over.js';
import { listHistory } from '../../../src/db/history/history.js';
import { openActNames } from '../../support/acts.js';
import { anyContractPdf, rejection, startApp, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { NEWS } from '../../support/histories.js';
import { startSignature } from '../../support/start-signature.js';
import { BY, REASON, story, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver, deliverOtherAmount } from '../../support/webhooks.js';

const REFUNDED = { ...BY, reason: 'refunded' };
/** The customer pays one dollar instead of 120 euros. */
const CHARGED = 'linked; pays older amount=100 currency=usd';
const charged = () => story().linked().pays('older', { amount: 100, currency: 'usd' });

const told = (app: TestApp, id: number, word: string) =>
  listHistory(app.ctx.db, { requestId: id })
    .filter(({ what }) => what === word)
    .map(({ detail }) => JSON.parse(detail) as unknown);
const needs = async (app: TestApp) => (await listNeeds(app.ctx, 30)).needs;
const kinds = async (app: TestApp) => (await needs(app)).map(({ kind }) => kind);
const mailed = (app: TestApp) => app.sandbox.mails().map(({ text }) => text);
const settle = (s: Story, what: { payments?: string[]; signature?: boolean } = {}) =>
  s.does(({ ctx }, id) => settleRequest(ctx, id, { ...REFUNDED, ...what }));

// Whoever else brings the news: reconcile.test.ts.
test.each(NEWS.slice(0, 3))('another amount completes nothing, and is told once, by %s', async (_, hear) => {
  const { app, id, page } = await hear(charged()).end();
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
      const paid = story().linked().pays('older', { amount: 14_000, currency: 'usd', converted });
      const { app, id, page } = await hear(paid).drained().end();
      const received = { paymentId: page('older'), amount: 12_000, currency: 'eur' };
      expect(told(app, id, 'payment.received')).toEqual([received]);
      expect(mailed(app).join('\n')).not.toContain('$');
    }
  },
);

test('explain and the reply to the customer say it before anybody here knows', async () => {
  const { app, id } = await charged().end();
  expect((await explain(app.ctx, String(id))).findings[0]).toMatchObject({
    cause: 'other_price_there',
    message: expect.stringContaining('paid, but US$1.00 instead of €120.00') as unknown,
    next: command('payments check', id),
  });
  expect(await replyAbout(app.ctx, app.request(id))).toContain('does not match what we expected');
});

test('renewing after a refund says in the time line that it settled the case, and every entry can be followed by its reason', async () => {
  const { app, id, page } = await charged().hears('older').checked({}).end();
  await renewPaymentSession(app.ctx, id, REFUNDED);
  const { timeline } = await explain(app.ctx, String(id), { offline: true });
  const settled = `New payment link requested; the case was settled for ${page('older')}`;
  expect(timeline).toContainEqual(expect.objectContaining({ message: settled, note: 'refunded' }));
  expect(timeline.filter((entry) => entry.message.endsWith('.'))).toEqual([]);
});

function says(s: Story, cause: string, ...text: string[]): Story {
  return s.does(async ({ ctx }, id) => {
    const { findings } = await explain(ctx, String(id));
    const said = adviceText(findings.find((one) => one.cause === cause)?.message ?? '');
    expect(said).toContain(text.join(' ').replace('{older}', s.page('older')));
  });
}

const words: Words = {
  offers: (s, ...acts) =>
    s.does((app, id) => expect(openActNames(app.ctx, app.request(id))).toEqual(expect.arrayContaining(acts))),
  offersNot: (s, act) =>
    s.does((app, id) => expect(openActNames(app.ctx, app.request(id))).not.toContain(act)),
  isOnDashboard: (s) =>
    s.does((app, id) =>
      expect(readDashboard(app.ctx).waitingPayment.map(({ request }) => request.id)).toEqual([id]),
    ),
  /** The command that the finding advises. */
  advises: (s, name) =>
    s.does(async ({ ctx }, id) => {
      const { findings } = await explain(ctx, String(id));
      expect(findings.find(({ key }) => key !== 'daemon_down')?.next?.name).toBe(name.replace('.', ' '));
    }),
  says,
  hearsNoAmount: (s) =>
    s
      .hears('older', { object: { amount_total: undefined } })
      .drained()
      .does((app) => expect(mailed(app).at(-1)).toContain('Paid: unknown')),
  surveyTells: (s, key) =>
    s.does(async ({ ctx }) =>
      expect((await surveyTakeover(ctx, BY))?.plan.payments).toMatchObject([{ key }]),
    ),
  /** Who renews without a reason is told to give one. */
  asksForReason: (s) =>
    s.does(async ({ ctx }, id) => {
      const decide = { ...command('payments renew', id), options: ['--reason', '…'] };
      const hint = expect.arrayContaining([decide]) as unknown;
      expect(await rejection(renewPaymentSession(ctx, id, BY))).toMatchObject({ code: 'already_paid', hint });
    }),
  isRenewedFor: (s, payment) =>
    s.does((app, id) =>
      expect(told(app, id, 'payment.renewed')).toMatchObject([
        { payments: [payment], reason: REASON.reason },
      ]),
    ),
  isPaidOn: (s, day) =>
    s.does(({ ctx }) =>
      expect(ctx.db.raw.prepare('SELECT date(paidAt) FROM payments').pluck().all()).toEqual([day]),
    ),
  decided: (s, decision) =>
    s.does(({ ctx }) =>
      expect(ctx.db.raw.prepare('SELECT decision FROM cases').pluck().all()).toEqual([decision]),
    ),
  needNames: (s, page) => s.does(async (app) => expect((await needs(app))[0]?.what).toContain(s.page(page))),
  /** Which of the mails with a signed contract announce a link to pay. */
  announces: (s, ...links) =>
    s.does((app) => {
      const signed = app.sandbox.state().mails.filter(({ subject }) => subject.includes('Your signed'));
      expect(signed.map(({ text }) => String(text.includes('link to the payment page')))).toEqual(links);
    }),
  linksOfContracts: (s, ...contracts) =>
    s.does(({ ctx }) => {
      const sql = "SELECT contractId FROM sentMails WHERE mail = 'payment-link' ORDER BY id";
      expect(ctx.db.raw.prepare(sql).pluck().all()).toEqual(contracts);
    }),
};

/** Another amount was paid beside the page. */
const OTHER = 'linked; otherAmount; drained → findings payment_case: other_price';
const HELD_BACK = `completed; fault smtp:451; drained; fault payment.expire:500; otherAmount; waits 1h
    noFaults; fault payment.expire:500; waits 1h; drained; waits 1h; drained; waits 1h; drained → sent payment-link 0`;

table(
  `
  an amount that the provider does not say is not the price
    ${CHARGED}; hearsNoAmount; checked → WAITING_PAYMENT; payments case
  money that came before its signature is no open case any more once it counts
    sent; early; signed; drained; decided overtaken → COMPLETE; needs none; mails payment-link 0
    hears cs_early → told payment.received 1
  it stays of the day on which it came
    sent; early; waits 1d; signed; early; isPaidOn 2026-03-02 → COMPLETE; payments paid
  another amount that was paid for a complete request is a second payment
    linked; paid older; otherAmount → COMPLETE; findings has payment_case: paid_twice
  a takeover tells of another amount and completes nothing
    linked; backedUp; pays older amount=100 currency=usd; moved; surveyTells other_price; takenOver
    → WAITING_PAYMENT; findings has payment_case: other_price
  a new link is refused until somebody decides, and the refusal says how
    ${CHARGED}; asksForReason; asksForReason; renewed → link payment_page newer; sessions complete open
  settled while its request waits, it needs nobody, and the request waits for its customer again
    ${CHARGED}; hears older; settled; isOnDashboard; offers renew-payment remind complete cancel
    refuses settle nothing_to_settle explain → needs none; findings payment_over: settled; link payment_page newer
    hears older → WAITING_PAYMENT
    pays newer → link paid; COMPLETE; told payment.received 1
  settled, it lets the customer who was never given a link have one
    sent; otherAmount; signed; drained → mails payment-link 0
    settled; drained → mails payment-link 1; findings waiting_for_payment
  unless the request was canceled meanwhile
    sent; otherAmount; signed; drained; canceled; settled → jobs completed
    drained → mails payment-link 0
  it stays a case after a restore that has forgotten the decision and the page that was made then
    linked; otherAmount; drained; backedUp; renewed; drained; waits 1h; restored
    checked key=old_session_paid; drained → mails payment-link 1
    renewed → mails payment-link 2
  completing by hand stops when a payment is reported while the page is asked about
    linked; meanwhile getSession: otherAmount; refuses complete already_paid → findings payment_case: other_price
  or while it is closed: the person does not know of it
    linked; meanwhile expireSession: otherAmount; refuses complete already_paid → findings payment_case: other_price
  or just before that is written, when only another one was known
    linked; otherAmount; drained; underLock: otherAmount cs_another; refuses complete in_progress
    → WAITING_PAYMENT; payments over case case
  money of which we hear just before that is written is waited for
    ${OTHER}
    underLock: early paymentStatus=unpaid; refuses complete payment_pending → WAITING_PAYMENT
  who has paid has completed the request, although another page cannot be closed
    twoOpen; pays newer; fault payment.expire:500; completedByHand → COMPLETE; told payment.received 1
  money that nobody waits for prevents nothing while the provider cannot be asked
    linked; pending older; givenUp; fault payment.get:503; completedByHand → COMPLETE; payments given_up
  before the signature of the next contract, money for it is no money for the first
    sent; canceled; reopened; sentNext; early → findings has payment_case: paid_unsigned
  the mail of a new page is held back while a payment is undecided; the page that is made then is mailed
    linked; promises older; givenUp; renewed; otherAmount; drained → sent payment-link 1
    renewed; drained → sent payment-link 2
  a first link that was held back is mailed once by settling, also when its page could not be closed
    ${HELD_BACK}
    settled; drained → sessions open; sent payment-link 1
  and by a renewal
    ${HELD_BACK}
    renewed; drained → sessions open; sent payment-link 1
  a reminder is dropped: after the decision only the new link leaves
    linked; waits 2h; reminded; otherAmount; drained; renewed; drained
    → sent payment-link 2 payment-reminder 0
  the link to pay looks again after the provider’s answer
    linked; meanwhile getSession: otherAmount → link in_review
  and leads nowhere when the request is canceled meanwhile
    linked; meanwhile getSession: canceled → link unknown
  a payment that does not count closes the page beside it: nobody is asked to pay until a person has decided
    ${OTHER}
    offers renew-payment complete cancel settle; offersNot remind → sessions expired; not shown; link in_review
  a renewal with a reason asks again, and the history names what it was about
    ${OTHER}
    renewed → link payment_page newer; names newer
    drained; offers remind; offersNot renew-payment; isRenewedFor cs_other
    → findings waiting_for_payment; sessions expired open
  a case is told once for each session, however often it is reported
    linked; otherAmount; otherAmount; otherAmount cs_another; otherAmount cs_another
    → told payment.other_price 2; mails payment-trouble 2
  it stays a case when a check finds a forgotten page, which is closed and not mailed
    ${OTHER}
    another; checked key=old_session_paid changed=true; drained
    → sessions expired expired; findings payment_case: other_price; mails payment-link 1
  nobody is thanked for it when the new page could not be made yet; the link makes one later
    ${OTHER}
    fault payment.create:500:9; refuses renew payment_creation_failed → link unavailable
    noFaults; waits 1h; drained → link payment_page newer
  of several payments that do not count all are named, a renewal is about all, and the next one counts
    linked; otherAmount cs_1; otherAmount cs_2; says several_payments cs_1 (US$99.00), cs_2 (US$99.00)
    renewed → needs none
    paid newer → COMPLETE; needs none
  completing by hand accepts the last of them when none has the right price
    linked; otherAmount cs_1; otherAmount cs_2; otherAmount cs_3; completedByHand
    says paid_twice Refund cs_1 (US$99.00), cs_2 (US$99.00) at → COMPLETE
  or else the one of the price, not another amount that came later, as explain says
    linked; canceled; hears older; reopened; signedNext; otherAmount cs_later
    says several_payments accepts {older}; completedByHand
    says paid_twice Refund cs_later (US$99.00) at → COMPLETE`,
  { words },
);

for (const [who, pends] of [
  ['only the provider knows', 'promises'],
  ['we know', 'pending'],
])
  table(
    `
  nobody decides, it is waited for, and once the bank has refused it the case is open
    linked; ${pends} older; otherAmount → findings has payment_undecided
    advises payments.check; refuses renew payment_pending; refuses complete payment_pending
    refuses cancel payment_pending → needs none
    refused older; advises payments.renew → WAITING_PAYMENT
  it completes the request when it arrives, and the other is a second payment
    linked; ${pends} older; otherAmount; arrives older
    hears older type=checkout.session.async_payment_succeeded
    → COMPLETE; names older; findings has payment_case: paid_twice
  a person can give it up, and then decide
    linked; ${pends} older; otherAmount; givenUp; advises payments.renew; completedByHand → needs none`,
    { of: `as ${who}, other money is on its way beside a payment that does not count: `, words },
  );

/** Before the request was canceled another amount was paid, or the price afterwards. */
for (const [when, reopened, cause, payment, next] of [
  ['before', 'linked; otherAmount; canceled; reopened', 'other_price', 'cs_other', 'payments renew'],
  ['after', 'linked; canceled; hears older; reopened', 'old_session_paid', 'older', 'requests complete'],
]) {
  const again = `${reopened} → findings has payment_case: earlier_contract_paid + not_started
    signedNext`;
  table(
    `
  the customer is not asked to pay for the next contract
    ${again}; announces true false
    → WAITING_PAYMENT; not shown; findings payment_case: ${cause}; needs payment: ${next}
  it needs the office at once; after a refund, settling ends the case, and the next contract is to be paid
    ${reopened} → needs payment: requests settle
    needNames ${payment}; offers settle; settled → needs none; findings lacks payment_case: earlier_contract_paid
    offersNot settle; signedNext; linksOfContracts 1 2 → findings waiting_for_payment
  completing by hand accepts it
    ${again}; completedByHand → findings finished: complete; needs none
  after a refund, a renewal with a reason asks the customer
    ${again}; renewed; drained; linksOfContracts 1 2 → findings waiting_for_payment; needs none
  when it is canceled again, the payment is a case until somebody settles it
    ${again}; canceled → findings payment_case: canceled_paid + finished: canceled
    settled → findings finished: canceled`,
    {
      of: `money that came ${when} its request was canceled is not forgotten when the request is reopened: `,
      words,
    },
  );
}

test('todo and the daily mail find an open case although many newer ones have been settled', async () => {
  const { app, id } = await story().linked().otherAmount().end();
  for (let n = 0; n < 6; n += 1) {
    const other = (await app.waitingRequest()).request.id;
    await settle(story.on(app, other).otherAmount(`cs_${n}`)).end();
  }
  expect((await listNeeds(app.ctx, 5)).needs).toMatchObject([{ kind: 'payment', request: { id } }]);
  expect(await orderDigest(app.ctx, { actor: SCHEDULE })).toEqual({ needs: 1 });
});

test('after a reopening, the customer has no link to pay until one for the new contract is mailed', async () => {
  const { app, id } = await story().linked().end();
  const token = () => app.request(id).payToken;
  const before = token();
  const later = story.on(app, id).canceled().reopened().sentNext().fault('payment.create:500:9');
  await later.signedInVain().end();
  expect(token()).toBeNull();
  await later
    .noFaults()
    .replayed()
    .is({ mails: { 'payment-link': 2 }, findings: ['waiting_for_payment'] })
    .end();
  expect(token()).not.toBe(before);
});

describe('of several payments of a canceled request', () => {
  const isSettled = (payments: string[], signature = false) => ({ payments, signature, term: false });

  test('what is reported while one is being settled is not settled unseen', async () => {
    const { app, id } = await story().linked().canceled().otherAmount('cs_first').end();
    const reported = deliverOtherAmount(app, id, 'cs_meanwhile');
    const signed = change(app.ctx, BY, (tx) =>
      openCase(tx, { kind: 'canceled_signed', subject: '1' }, ofRequest(id)),
    );
    const { settled } = await settleRequest(app.ctx, id, REFUNDED);
    await Promise.all([reported, signed]);
    expect(settled).toEqual(isSettled(['cs_first']));

    const decided = settleRequest(app.ctx, id, REFUNDED);
    const last = deliverOtherAmount(app, id, 'cs_last');
    const late = rejection(settleRequest(app.ctx, id, REFUNDED));
    expect((await decided).settled).toEqual(isSettled(['cs_meanwhile'], true));
    await last;
    expect(await late).toMatchObject({ code: 'nothing_to_settle' });
    await says(story.on(app, id), 'canceled_paid', 'Refund cs_last (US$99.00) at').end();
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
      expect(settled).toEqual(isSettled(['cs_first']));
    }
    await says(story.on(app, id), 'canceled_paid', 'Refund cs_second (US$99.00) at').end();
    for (const what of [{ payments: ['cs_first'] }, { payments: ['cs_none'] }, { signature: true }])
      expect(await rejection(settleRequest(app.ctx, id, { ...REFUNDED, ...what }))).toMatchObject({
        code: 'nothing_to_settle',
      });
  });
});

test('a late signature and a payment of a canceled request are settled one by one, in any order, as explain advises', async () => {
  const { app, id } = await story()
    .linked()
    .otherAmount('cs_paid')
    .canceled()
    .reopened()
    .sentNext()
    .canceled()
    .does((app, id) => deliver(app, app.contract(id).signId as string))
    .end();
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

test('a contract that may have been sent without our knowledge, and was paid before its signature is known, does not expire by our clock, nor is it sent again: the check finds it signed in time, and the payment counts', async () => {
  const app = await startApp();
  const { id } = await app.addRequest();
  app.sandbox.faults.add('signature.activate:answer_lost:1');
  await rejection(startSignature(app.ctx, id, { ...BY, pdf: await anyContractPdf() }));
  app.clock.advance(29 * DAY);
  app.sandbox.sign(app.sandbox.state().signatureRequests.at(-1)?.id as string);
  await story
    .on(app, id)
    .early()
    .waits(3 * DAY)
    .end();
  expect(await expireContracts(app.ctx, { actor: SCHEDULE })).toMatchObject({ expired: 0 });
  expect(await rejection(startSignature(app.ctx, id, BY))).toMatchObject({ code: 'already_signed' });
  expect(app.sandbox.state().signatureRequests).toHaveLength(1);

  await checkAllSignatures(app.ctx, { actor: SCHEDULE });
  await story.on(app, id).drained().is({ status: 'COMPLETE', names: 'cs_early' }).end();
});
