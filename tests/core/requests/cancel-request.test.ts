/** Canceling (rules 2): closed at the providers first; what comes too late is a case for a person. Pages to pay: payment/observe.test.ts. */
import { expect, test } from 'vitest';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { reconcile } from '../../../src/core/signature/reconcile.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { openActNames } from '../../support/acts.js';
import { rejection, type TestApp } from '../../support/app.js';
import { MINUTE, SECOND } from '../../support/clock.js';
import { includes, tell, type History } from '../../support/histories.js';
import { BY, REASON, story, type Story } from '../../support/story.js';
import { deliver, signWithAllTries } from '../../support/webhooks.js';

/** With a mail to the customer. */
const tells = (s: Story) => s.does(({ ctx }, id) => cancelRequest(ctx, id, { ...REASON, notify: true }));
const toldOf = (app: TestApp) =>
  app.sandbox.state().mails.filter(({ subject }) => subject.includes('has been canceled'));
const isTold = (s: Story, times: number) =>
  s.drained().does((app) => expect(toldOf(app)).toHaveLength(times));
const THEIRS = { signature: { external_id: 'theirs' } };

tell([
  [
    'a request that was never sent is canceled without a provider; twice is once',
    (s) =>
      s
        .entered()
        .fault('signature:500')
        .canceled()
        .canceled()
        .does(async (app, id) => {
          expect(app.history(id)).toEqual(['request.moved']);
          expect(openActNames(app.ctx, app.request(id))).toEqual(['reopen']);
          const { findings } = await explainRequest(app.ctx, app.request(id), { offline: true });
          expect(findings).toMatchObject([{ cause: 'canceled', level: 'calm' }]);
        }),
    { status: 'CANCELED', findings: ['finished: canceled'] },
  ],
  [
    'a contract with the customer is canceled at the provider; who asks for it gets a mail, without our reason',
    (s) =>
      isTold(tells(s.sent()), 1)
        .does((app, id) => {
          expect(app.history(id)).toEqual(expect.arrayContaining(['contract.ended', 'request.moved']));
          expect(toldOf(app)[0]?.subject).toContain(app.request(id).reference);
          expect(toldOf(app)[0]?.text).not.toContain(REASON.reason);
        })
        // Our own cancellation comes back as a webhook.
        .delivers(200, 'canceled'),
    { status: 'CANCELED', contracts: ['EXPIRED'], documents: ['canceled'], mails: { 'contract-ended': 0 } },
  ],
  [
    'nobody else gets one, nor when it was taken back before the mail could leave',
    (s) => isTold(tells(isTold(s.sent().canceled(), 0).reopened()).reopened(), 0),
    { status: 'new' },
  ],
  [
    'canceled, reopened and canceled again before the mail could leave, one mail is sent; none when the last tells nobody',
    (s) => {
      const once = isTold(tells(tells(s.entered()).reopened()), 1);
      return isTold(tells(isTold(tells(once.reopened()).reopened().canceled(), 1).reopened()), 2);
    },
    { status: 'CANCELED' },
  ],
  [
    'a signed one loses its page and its contract; the proof of the signature stays, and a repeat is a repeat',
    (s) =>
      s
        .linked()
        .canceled()
        .does((app, id) => expect(app.contract(id).pdfSha256).toEqual(expect.any(String)))
        .delivers(422),
    {
      status: 'CANCELED',
      names: null,
      isShown: false,
      contracts: ['EXPIRED'],
      documents: ['done'],
      sessions: ['expired'],
      payments: ['over'],
      mails: { 'canceled-signed': 0 },
      findings: ['finished: canceled'],
    },
  ],
  [
    'nobody gets a payment link that was still to be made, and the failed list is rid of it',
    (s) =>
      s
        .fault('payment.create:500')
        .sent()
        .does((app, id) => signWithAllTries(app, app.contract(id).signId as string))
        .is({ jobs: ['failed'] })
        .canceled(),
    { jobs: [], told: { 'job.removed': 1 } },
  ],
  [
    'a mail with the payment link that has not left yet stays here',
    (s) => s.completed().fault('smtp:451').drained().noFaults().canceled().waits(MINUTE).drained(),
    { sent: { 'payment-link': 0 } },
  ],
  ...['signature:500', 'signature.cancel:reset'].map((fault): History => [
    `the signature provider is down (${fault}): refused, nothing changed`,
    (s) =>
      s
        .sent()
        .fault(fault)
        .unchanged((t) => t.refuses(cancelRequest, { code: 'provider_unavailable' })),
    { contracts: ['PENDING'] },
  ]),
  [
    'when its answer is lost, the next attempt ends it',
    (s) =>
      s
        .sent()
        .fault('signature.cancel:answer_lost:1')
        .does(({ ctx }, id) => cancelRequest(ctx, id, REASON).catch(() => undefined))
        .canceled(),
    { status: 'CANCELED', documents: ['canceled'] },
  ],
  [
    'the payment provider refuses to close a page that works: refused, nothing changed',
    (s) =>
      s
        .linked()
        .does(({ ctx }) => {
          ctx.payment.expireSession = () =>
            Promise.reject(new ProviderError('rejected', 'payment provider answered 400'));
        })
        .unchanged((t) => t.refuses(cancelRequest, { code: 'payment_unavailable' })),
    { sessions: ['open'] },
  ],
  [
    'a page that the provider no longer knows is over and does not prevent it',
    (s) => s.linked().fault('payment.expire:404:1').canceled(),
    { status: 'CANCELED', payments: ['over'] },
  ],
  [
    'a page that is being made at that moment is not left open: busy, and then closed',
    (s) =>
      s
        .completed()
        .meanwhile('createSession', (t) => t.refuses(cancelRequest, { code: 'in_progress' }))
        .drained()
        .canceled(),
    { sessions: ['expired'] },
  ],
  [
    'the customer was faster and has signed: already_signed, and the request can be checked',
    (s) =>
      s
        .sent()
        .waits(SECOND)
        .signs()
        .refuses(cancelRequest, { code: 'already_signed' })
        .checksSignature({ type: 'success' }),
    { status: 'WAITING_PAYMENT' },
  ],
  [
    'the customer was faster and has paid: the request is complete, and nothing is canceled',
    (s) => s.linked().pays('older').refuses(cancelRequest, { code: 'already_complete' }),
    { status: 'COMPLETE', contracts: ['SIGNED'] },
  ],
  [
    'a payment that comes afterwards is recorded and reported once, never a move; canceling again does not settle it',
    (s) =>
      s
        .linked()
        .canceled()
        .hears('older')
        .hears('older')
        .drained()
        .does((app) => expect(app.sandbox.mails().at(-1)?.subject).toContain('Paid after cancellation'))
        .canceled(),
    {
      status: 'CANCELED',
      payments: ['case'],
      mails: { 'payment-trouble': 1 },
      findings: ['payment_case: canceled_paid', 'finished: canceled'],
    },
  ],
  ...[false, true].map((isReopened): History => [
    `a signature that comes afterwards (reopened: ${isReopened}) is reported once, never a move`,
    (s) => {
      const canceled = s.sent().canceled();
      return (isReopened ? canceled.reopened() : canceled).delivers(422).delivers(422);
    },
    {
      status: isReopened ? 'new' : 'CANCELED',
      mails: { 'canceled-signed': 1 },
      told: { 'contract.canceled_signed': 1 },
      findings: includes('signature_case: canceled_signed'),
    },
  ]),
  [
    'a signature of the old contract, once the reopened request has a new one, is that of a replaced contract',
    (s) =>
      s.sent().does(async (app, id) => {
        const signId = app.contract(id).signId as string;
        await story.on(app, id).canceled().reopened().sentNext().end();
        expect(await deliver(app, signId)).toBe(422);
      }),
    { mails: { 'replaced-signed': 1, 'canceled-signed': 0 } },
  ],
  [
    'a signature that counted before is not reported when it is found once more',
    (s) =>
      s
        .linked()
        .canceled()
        .does((app, id) => reconcile(app.ctx, app.contract(id).id, { ...BY, heard: { signedAt: null } })),
    { told: { 'contract.canceled_signed': 0 } },
  ],
  [
    'somebody else’s signed document under the number of the old contract alarms nobody, nor after a reopening',
    (s) => s.sent().canceled().delivers(422, THEIRS).reopened().delivers(422, THEIRS),
    { told: { 'contract.canceled_signed': 0 }, work: { 'complete-signature': [] } },
  ],
  [
    'when the end of its start was lost, the answer that comes after it brings nothing back',
    (s) =>
      s
        .entered()
        .fault('signature.activate:answer_lost')
        .refuses(startSignature, {})
        .noFaults()
        .canceled()
        .reopened()
        .does((app, id) => deliver(app, app.contract(id).signId as string)),
    { status: 'new', documents: ['canceled'], mails: { 'canceled-signed': 1 } },
  ],
]);

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
