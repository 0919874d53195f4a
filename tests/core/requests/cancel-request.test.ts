/** Canceling and reopening (rules 2): closed at the providers first; what comes too late is a case for a person. */
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { reconcile } from '../../../src/core/signature/reconcile.js';
import { findingName } from '../../support/finding-names.js';
import { startSignature } from '../../support/start-signature.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { currentPayment } from '../../support/payments.js';
import { openActNames } from '../../support/acts.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { completedApp, deliver, deliverPayment, signedApp } from '../../support/webhooks.js';

const REASON = 'sold the boiler';
const cancel = (app: TestApp, id: number, changes = {}) =>
  cancelRequest(app.ctx, id, { actor: TESTER, reason: REASON, ...changes });
const reopen = (app: TestApp, id: number) =>
  reopenRequest(app.ctx, id, { actor: TESTER, reason: 'by mistake' });
const start = async (app: TestApp, id: number) =>
  startSignature(app.ctx, id, { actor: TESTER, pdf: await anyContractPdf() });
const there = (app: TestApp) => app.sandbox.state().signatureRequests.map(({ status }) => status);
const sessions = (app: TestApp) => app.sandbox.state().sessions.map(({ status }) => status);
const mails = (app: TestApp) =>
  app.jobs('send-mail').map(({ payload }) => (JSON.parse(payload) as { mail: string }).mail);
const findings = async (app: TestApp, id: number) =>
  (await explainRequest(app.ctx, app.request(id), { offline: true })).findings.map((one) => [
    findingName(one),
    one.level,
  ]);
const everything = (app: TestApp) =>
  ['requests', 'contracts', 'payments', 'jobs', 'history'].map((table) =>
    app.ctx.db.raw.prepare(`SELECT * FROM ${table}`).all(),
  );

async function waitingApp() {
  const app = await startApp();
  return { app, ...(await app.waitingRequest()) };
}

/** Signed, with a payment link. */
async function payableApp() {
  const { app, waiting } = await completedApp();
  await app.drain();
  const { id } = waiting.request;
  return { app, id, contract: waiting.contract, paymentId: app.request(id).paymentId as string };
}

describe('cancel', () => {
  test('a request that was never sent is canceled without a provider; twice is once', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    app.sandbox.faults.add('signature:500');

    expect(await cancel(app, id)).toMatchObject({ status: 'CANCELED' });
    expect(await cancel(app, id)).toMatchObject({ status: 'CANCELED' });

    expect(app.history(id)).toEqual(['request.moved']);
    expect(await findings(app, id)).toEqual([['finished: canceled', 'calm']]);
    expect(openActNames(app.ctx, app.request(id))).toEqual(['reopen']);
  });

  test('a contract with the customer is canceled at the provider, and only who asks for it gets a mail', async () => {
    const { app, request } = await waitingApp();

    await cancel(app, request.id, { notify: true });

    expect(there(app)).toEqual(['canceled']);
    expect(app.contract(request.id)).toMatchObject({ status: 'EXPIRED' });
    expect(app.request(request.id)).toMatchObject({ status: 'CANCELED' });
    expect(app.history(request.id).slice(-2)).toEqual(['contract.ended', 'request.moved']);
    await app.drain();
    const [mail] = app.sandbox.state().mails.filter(({ subject }) => subject.includes('canceled'));
    expect(mail).toMatchObject({ subject: `Your request ${request.reference} has been canceled` });
    expect(mail?.text).not.toContain(REASON);
    // Our own cancellation comes back as a webhook.
    await deliver(app, app.contract(request.id).signId as string, { name: 'signature_request.canceled' });
    expect(mails(app)).toEqual(['request-canceled']);
  });

  test('nobody is told of a cancellation that was taken back before the mail could leave', async () => {
    const { app, request } = await waitingApp();
    await cancel(app, request.id, { notify: true });
    await reopenRequest(app.ctx, request.id, { actor: TESTER, reason: 'a mistake' });
    await app.drain();
    const told = app.sandbox.state().mails.filter(({ subject }) => subject.includes('canceled'));
    expect(told).toEqual([]);
  });

  test('canceled, reopened and canceled again before the mail could leave, one mail is sent; none when the last cancellation tells nobody', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    const told = async () => {
      await app.drain();
      return app.sandbox.state().mails.filter(({ subject }) => subject.includes('canceled')).length;
    };
    const changeMind = async (notify: boolean) => {
      await cancel(app, id, { notify: true });
      await reopen(app, id);
      await cancel(app, id, { notify });
    };
    await changeMind(true);
    expect(await told()).toBe(1);
    await reopen(app, id);
    await changeMind(false);
    expect(await told()).toBe(1);
    await reopen(app, id);
    await cancel(app, id, { notify: true });
    expect(await told()).toBe(2);
  });

  test('a signed one loses its payment link, its waiting jobs and its contract; the proof of the signature stays', async () => {
    const { app, id, contract, paymentId } = await payableApp();

    await cancel(app, id);

    expect(sessions(app)).toEqual(['expired']);
    expect(there(app)).toEqual(['done']);
    expect(app.request(id)).toMatchObject({ status: 'CANCELED', paymentUrl: null, paymentId: null });
    expect(app.contract(id)).toMatchObject({ status: 'EXPIRED', pdfSha256: expect.any(String) as string });
    expect(currentPayment(app.ctx.db, { contractId: contract.id })).toMatchObject({
      paymentId,
      state: 'over',
    });
    // A repeat of the webhook is a repeat.
    expect(await deliver(app, contract.signId as string)).toBe(422);
    expect(mails(app)).not.toContain('canceled-signed');
    expect(await findings(app, id)).toEqual([['finished: canceled', 'calm']]);
  });

  test('nobody gets a payment link that was still to be made or mailed, and the failed list is rid of it', async () => {
    const { app, waiting } = await completedApp({ fault: 'payment.create:500' });
    await app.drain();
    for (let attempt = 1; attempt < 4; attempt += 1) {
      app.clock.advance(10_000);
      await app.drain();
    }
    const { id } = waiting.request;
    expect(app.jobs('create-payment-session')).toMatchObject([{ state: 'failed' }]);

    await cancel(app, id);

    expect(app.jobs('create-payment-session')).toEqual([]);
    expect(app.history(id)).toContain('job.removed');
  });

  test('a mail with the payment link that has not left yet stays here', async () => {
    const { app, waiting } = await completedApp({ fault: 'smtp:451' });
    await app.drain();
    app.sandbox.faults.clear();
    await cancel(app, waiting.request.id);
    app.clock.advance(60_000);
    await app.drain();
    const subjects = app.sandbox.state().mails.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('Payment for'))).toEqual([]);
  });

  test('the signature provider is down: refused, nothing changed; nor when its answer is lost, and again ends it', async () => {
    const { app, request } = await waitingApp();
    const before = everything(app);
    for (const fault of ['signature:500', { target: 'signature', kind: 'reset', operation: 'cancel' }]) {
      app.sandbox.faults.add(fault);
      expect(await rejection(cancel(app, request.id))).toMatchObject({ code: 'provider_unavailable' });
      expect(everything(app)).toEqual(before);
      app.sandbox.faults.clear();
    }
    app.sandbox.faults.add({ target: 'signature', kind: 'answer_lost', operation: 'cancel', times: 1 });
    await cancel(app, request.id).catch(() => undefined);
    expect(await cancel(app, request.id)).toMatchObject({ status: 'CANCELED' });
    expect(there(app)).toEqual(['canceled']);
  });

  test.each<[string, (app: TestApp) => unknown]>([
    ['is down', (app) => app.sandbox.faults.add('payment:500')],
    [
      'refuses to close a page that works',
      ({ ctx }) =>
        (ctx.payment.expireSession = () =>
          Promise.reject(new ProviderError('rejected', 'payment provider answered 400'))),
    ],
  ])('the payment provider %s: refused, nothing changed', async (_, happen) => {
    const { app, id } = await payableApp();
    const before = everything(app);
    happen(app);
    expect(await rejection(cancel(app, id))).toMatchObject({ code: 'payment_unavailable' });
    expect(everything(app)).toEqual(before);
  });

  test('a blank reason, a complete request, and one that is not there are refused; a dry run only asks', async () => {
    const { app, id, paymentId } = await payableApp();
    expect(await rejection(cancel(app, id, { reason: ' ' }))).toMatchObject({ kind: 'invalid' });
    expect(await rejection(cancel(app, 999))).toMatchObject({ code: 'request_not_found' });
    const before = everything(app);
    await cancel(app, id, { dryRun: true });
    expect(everything(app)).toEqual(before);
    expect(sessions(app)).toEqual(['open']);
    app.sandbox.pay(paymentId);
    await deliverPayment(app, paymentId);
    expect(await rejection(cancel(app, id))).toMatchObject({ code: 'already_complete' });
  });
});

describe('the customer was faster', () => {
  test('signed at the provider, not told here: already_signed, and the request can be checked', async () => {
    const { app, waiting } = await signedApp();
    const { id } = waiting.request;
    expect(await rejection(cancel(app, id))).toMatchObject({ code: 'already_signed' });
    expect(await checkSignature(app.ctx, id, { actor: TESTER })).toMatchObject({ type: 'success' });
  });

  test('paid at the provider, not told here: the request is complete, and nothing is canceled', async () => {
    const { app, id, paymentId } = await payableApp();
    app.sandbox.pay(paymentId);
    expect(await rejection(cancel(app, id))).toMatchObject({ code: 'already_complete' });
    expect(app.request(id).status).toBe('COMPLETE');
    expect(app.contract(id).status).toBe('SIGNED');
  });

  test('the money is on its way: refused until it has arrived or failed', async () => {
    const { app, id, paymentId } = await payableApp();
    app.sandbox.pay(paymentId, { async: true });
    expect(await rejection(cancel(app, id))).toMatchObject({ code: 'payment_pending' });
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
  });

  test('a page that the provider no longer knows is over and does not prevent the cancellation', async () => {
    const { app, id, contract } = await payableApp();
    app.sandbox.faults.add('payment.expire:404:1');
    await cancel(app, id);
    expect(currentPayment(app.ctx.db, { contractId: contract.id })).toMatchObject({ state: 'over' });
  });

  test('a payment link that is being made at that moment is not left open: busy, and then closed', async () => {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    const createSession = app.ctx.payment.createSession.bind(app.ctx.payment);
    app.ctx.payment.createSession = async (...wanted) => {
      const session = await createSession(...wanted);
      expect(await rejection(cancel(app, id))).toMatchObject({ code: 'in_progress' });
      return session;
    };
    await app.drain();
    await cancel(app, id);
    expect(sessions(app)).toEqual(['expired']);
  });
});

describe('what comes after the cancellation', () => {
  test('a payment is recorded and reported once, never a move; canceling again does not settle it', async () => {
    const { app, id, contract, paymentId } = await payableApp();
    await cancel(app, id);

    await deliverPayment(app, paymentId);
    await deliverPayment(app, paymentId);

    expect(app.request(id).status).toBe('CANCELED');
    expect(currentPayment(app.ctx.db, { contractId: contract.id })).toMatchObject({ state: 'case' });
    expect(mails(app).filter((mail) => mail === 'payment-trouble')).toHaveLength(1);
    await app.drain();
    expect(await findings(app, id)).toEqual([
      ['payment_case: canceled_paid', 'trouble'],
      ['finished: canceled', 'calm'],
    ]);
    await cancel(app, id, { reason: 'entered twice' });
    expect(await findings(app, id)).toContainEqual(['payment_case: canceled_paid', 'trouble']);
    expect(app.sandbox.state().mails.at(-1)?.subject).toContain('Paid after cancellation');
  });

  test.each(['canceled', 'reopened'])(
    'a signature of the contract while the request is %s is reported once, never a move',
    async (state) => {
      const { app, request, signId } = await waitingApp();
      await cancel(app, request.id);
      if (state === 'reopened') await reopen(app, request.id);
      const { status } = app.request(request.id);

      expect(await deliver(app, signId)).toBe(422);
      expect(await deliver(app, signId)).toBe(422);

      expect(app.request(request.id).status).toBe(status);
      expect(mails(app)).toEqual(['canceled-signed']);
      expect(app.history(request.id).filter((what) => what === 'contract.canceled_signed')).toHaveLength(1);
      expect(await findings(app, request.id)).toContainEqual(['signature_case: canceled_signed', 'trouble']);
    },
  );

  test('a signature of the old contract, once the reopened request has a new one, is that of a replaced contract', async () => {
    const { app, request, signId } = await waitingApp();
    await cancel(app, request.id);
    await reopen(app, request.id);
    await start(app, request.id);
    expect(await deliver(app, signId)).toBe(422);
    expect(mails(app)).toEqual(['replaced-signed']);
  });

  test('a signature that counted before the cancellation is not reported when it is found once more', async () => {
    const { app, id } = await payableApp();
    await cancel(app, id);
    await reconcile(app.ctx, app.contract(id).id, { actor: TESTER, heard: { signedAt: null } });
    expect(app.history(id)).not.toContain('contract.canceled_signed');
  });

  test('somebody else’s signed document under the number of the old contract alarms nobody, nor after a reopening', async () => {
    const { app, request, signId } = await waitingApp();
    const theirs = { signature: { external_id: 'theirs' } };
    await cancel(app, request.id);
    expect(await deliver(app, signId, theirs)).toBe(422);
    await reopen(app, request.id);
    expect(await deliver(app, signId, theirs)).toBe(422);
    expect(app.history(request.id)).not.toContain('contract.canceled_signed');
    expect(app.jobs('complete-signature')).toEqual([]);
  });

  test('also when the end of its start was lost: the answer that comes after it brings nothing back', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    app.sandbox.faults.add({ target: 'signature', kind: 'answer_lost', operation: 'activate' });
    await rejection(start(app, id));
    app.sandbox.faults.clear();
    const { signId } = app.contract(id);

    await cancel(app, id);
    await reopen(app, id);
    await deliver(app, signId as string);

    expect(there(app)).toEqual(['canceled']);
    expect(app.request(id).status).toBe('new');
    expect(mails(app)).toEqual(['canceled-signed']);
  });
});

describe('reopen', () => {
  test('makes it new again; the old contract stays expired, and a start sends the next one', async () => {
    const { app, id } = await payableApp();
    await cancel(app, id);

    expect(await reopen(app, id)).toMatchObject({ status: 'new' });
    expect(await rejection(reopen(app, id))).toMatchObject({ code: 'not_canceled' });
    expect(app.contract(id).status).toBe('EXPIRED');
    const contract = await start(app, id);

    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    expect(there(app)).toEqual(['done', 'ongoing']);
    app.sandbox.sign(contract.signId as string);
    expect(await deliver(app, contract.signId as string)).toBe(200);
    await app.drain();
    expect(app.request(id)).toMatchObject({ status: 'WAITING_PAYMENT' });
    expect(sessions(app)).toEqual(['expired', 'open']);
  });

  test('what was signed once is not deleted with it', async () => {
    const { app, id } = await payableApp();
    await cancel(app, id);
    await reopen(app, id);
    const admin = await app.addUser({ role: 'ROLE_ADMIN' });
    expect(await rejection(deleteRequest(app.ctx, admin, id))).toMatchObject({ code: 'cannot_be_changed' });
  });

  test('is refused, and not offered, when nobody is left to sign: the person was erased', async () => {
    const app = await startApp();
    const { id, ownerId } = await app.addRequest();
    await cancel(app, id);
    await eraseUser(app.ctx, ownerId, { actor: TESTER, reason: 'asked for' });
    expect(await rejection(reopen(app, id))).toMatchObject({ code: 'user_erased' });
    expect(await findings(app, id)).toEqual([['finished: erased', 'calm']]);
    expect(openActNames(app.ctx, app.request(id))).toEqual([]);
  });

  test('needs a canceled request and a reason; a dry run changes nothing', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    expect(await rejection(reopen(app, id))).toMatchObject({ code: 'not_canceled' });
    await cancel(app, id);
    const by = { actor: TESTER, reason: 'by mistake' };
    await reopenRequest(app.ctx, id, { ...by, dryRun: true });
    expect(app.request(id).status).toBe('CANCELED');
    expect(await rejection(reopenRequest(app.ctx, id, { ...by, reason: '' }))).toMatchObject({
      kind: 'invalid',
    });
  });
});
