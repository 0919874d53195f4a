/** A payment that does not count is decided by a person (rules 2): that one, for good, and no other. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { openCase } from '../../../src/core/cases/cases.js';
import { change } from '../../../src/core/change.js';
import { adviceText, commandLine } from '../../../src/core/commands.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { ofRequest } from '../../../src/core/history/history.js';
import { orderDigest } from '../../../src/core/needs/digest.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { followPayLink } from '../../../src/core/payment/follow-pay-link.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { findingName } from '../../support/finding-names.js';
import { startSignature } from '../../support/start-signature.js';
import { listSentMails } from '../../../src/db/mail/sent-mails.js';
import { anyContractPdf, rejection, startApp, type TestApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { BY, REASON, REFUSED, sessions, twoOpen } from '../../support/two-pages.js';
import { completedApp, deliver, deliverOtherAmount, deliverPayment } from '../../support/webhooks.js';
import { linked, renewDespitePending } from '../../support/payments.js';

const REFUNDED = { ...BY, reason: 'refunded' };

const needs = async (app: TestApp) => (await listNeeds(app.ctx, 30)).needs;
const sent = (app: TestApp, id: number) =>
  listSentMails(app.ctx.db, { requestId: id }).map(({ mail }) => mail);
const message = async (app: TestApp, id: number, finding: string) =>
  adviceText(
    (await explain(app.ctx, String(id))).findings.find((one) => findingName(one) === finding)?.message ?? '',
  );

/** Sent and signed without our knowledge, and paid before that is known. */
async function paidBeforeItsSignatureIsKnown() {
  const app = await startApp();
  const { id } = await app.addRequest();
  app.sandbox.faults.add('signature.activate:answer_lost:1');
  await rejection(startSignature(app.ctx, id, { ...BY, pdf: await anyContractPdf() }));
  const signId = app.sandbox.state().signatureRequests.at(-1)?.id as string;
  app.clock.advance(29 * DAY);
  app.sandbox.sign(signId);
  const { externalId: client_reference_id, amount: amount_total, currency } = app.contract(id);
  const object = { client_reference_id, amount_total, currency };
  await deliverPayment(app, 'cs_early', { object });
  return { app, id, signId };
}

describe('a contract that may have been sent without our knowledge', () => {
  test('does not expire by our clock: the check finds it signed in time, and the payment counts', async () => {
    const { app, id } = await paidBeforeItsSignatureIsKnown();
    app.clock.advance(3 * DAY);
    expect(await expireContracts(app.ctx, { actor: SCHEDULE })).toMatchObject({ expired: 0 });
    expect(await checkAllSignatures(app.ctx, { actor: SCHEDULE })).toMatchObject({ changed: 1 });
    await app.drain();
    expect(app.request(id)).toMatchObject({ status: 'COMPLETE', paymentId: 'cs_early' });
  });

  test('and a start after its last day sends no second contract', async () => {
    const { app, id } = await paidBeforeItsSignatureIsKnown();
    app.clock.advance(3 * DAY);
    await expireContracts(app.ctx, { actor: SCHEDULE });
    expect(await rejection(startSignature(app.ctx, id, BY))).toMatchObject({ code: 'already_signed' });
    expect(app.sandbox.state().signatureRequests).toHaveLength(1);
  });
});

describe('of two payments that do not count', () => {
  test('both are named while the request waits, a renewal is about both, and the next one counts', async () => {
    const { app, id } = await linked();
    for (const paymentId of ['cs_1', 'cs_2']) await deliverOtherAmount(app, id, paymentId);
    expect(await message(app, id, 'payment_case: several_payments')).toContain(
      `cs_1 (US$99.00), cs_2 (US$99.00)`,
    );
    const made = await renewPaymentSession(app.ctx, id, REFUNDED);
    expect(await needs(app)).toEqual([]);
    app.sandbox.pay(made?.paymentId as string);
    await deliverPayment(app, made?.paymentId as string);
    expect(app.request(id).status).toBe('COMPLETE');
    expect(await needs(app)).toEqual([]);
  });

  test('completing by hand accepts the last one when none has the right price', async () => {
    const { app, id } = await linked();
    for (const paymentId of ['cs_1', 'cs_2', 'cs_3']) await deliverOtherAmount(app, id, paymentId);
    await completeRequest(app.ctx, id, REASON);
    expect(await message(app, id, 'payment_case: paid_twice')).toContain(
      'Refund cs_1 (US$99.00), cs_2 (US$99.00) at',
    );
  });

  test('what is reported while one is being settled is not settled unseen', async () => {
    const { app, id } = await linked();
    await cancelRequest(app.ctx, id, REASON);
    await deliverOtherAmount(app, id, 'cs_first');
    const reported = deliverOtherAmount(app, id, 'cs_meanwhile');
    const signed = change(app.ctx, BY, (tx) =>
      openCase(tx, { kind: 'canceled_signed', subject: '1' }, ofRequest(id)),
    );
    const { settled } = await settleRequest(app.ctx, id, REFUNDED);
    await Promise.all([reported, signed]);
    expect(settled).toEqual({ payments: ['cs_first'], signature: false });

    const decided = settleRequest(app.ctx, id, REFUNDED);
    const last = deliverOtherAmount(app, id, 'cs_last');
    const late = rejection(settleRequest(app.ctx, id, REFUNDED));
    expect((await decided).settled).toEqual({ payments: ['cs_meanwhile'], signature: true });
    await last;
    expect(await late).toMatchObject({ code: 'nothing_to_settle' });
    expect(await message(app, id, 'payment_case: canceled_paid')).toContain('Refund cs_last (US$99.00) at');
  });

  test('one can be settled alone; what is unknown or settled already is refused', async () => {
    const { app, id } = await linked();
    await cancelRequest(app.ctx, id, REASON);
    await deliverOtherAmount(app, id, 'cs_first');
    await deliverOtherAmount(app, id, 'cs_second');
    const only = { ...REFUNDED, payments: ['cs_first'] };
    for (const dryRun of [true, false]) {
      const { settled } = await settleRequest(app.ctx, id, { ...only, dryRun });
      expect(settled).toEqual({ payments: ['cs_first'], signature: false });
    }
    expect(await message(app, id, 'payment_case: canceled_paid')).toContain('Refund cs_second (US$99.00) at');
    for (const what of [{ payments: ['cs_first'] }, { payments: ['cs_none'] }, { signature: true }])
      expect(await rejection(settleRequest(app.ctx, id, { ...REFUNDED, ...what }))).toMatchObject({
        code: 'nothing_to_settle',
      });
  });

  test('the case is as old as the older one', async () => {
    const { app, id } = await linked();
    await cancelRequest(app.ctx, id, REASON);
    await deliverOtherAmount(app, id, 'cs_first');
    const [before] = await needs(app);
    app.clock.advance(20 * DAY);
    await deliverOtherAmount(app, id, 'cs_second');
    expect((await needs(app)).find(({ kind }) => kind === 'payment')?.since).toBe(before?.since);
  });
});

describe('a late signature and a payment of a canceled request', () => {
  async function signedAndPaid() {
    const { app, id } = await linked();
    await deliverOtherAmount(app, id, 'cs_paid');
    await cancelRequest(app.ctx, id, REASON);
    await reopenRequest(app.ctx, id, REASON);
    const { signId } = await startSignature(app.ctx, id, BY);
    await cancelRequest(app.ctx, id, REASON);
    await deliver(app, signId as string);
    return { app, id };
  }
  const kinds = async (app: TestApp) => (await needs(app)).map(({ kind }) => kind);

  test('are settled one by one, as explain advises', async () => {
    const { app, id } = await signedAndPaid();
    expect((await needs(app)).map(({ next }) => commandLine(next)).toSorted()).toEqual([
      `esignctl requests settle ${id} --payment cs_paid --reason "…"`,
      `esignctl requests settle ${id} --signature --reason "…"`,
    ]);
    await settleRequest(app.ctx, id, { ...BY, reason: 'called', signature: true });
    expect(await kinds(app)).toEqual(['payment']);
    await settleRequest(app.ctx, id, { ...REFUNDED, payments: ['cs_paid'] });
    expect(await kinds(app)).toEqual([]);
    const told = (await explain(app.ctx, String(id))).timeline.filter(
      ({ what }) => what === 'request.settled',
    );
    expect(told.map(({ message }) => message)).toEqual([
      'The case was settled',
      'The case was settled for cs_paid',
    ]);
  });

  test('stay apart when the payment is settled first', async () => {
    const { app, id } = await signedAndPaid();
    await settleRequest(app.ctx, id, { ...REFUNDED, payments: ['cs_paid'] });
    expect(await kinds(app)).toEqual(['signed_elsewhere']);
  });
});

describe('while a payment is undecided', () => {
  test('the mail of a new page is held back; the page that is made after the decision is mailed', async () => {
    const { app, id, paymentId } = await linked();
    app.sandbox.pay(paymentId, { async: true });
    await renewDespitePending(app.ctx, id);
    await deliverOtherAmount(app, id);
    await app.drain();
    const links = () => sent(app, id).filter((mail) => mail === 'payment-link').length;
    expect(links()).toBe(1);
    await renewPaymentSession(app.ctx, id, REFUNDED);
    await app.drain();
    expect(links()).toBe(2);
  });

  test.each([
    ['settling', settleRequest],
    ['renewing', renewPaymentSession],
  ])(
    'a first link that was held back is mailed once by %s, also when its page could not be closed',
    async (_, decide) => {
      const { app, waiting } = await completedApp();
      const { id } = waiting.request;
      app.sandbox.faults.add('smtp:451');
      await app.drain();
      app.sandbox.faults.add('payment.expire:500');
      await deliverOtherAmount(app, id);
      app.clock.advance(HOUR);
      app.sandbox.faults.clear();
      app.sandbox.faults.add('payment.expire:500');
      for (let n = 0; n < 4; n += 1) {
        app.clock.advance(HOUR);
        await app.drain();
      }
      expect(sent(app, id)).not.toContain('payment-link');

      await decide(app.ctx, id, REFUNDED);
      await app.drain();

      expect(sessions(app)).toMatchObject([{ status: 'open' }]);
      expect(sent(app, id).filter((mail) => mail === 'payment-link')).toHaveLength(1);
    },
  );

  test('a reminder is dropped: after the decision only the new link leaves', async () => {
    const { app, id } = await linked();
    app.clock.advance(2 * HOUR);
    await remindRequest(app.ctx, id, BY);
    await deliverOtherAmount(app, id);
    await app.drain();
    await renewPaymentSession(app.ctx, id, REFUNDED);
    await app.drain();
    expect(sent(app, id).filter((mail) => /link|reminder/.test(mail))).toEqual([
      'payment-link',
      'payment-link',
    ]);
  });

  test('the link to pay looks again after the provider’s answer', async () => {
    const { app, id } = await linked();
    app.sandbox.faults.add({
      target: 'payment',
      operation: 'get',
      kind: 'answer_late',
      delayMs: 300,
      times: 1,
    });
    const asked = () => app.sandbox.state().counters.calls['payment.get'] ?? 0;
    const before = asked();
    const following = followPayLink(app.ctx, app.request(id).payToken as string);
    while (asked() === before) await turn();
    await deliverOtherAmount(app, id);
    expect(await following).toEqual({ place: 'in_review' });
  });
});

test('the daily mail is ordered although 121 newer events of one request need nobody', async () => {
  const { app } = await twoOpen();
  const other = await app.waitingRequest();
  for (const { id } of sessions(app)) app.sandbox.expireSession(id);
  for (const { id } of sessions(app)) await deliverPayment(app, id, REFUSED);
  const insert = app.ctx.db.raw.prepare(
    "INSERT INTO history (at, actor, what, requestId, contractId, detail) VALUES ('2026-03-02', 'webhook', 'payment.failed', ?, ?, '{}')",
  );
  for (let n = 0; n < 121; n += 1) insert.run(other.request.id, other.contract.id);
  expect(await orderDigest(app.ctx, { actor: SCHEDULE })).toEqual({ needs: 1 });
});
