/** Canceling (rules 2): closed at the providers first; what comes too late is a case for a person. Pages to pay: payment/observe.test.ts. */
import { expect, test } from 'vitest';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { reconcile } from '../../../src/core/signature/reconcile.js';
import { openActNames } from '../../support/acts.js';
import { rejection, type TestApp } from '../../support/app.js';
import { BY, REASON, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

const toldOf = (app: TestApp) =>
  app.sandbox.state().mails.filter(({ subject }) => subject.includes('has been canceled'));

const words: Words = {
  /** With a mail to the customer. */
  canceledWithMail: (s) => s.does(({ ctx }, id) => cancelRequest(ctx, id, { ...REASON, notify: true })),
  customerHasMails: (s, count) => s.drained().does((app) => expect(toldOf(app)).toHaveLength(Number(count))),
  mailHidesReason: (s) =>
    s.does((app, id) => {
      expect(app.history(id)).toEqual(expect.arrayContaining(['contract.ended', 'request.moved']));
      expect(toldOf(app)[0]?.subject).toContain(app.request(id).reference);
      expect(toldOf(app)[0]?.text).not.toContain(REASON.reason);
    }),
  isCalm: (s) =>
    s.does(async (app, id) => {
      expect(app.history(id)).toEqual(['request.moved']);
      expect(openActNames(app.ctx, app.request(id))).toEqual(['reopen']);
      const { findings } = await explainRequest(app.ctx, app.request(id), { offline: true });
      expect(findings).toMatchObject([{ cause: 'canceled', level: 'calm' }]);
    }),
  keepsProof: (s) => s.does((app, id) => expect(app.contract(id).pdfSha256).toEqual(expect.any(String))),
  closingIsRejected: (s) =>
    s.does(({ ctx }) => {
      ctx.payment.expireSession = () =>
        Promise.reject(new ProviderError('rejected', 'payment provider answered 400'));
    }),
  officeHasMail: (s, ...subject) =>
    s.does((app) => expect(app.sandbox.mails().at(-1)?.subject).toContain(subject.join(' '))),
  nextSentAndOldDelivers: (s, status) =>
    s.does(async (app, id) => {
      const signId = app.contract(id).signId as string;
      await story.on(app, id).canceled().reopened().sentNext().end();
      expect(await deliver(app, signId)).toBe(status);
    }),
  isFoundSigned: (s) =>
    s.does((app, id) => reconcile(app.ctx, app.contract(id).id, { ...BY, heard: { signedAt: null } })),
  theirsDelivers: (s, status) => s.delivers(Number(status), { signature: { external_id: 'theirs' } }),
};

const LATE =
  'mails canceled-signed 1; told contract.canceled_signed 1; findings has signature_case: canceled_signed';

table(
  `
  a request that was never sent is canceled without a provider; twice is once
    entered; fault signature:500; canceled; canceled; isCalm → CANCELED; findings finished: canceled
  a contract with the customer is canceled at the provider; who asks for it gets a mail, without our reason
    sent; canceledWithMail; customerHasMails 1; mailHidesReason; delivers 200 canceled
    → CANCELED; contracts EXPIRED; documents canceled; mails contract-ended 0
  nobody else gets one, nor when it was taken back before the mail could leave
    sent; canceled; customerHasMails 0; reopened; canceledWithMail; reopened; customerHasMails 0 → new
  canceled, reopened and canceled again before the mail could leave, one mail is sent; none when the last tells nobody
    entered; canceledWithMail; reopened; canceledWithMail; customerHasMails 1
    reopened; canceledWithMail; reopened; canceled; customerHasMails 1
    reopened; canceledWithMail; customerHasMails 2 → CANCELED
  a signed one loses its page and its contract; the proof of the signature stays, and a repeat is a repeat
    linked; canceled; keepsProof; delivers 422
    → CANCELED; names nothing; not shown; contracts EXPIRED; documents done; sessions expired; payments over;
    mails canceled-signed 0; findings finished: canceled
  nobody gets a payment link that was still to be made, and the failed list is rid of it
    fault payment.create:500; sent; signedInVain → jobs failed
    canceled → jobs none; told job.removed 1
  a mail with the payment link that has not left yet stays here
    completed; fault smtp:451; drained; noFaults; canceled; waits 1m; drained → sent payment-link 0
  the signature provider is down: refused, nothing changed
    sent; fault signature:500; unchanged: refuses cancel provider_unavailable → contracts PENDING
  when its answer is lost, the next attempt ends it
    sent; fault signature.cancel:answer_lost:1; tries cancel; canceled → CANCELED; documents canceled
  the payment provider refuses to close a page that works: refused, nothing changed
    linked; closingIsRejected; unchanged: refuses cancel payment_unavailable → sessions open
  a page that the provider no longer knows is over and does not prevent it
    linked; fault payment.expire:404:1; canceled → CANCELED; payments over
  a page that is being made at that moment is not left open: busy, and then closed
    completed; meanwhile createSession: refuses cancel in_progress; drained; canceled → sessions expired
  the customer was faster and has signed: already_signed, and the request can be checked
    sent; waits 1s; signs; refuses cancel already_signed; checksSignature type=success → WAITING_PAYMENT
  the customer was faster and has paid: the request is complete, and nothing is canceled
    linked; pays older; refuses cancel already_complete → COMPLETE; contracts SIGNED
  a payment that comes afterwards is recorded and reported once, never a move; canceling again does not settle it
    linked; canceled; hears older; hears older; drained; officeHasMail Paid after cancellation; canceled
    → CANCELED; payments case; mails payment-trouble 1;
    findings payment_case: canceled_paid + finished: canceled
  a signature that comes afterwards is reported once, never a move
    sent; canceled; delivers 422; delivers 422 → CANCELED; ${LATE}
  so it is when the request was reopened
    sent; canceled; reopened; delivers 422; delivers 422 → new; ${LATE}
  a signature of the old contract, once the reopened request has a new one, is that of a replaced contract
    sent; nextSentAndOldDelivers 422 → mails replaced-signed 1 canceled-signed 0
  a signature that counted before is not reported when it is found once more
    linked; canceled; isFoundSigned → told contract.canceled_signed 0
  somebody else’s signed document under the number of the old contract alarms nobody, nor after a reopening
    sent; canceled; theirsDelivers 422; reopened; theirsDelivers 422
    → told contract.canceled_signed 0; work complete-signature none
  when the end of its start was lost, the answer that comes after it brings nothing back
    entered; fault signature.activate:answer_lost; refuses start provider_unavailable; noFaults; canceled; reopened;
    delivers 422 → new; documents canceled; mails canceled-signed 1`,
  { words },
);

test('a blank reason, a complete request, and one that is not there are refused; a dry run only asks', async () => {
  const { app, id } = await story()
    .linked()
    .unchanged((t) => t.does(({ ctx }, id) => cancelRequest(ctx, id, { ...REASON, dryRun: true })))
    .is({ sessions: ['open'] })
    .end();
  expect(await rejection(cancelRequest(app.ctx, id, { ...BY, reason: ' ' }))).toMatchObject({
    kind: 'invalid',
  });
  expect(await rejection(cancelRequest(app.ctx, 999, REASON))).toMatchObject({ code: 'request_not_found' });
  await story.on(app, id).paid('older').refuses(cancelRequest, { code: 'already_complete' }).end();
});
