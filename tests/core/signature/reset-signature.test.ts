/** Reset of a signature (rules 2): the provider is asked first, and whatever stops half-way is resumed, never doubled. */
import { expect, test } from 'vitest';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { iso } from '../../../src/core/clock.js';
import { putPayment } from '../../../src/db/payments/payments.js';
import { setPaymentLink } from '../../../src/db/requests/requests.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import { rejection, startApp, type TestApp } from '../../support/app.js';
import { BY, story, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

const words: Words = {
  /** The webhook of the contract before the reset. */
  oldDelivers: (s, status, name) =>
    s.does(async (app, id) =>
      expect(await deliver(app, oldest(app, id), name ? { name: `signature_request.${name}` } : {})).toBe(
        status,
      ),
    ),
  oldIsElses: (s, status) =>
    s.does(async (app, id) =>
      expect(await deliver(app, oldest(app, id), { signature: { external_id: 'another' } })).toBe(status),
    ),
  newOneIsSent: (s) =>
    s.does((app, id) => {
      const [old, made] = app.sandbox.state().signatureRequests;
      const contract = app.contract(id);
      expect(old).toMatchObject({ cancel_reason: 'contractualization_aborted' });
      expect(made).toMatchObject({ id: contract.signId, external_id: contract.externalId });
      expect(contract.signUrl).toContain('/sign/');
      expect(app.history(id).slice(-3)).toEqual(['contract.ended', 'contract.created', 'contract.sent']);
      expect(app.jobs()).toEqual([]);
    }),
  cancelIsRejected: (s) =>
    s.does(({ ctx }) => {
      ctx.provider.cancel = () => Promise.reject(new ProviderError('rejected', 'not now'));
    }),
  saysWhyNot: (s) => s.refuses(resetSignature, { message: expect.stringContaining('Not now') as unknown }),
  /** Made before the last day was one day for both. */
  toTheMinute: (s) => s.sql("UPDATE contracts SET expiredAt = '2026-04-01T09:14:07.250Z'"),
  expiring: (s) => s.does(({ ctx }) => expireContracts(ctx, BY)),
  resetTwiceAtOnce: (s) =>
    s.does(async ({ ctx }, id) => {
      const both = [resetSignature(ctx, id, BY), resetSignature(ctx, id, BY)];
      const lost = (await Promise.allSettled(both)).filter(({ status }) => status === 'rejected');
      expect(lost).toMatchObject([{ reason: { code: 'in_progress' } }]);
    }),
  resetsOnlyTheFirst: (s) => s.by((ctx, id) => resetSignature(ctx, id, { ...BY, contractId: 1 })),
  refusesOnlyTheFirst: (s, code) =>
    s.refuses((ctx, id) => resetSignature(ctx, id, { ...BY, contractId: 1 }), { kind: 'refused', code }),
  officeKnowsOfOld: (s) =>
    s.does(async (app, id) => {
      const mail = app.sandbox.mails().find(({ subject }) => subject.includes('replaced contract'));
      const { id: current } = app.contract(id);
      expect(mail?.text).toContain(`esignctl contracts show ${current}`);
      app.ctx.db.raw.exec('DELETE FROM inbox');
      const { findings, timeline } = await explain(app.ctx, String(id));
      expect(findings.map(({ key }) => key)).toContain('signature_case');
      const entry = timeline.find(({ what }) => what === 'contract.replaced_signed');
      expect(entry?.message).toContain(`which contract ${current} has replaced`);
    }),
  isCalled: (s, name) =>
    s.sql(
      name === 'unprintable'
        ? "UPDATE requests SET description = 'Fix \u{12000} it'"
        : "UPDATE users SET lastName = 'Love & Co'",
    ),
};
const oldest = (app: TestApp, id: number) =>
  app.ctx.db.raw
    .prepare('SELECT signId FROM contracts WHERE requestId = ? ORDER BY id')
    .pluck()
    .get(id) as string;

/** A new contract is with the customer; the old one was taken out of their hands, or had ended so. */
const REPLACED =
  'WAITING_SIGNATURE; contracts EXPIRED PENDING; documents canceled ongoing; mails contract-ended 0';
const KEPT = 'WAITING_SIGNATURE; contracts PENDING; documents ongoing';

table(
  `
  ongoing: cancelled there, closed here, and a new contract of a later day is sent; the office knows of it
    sent; waits 1d; reset; newOneIsSent → ${REPLACED}; contract expiredAt=2026-04-02T23:59:59.000Z
  done: already_signed, nothing changed, and the check completes it
    sent; signs; unchanged: refuses reset already_signed check-signature; checksSignature type=success
    → contracts SIGNED; documents done
  done too late to count: a new contract is sent, so that the case has a way on
    sent; signs 2026-04-02T00:00:00Z; waits 31d; checksSignature words=check_signature_late; reset
    → contracts EXPIRED PENDING; documents done ongoing
  signed between our question and the cancelling: it counts
    sent; before cancel: signs; refuses reset already_signed → contracts PENDING; documents done
  declined between our question and the cancelling: a new contract is sent
    sent; before cancel: there declined; reset → contracts EXPIRED PENDING; documents declined ongoing
  not cancelled, and still ongoing when asked again: nothing is changed, and the reason is told
    sent; cancelIsRejected; unchanged: saysWhyNot → ${KEPT}
  declined: nothing is cancelled, a new contract is sent
    sent; there declined; reset
    → contracts EXPIRED PENDING; documents declined ongoing; calls signature.cancel 0
  unknown there: nothing is cancelled, a new contract is sent
    sent; there gone; reset → contracts EXPIRED PENDING; documents ongoing; calls signature.cancel 0
  a contract that is over here is cancelled there all the same
    sent; toTheMinute; at 2026-04-01T20:00:00.000Z; expiring; reset → ${REPLACED}
  stopped while asking, nothing has changed, and the next one does it
    sent; fault signature.get:500; unchanged: refuses reset provider_unavailable; noFaults; reset → ${REPLACED}
  so it is when it is stopped while cancelling
    sent; fault signature.cancel:reset; unchanged: refuses reset provider_unavailable; noFaults; reset → ${REPLACED}
  a cancelling that got through unheard is not done again by the next one
    sent; fault signature.cancel:answer_lost:1; refuses reset provider_unavailable → contracts PENDING
    reset → ${REPLACED}; calls signature.cancel 1
  stopped after the cancelling, it is resumed: one new contract, one new document
    sent; fault signature.create:500:1; refuses reset provider_unavailable
    → contracts EXPIRED PENDING; contract signUrl=nothing
    reset → ${REPLACED}
  so it is when it is stopped after the sending
    sent; fault signature.activate:answer_lost:1; refuses reset provider_unavailable; reset → ${REPLACED}
  one whose new contract has passed its date before it was sent starts over
    sent; fault signature.create:500:1; refuses reset provider_unavailable; waits 31d; reset
    → contracts EXPIRED EXPIRED PENDING; contract expiredAt=2026-05-02T23:59:59.000Z
  two at once make one new contract
    sent; resetTwiceAtOnce → ${REPLACED}
  a signature of the old contract answers 422 and is reported to the office once, however often it comes
    sent; reset; oldDelivers 422; oldDelivers 422; drained; officeKnowsOfOld
    → ${REPLACED}; told contract.replaced_signed 1; ordered replaced-signed
  nor does it go unsaid when the new contract was signed before
    sent; reset; signed; oldDelivers 422 → WAITING_PAYMENT; told contract.replaced_signed 1
  somebody else’s document of the old number alarms nobody, nor does the provider’s word of our own cancelling
    sent; reset; oldIsElses 422; oldDelivers 200 canceled
    → ${REPLACED}; told contract.replaced_signed 0; work send-mail none
  nor does “canceled” when it comes before the reset has gone on
    sent; before cancel: delivers 200 canceled; reset → ${REPLACED}; work send-mail none
  nor does “deleted” when it comes before the reset has gone on
    sent; before cancel: delivers 200 deleted; reset → ${REPLACED}; work send-mail none
  refused for a request that is signed, before a provider is asked
    linked; unasked: refuses reset not_waiting_signature → documents done; sessions open
  refused for another contract than the one that was to be replaced
    sent; resetsOnlyTheFirst; refusesOnlyTheFirst already_reset → ${REPLACED}
  refused on restored data that are held, also when nothing is left to cancel there; a dry run still answers
    sent; held; refuses reset held → documents ongoing
    there declined; unchanged: refuses reset held, previews reset → contracts PENDING
  refused for a name that the provider will not accept, and words that cannot be printed
    sent; isCalled unprintable; refuses reset unprintable_words; isCalled odd; refuses reset invalid_signer_name
    → ${KEPT}
  refused as a dry run says, which changes nothing
    sent; unchanged: previews reset → ${KEPT}
    signs; refusesPreview reset already_signed → contracts PENDING`,
  { words },
);

test('a signature of the old contract is answered as a repeat as long as the request is signed', async () => {
  const s = story({ env: { ESIGN_WEBHOOK_REPEAT_STATUS: '200' } })
    .sent()
    .reset()
    .signed();
  for (const [status, answer] of [
    ['WAITING_PAYMENT', 200],
    ['COMPLETE', 200],
    ['CANCELED', 422],
  ] as const)
    s.sql(`UPDATE requests SET status = '${status}'`).does(async (app, id) =>
      expect(await deliver(app, oldest(app, id))).toBe(answer),
    );
  await s.end();
});

test('the new contract is drawn by us, and those who follow the request are told', async () => {
  const { app, id } = await story().sent().end();
  const { ownerId } = app.request(id);
  const hook = { url: 'https://a.example/x', event: 'request.updated', secret: 's' } as const;
  await app.ctx.writer.write((db) => insertWebhook(db, { ...hook, ownerId, now: iso(app.clock.now()) }));
  expect(app.contract(id).ownPdf).toBe(1);
  expect((await resetSignature(app.ctx, id, BY)).ownPdf).toBe(0);
  expect(app.jobs('deliver-webhook').length).toBeGreaterThan(0);
});

/** As a request that went back to its signature has it. */
const payable = (s: Story) =>
  s.sent().does(async (app, id) => {
    const { request, contract, owner } = app.waiting(id);
    const { amount, currency } = contract;
    const { paymentId, paymentUrl } = await app.ctx.payment.createSession(
      {
        clientReference: contract.externalId,
        requestId: id,
        contractId: contract.id,
        reference: request.reference,
        productName: 'Maintenance contract',
        amount,
        currency,
        customerEmail: owner.username,
        locale: 'en',
        successUrl: 'https://example.org/paid',
      },
      'a-key',
    );
    const now = iso(app.clock.now());
    await app.ctx.writer.write((db) => {
      const about = { contractId: contract.id, amount, currency, createdAt: now };
      const never = { expiresAt: null, pendingSince: null, refusedAt: null, paidAt: null };
      putPayment(db, { ...about, ...never, paymentId, paymentUrl, state: 'open' });
      setPaymentLink(db, { id, paymentId, paymentUrl, now });
    });
  });

table(
  `
  is closed at the provider and here, the history shows it, and the request has no link any more
    payable; reset → sessions expired; payments over; names nothing; not shown; told payment.session_closed 1
  that was paid meanwhile is reported as a case for a person
    payable; pays older; reset → ${REPLACED}; payments case; told payment.old_session_paid 1
  whose money is on its way holds the reset up until somebody gives it up; should it arrive, it is a case
    payable; promises older; refuses reset payment_pending → payments pending
    givenUp; reset → ${REPLACED}
    arrives older; hears older → payments case; told payment.old_session_paid 1`,
  { of: 'an open page of the old contract ', words: { payable } },
);

test('a request whose contract was lost gets a new one', async () => {
  const app = await startApp();
  const { id } = await app.addRequest(undefined, { status: 'WAITING_SIGNATURE' });
  const gone = resetSignature(app.ctx, id, { ...BY, contractId: 7 });
  expect(await rejection(gone)).toMatchObject({ code: 'already_reset' });
  expect(await resetSignature(app.ctx, id, BY)).toMatchObject({ status: 'PENDING' });
});
