/** Reset of a signature (rules 2): the provider is asked first, and whatever stops half-way is resumed, never doubled. */
import { describe, expect, test } from 'vitest';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { iso } from '../../../src/core/clock.js';
import { putHold } from '../../../src/db/installation/installation.js';
import { insertWebhook } from '../../../src/db/webhooks/webhooks.js';
import { findPayment, putPayment } from '../../../src/db/payments/payments.js';
import { setPaymentLink } from '../../../src/db/requests/requests.js';
import type { ContractRow } from '../../../src/db/schema.js';
import type { Sandbox } from '../../../sandbox/start.js';
import { rejection, startApp, TESTER, type TestApp, type Waiting } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { patienceWith } from '../../support/patience.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

async function waitingApp(options = {}): Promise<{ app: TestApp; waiting: Waiting }> {
  const app = await startApp(options);
  return { app, waiting: await app.waitingRequest() };
}

const reset = (app: TestApp, { request }: Pick<Waiting, 'request'>) =>
  resetSignature(app.ctx, request.id, { actor: TESTER, reason: 'lost the mail' });

const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const calls = (app: TestApp) => app.sandbox.state().counters.calls;
const contracts = (app: TestApp) =>
  app.ctx.db.raw.prepare('SELECT * FROM contracts ORDER BY id').all() as ContractRow[];
const everything = (app: TestApp) =>
  ['requests', 'contracts', 'jobs', 'history'].map((table) =>
    app.ctx.db.raw.prepare(`SELECT * FROM ${table}`).all(),
  );

describe('what the provider says decides', () => {
  test('ongoing: cancelled there, closed here, and a new contract is sent', async () => {
    const { app, waiting } = await waitingApp();
    app.clock.advance(DAY);

    const contract = await reset(app, waiting);

    expect(there(app)).toMatchObject([
      { id: waiting.signId, status: 'canceled', cancel_reason: 'contractualization_aborted' },
      { id: contract.signId, status: 'ongoing', external_id: contract.externalId },
    ]);
    expect(contracts(app)).toMatchObject([
      { id: waiting.contract.id, status: 'EXPIRED' },
      {
        id: contract.id,
        status: 'PENDING',
        signUrl: expect.stringContaining('/sign/'),
        expiredAt: '2026-04-02T23:59:59.000Z',
      },
    ]);
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    expect(app.history(waiting.request.id).slice(-3)).toEqual([
      'contract.ended',
      'contract.created',
      'contract.sent',
    ]);
    // Of a reset the administrator knows.
    expect(app.jobs()).toEqual([]);
  });

  test('done: already_signed, nothing changed, and the check completes it', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.sign(waiting.signId);
    const before = everything(app);

    expect(await rejection(reset(app, waiting))).toMatchObject({ kind: 'refused', code: 'already_signed' });

    expect(everything(app)).toEqual(before);
    expect(there(app)).toMatchObject([{ status: 'done' }]);
    const checked = await checkSignature(app.ctx, waiting.request.id, { actor: TESTER });
    expect(checked).toMatchObject({ type: 'success' });
  });

  test('done too late to count: a new contract is sent, so that the case has a way on', async () => {
    const app = await startApp();
    const waiting = await app.waitingRequest();
    app.sandbox.sign(waiting.signId, { completedAt: '2026-04-02T00:00:00Z' });
    app.clock.advance(31 * DAY);
    expect(await checkSignature(app.ctx, waiting.request.id, { actor: TESTER })).toMatchObject({
      key: 'contract_expired',
    });

    await resetSignature(app.ctx, waiting.request.id, { actor: TESTER });

    expect(app.contract(waiting.request.id).id).not.toBe(waiting.contract.id);
    expect(app.contract(waiting.request.id).status).toBe('PENDING');
  });

  test('signed between our question and the cancelling: already_signed', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.faults.add({
      target: 'signature',
      kind: 'delay',
      operation: 'cancel',
      delayMs: 150,
      times: 1,
    });
    const refusal = rejection(reset(app, waiting));
    while (calls(app)['signature.cancel'] === undefined) await new Promise((next) => setImmediate(next));
    app.sandbox.sign(waiting.signId);
    expect(await refusal).toMatchObject({ code: 'already_signed' });
    expect(contracts(app)).toHaveLength(1);
  });

  test.each(['expired', 'declined'])(
    '%s between our question and the cancelling: a new contract is sent',
    async (status) => {
      const { app, waiting } = await waitingApp();
      app.sandbox.faults.add({
        target: 'signature',
        kind: 'delay',
        operation: 'cancel',
        delayMs: 150,
        times: 1,
      });
      const resetting = reset(app, waiting);
      while (calls(app)['signature.cancel'] === undefined) await new Promise((next) => setImmediate(next));
      app.sandbox.setStatus(waiting.signId, status);
      const contract = await resetting;
      expect(there(app)).toMatchObject([{ status }, { id: contract.signId, status: 'ongoing' }]);
    },
  );

  test('not cancelled, and still ongoing when asked again: nothing is changed', async () => {
    const { app, waiting } = await waitingApp();
    app.ctx.provider.cancel = () => Promise.reject(new ProviderError('rejected', 'not now'));
    const before = everything(app);
    expect((await rejection(reset(app, waiting))).message).toContain('Not now');
    expect(everything(app)).toEqual(before);
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
  });

  const ends: [string, (sandbox: Sandbox, signId: string) => unknown][] = [
    ['declined', (sandbox, id) => sandbox.decline(id)],
    ['expired', (sandbox, id) => sandbox.expire(id)],
    ['canceled', (sandbox, id) => sandbox.cancel(id)],
    ['deleted for good', (sandbox, id) => sandbox.delete(id, { permanent: true })],
  ];
  test.each(ends)('%s: nothing is cancelled, a new contract is sent', async (_, act) => {
    const { app, waiting } = await waitingApp();
    act(app.sandbox, waiting.signId);
    const contract = await reset(app, waiting);
    expect(calls(app)['signature.cancel']).toBeUndefined();
    expect(contracts(app)).toMatchObject([{ status: 'EXPIRED' }, { id: contract.id, status: 'PENDING' }]);
  });

  test('a contract that expired here is cancelled there all the same', async () => {
    const { app, waiting } = await waitingApp();
    // Made before the last day was one day for both.
    app.ctx.db.raw.prepare("UPDATE contracts SET expiredAt = '2026-04-01T09:14:07.250Z'").run();
    app.clock.set('2026-04-01T20:00:00.000Z');
    await expireContracts(app.ctx, { actor: TESTER });
    const contract = await reset(app, waiting);
    expect(there(app)).toMatchObject([{ status: 'canceled' }, { id: contract.signId, status: 'ongoing' }]);
  });

  test('a “not found” for what is under way is not believed: it is canceled before the new one is sent', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.faults.add('signature.get:404:1');
    const contract = await reset(app, waiting);
    expect(there(app)).toMatchObject([{ status: 'canceled' }, { id: contract.signId, status: 'ongoing' }]);
  });

  test.each(['500', '401', '429', 'reset', 'timeout'])('%s: refused, nothing changed', async (kind) => {
    const { app, waiting } = await waitingApp(patienceWith(kind));
    const before = everything(app);
    app.sandbox.faults.add(`signature.get:${kind}`);
    const error = await rejection(reset(app, waiting));
    expect(error).toMatchObject({ kind: 'unavailable', code: 'provider_unavailable' });
    expect(everything(app)).toEqual(before);
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
  });
});

describe('a reset that stops half-way', () => {
  test.each(['500', 'reset'])('while cancelling (%s): nothing has changed', async (kind) => {
    const { app, waiting } = await waitingApp();
    const before = everything(app);
    app.sandbox.faults.add(`signature.cancel:${kind}:1`);
    expect(await rejection(reset(app, waiting))).toMatchObject({ code: 'provider_unavailable' });
    expect(everything(app)).toEqual(before);
    await reset(app, waiting);
    expect(contracts(app)).toHaveLength(2);
  });

  test('whose cancelling got through unheard is done by the next one', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.faults.add('signature.cancel:answer_lost:1');
    expect(await rejection(reset(app, waiting))).toMatchObject({ code: 'provider_unavailable' });
    expect(contracts(app)).toMatchObject([{ status: 'PENDING' }]);

    const contract = await reset(app, waiting);
    expect(there(app)).toMatchObject([{ status: 'canceled' }, { id: contract.signId, status: 'ongoing' }]);
    expect(calls(app)['signature.cancel']).toBe(1);
  });

  const steps = ['create', 'upload', 'signer', 'activate'];
  test.each(steps.flatMap((step) => ['500', 'answer_lost'].map((kind) => [step, kind] as const)))(
    'after the cancelling (%s: %s) is resumed: one new contract, one new signature request',
    async (step, kind) => {
      const { app, waiting } = await waitingApp();
      app.sandbox.faults.add(`signature.${step}:${kind}:1`);
      expect(await rejection(reset(app, waiting))).toMatchObject({ code: 'provider_unavailable' });
      expect(contracts(app)).toMatchObject([{ status: 'EXPIRED' }, { status: 'PENDING', signUrl: null }]);

      const contract = await reset(app, waiting);

      expect(contracts(app)).toMatchObject([{ status: 'EXPIRED' }, { id: contract.id, status: 'PENDING' }]);
      expect(there(app)).toMatchObject([{ status: 'canceled' }, { id: contract.signId, status: 'ongoing' }]);
    },
  );

  test('and whose new contract has passed its date meanwhile starts over', async () => {
    const { app, waiting } = await waitingApp();
    app.sandbox.faults.add('signature.create:500:1');
    await rejection(reset(app, waiting));
    app.clock.advance(31 * DAY);
    expect(await reset(app, waiting)).toMatchObject({ expiredAt: '2026-05-02T23:59:59.000Z' });
    expect(contracts(app).map(({ status }) => status)).toEqual(['EXPIRED', 'EXPIRED', 'PENDING']);
  });
});

test('two resets at once make one new contract', async () => {
  const { app, waiting } = await waitingApp();
  const outcomes = await Promise.allSettled([reset(app, waiting), reset(app, waiting)]);
  const lost = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(lost.map(({ reason }) => reason.code)).toEqual(['in_progress']);
  expect(contracts(app)).toHaveLength(2);
});

describe('after a reset', () => {
  test('the contract is drawn by us, and those who follow the request are told', async () => {
    const { app, waiting } = await waitingApp();
    const { id: ownerId } = waiting.owner;
    const now = iso(app.clock.now());
    const webhook = {
      ownerId,
      url: 'https://a.example/x',
      event: 'request.updated',
      secret: 's',
      now,
    } as const;
    await app.ctx.writer.write((db) => insertWebhook(db, webhook));
    expect(waiting.contract.ownPdf).toBe(1);
    expect((await reset(app, waiting)).ownPdf).toBe(0);
    expect(app.jobs('deliver-webhook').length).toBeGreaterThan(0);
  });

  test('a webhook of the old signature answers 422 and changes nothing; the office is told of it', async () => {
    const { app, waiting } = await waitingApp();
    await reset(app, waiting);
    const [old, current] = contracts(app);
    expect(await deliver(app, waiting.signId)).toBe(422);
    expect(contracts(app)).toEqual([{ ...old, told: 'elsewhere' }, current]);
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('a signature of the old contract is reported to the office once, however often the provider sends it', async () => {
    const { app, waiting } = await waitingApp();
    await reset(app, waiting);
    const { id } = waiting.request;
    for (let n = 0; n < 3; n += 1) expect(await deliver(app, waiting.signId)).toBe(422);
    await app.drain();

    const mails = () =>
      app.sandbox.state().mails.filter(({ subject }) => subject.includes('replaced contract'));
    expect(mails()).toHaveLength(1);
    expect(mails()[0]?.text).toContain(`esignctl contracts show ${app.contract(id).id}`);
    expect(app.history(id).filter((what) => what === 'contract.replaced_signed')).toHaveLength(1);
    app.ctx.db.raw.prepare('DELETE FROM inbox').run();
    const { findings, timeline } = await explain(app.ctx, String(id));
    expect(findings.map(({ key }) => key)).toContain('signature_case');
    const told = timeline.find(({ what }) => what === 'contract.replaced_signed')?.message;
    expect(told).toContain(`which contract ${app.contract(id).id} has replaced`);
  });

  test('nor does it go unsaid when the new contract was signed before', async () => {
    const { app, waiting } = await waitingApp();
    await reset(app, waiting);
    const { id } = waiting.request;
    const signId = app.contract(id).signId as string;
    app.sandbox.sign(signId);
    expect(await deliver(app, signId)).toBe(200);
    expect(await deliver(app, waiting.signId)).toBe(422);
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
    expect(app.history(id)).toContain('contract.replaced_signed');
  });

  test('and is answered as a repeat as long as the request is signed', async () => {
    const { app, waiting } = await waitingApp({ env: { ESIGN_WEBHOOK_REPEAT_STATUS: '200' } });
    const { signId } = await reset(app, waiting);
    app.sandbox.sign(signId as string);
    await deliver(app, signId as string);
    const answers: [string, number][] = [];
    for (const status of ['WAITING_PAYMENT', 'COMPLETE', 'CANCELED']) {
      app.ctx.db.raw.prepare('UPDATE requests SET status = ?').run(status);
      answers.push([status, await deliver(app, waiting.signId)]);
    }
    expect(answers).toEqual([
      ['WAITING_PAYMENT', 200],
      ['COMPLETE', 200],
      ['CANCELED', 422],
    ]);
  });

  test('somebody else’s document of the old number alarms nobody', async () => {
    const { app, waiting } = await waitingApp();
    await reset(app, waiting);
    const signature = { external_id: 'another' };
    expect(await deliver(app, waiting.signId, { signature })).toBe(422);
    expect(app.history(waiting.request.id)).not.toContain('contract.replaced_signed');
  });

  test('the provider’s word of our own cancelling closes nothing and alarms nobody', async () => {
    const { app, waiting } = await waitingApp();
    const contract = await reset(app, waiting);
    expect(await deliver(app, waiting.signId, { name: 'signature_request.canceled' })).toBe(200);
    expect(app.contract(waiting.request.id)).toMatchObject({ id: contract.id, status: 'PENDING' });
    expect(app.jobs()).toEqual([]);
  });

  test.each(['canceled', 'deleted'])(
    'nor does “%s” when it comes before the reset has gone on',
    async (word) => {
      const { app, waiting } = await waitingApp();
      app.sandbox.faults.add({ target: 'signature', kind: 'delay', operation: 'cancel', delayMs: 150 });
      const resetting = reset(app, waiting);
      while (calls(app)['signature.cancel'] === undefined) await new Promise((next) => setImmediate(next));
      expect(await deliver(app, waiting.signId, { name: `signature_request.${word}` })).toBe(200);
      await resetting;
      expect(app.jobs()).toEqual([]);
      expect(contracts(app)).toMatchObject([{ status: 'EXPIRED' }, { status: 'PENDING' }]);
    },
  );

  test('the new contract goes its way to COMPLETE', async () => {
    const { app, waiting } = await waitingApp();
    const { signId } = await reset(app, waiting);
    app.clock.advance(MINUTE);
    app.sandbox.sign(signId as string);
    expect(await deliver(app, signId as string)).toBe(200);
    await app.drain();
    const { paymentId } = app.request(waiting.request.id);
    expect(await deliverPayment(app, paymentId as string)).toBe(200);
    expect(app.request(waiting.request.id).status).toBe('COMPLETE');
    expect(contracts(app)).toMatchObject([{ status: 'EXPIRED' }, { status: 'SIGNED' }]);
  });
});

describe('an open payment of the old contract', () => {
  /** As a request that went back to its signature has it. */
  async function payableApp() {
    const { app, waiting } = await waitingApp();
    const { request, contract } = waiting;
    const session = await app.ctx.payment.createSession(
      {
        clientReference: contract.externalId,
        requestId: request.id,
        contractId: contract.id,
        reference: request.reference,
        productName: 'Maintenance contract',
        amount: contract.amount,
        currency: contract.currency,
        customerEmail: waiting.owner.username,
        locale: 'en',
        successUrl: 'https://example.org/paid',
      },
      'a-key',
    );
    const { paymentId, paymentUrl } = session;
    const now = app.clock.now().toISOString();
    await app.ctx.writer.write((db) => {
      const { amount, currency } = contract;
      const about = { contractId: contract.id, amount, currency, createdAt: now };
      const never = { expiresAt: null, pendingSince: null, refusedAt: null, paidAt: null };
      putPayment(db, { ...about, ...never, paymentId, paymentUrl, state: 'open' });
      setPaymentLink(db, { id: request.id, paymentId, paymentUrl, now });
    });
    return { app, waiting, paymentId };
  }

  test('is closed at the provider and here, the history shows it, and the request has no link any more', async () => {
    const { app, waiting, paymentId } = await payableApp();
    await reset(app, waiting);
    expect(app.sandbox.state().sessions).toMatchObject([{ status: 'expired' }]);
    expect(findPayment(app.ctx.db, { paymentId })).toMatchObject({ state: 'over' });
    expect(app.request(waiting.request.id)).toMatchObject({ paymentId: null, paymentUrl: null });
    expect(app.history(waiting.request.id)).toContain('payment.session_closed');
  });

  test('that was paid meanwhile is reported as a case for a person', async () => {
    const { app, waiting, paymentId } = await payableApp();
    app.sandbox.pay(paymentId);
    await reset(app, waiting);
    expect(findPayment(app.ctx.db, { paymentId })).toMatchObject({ state: 'case' });
    expect(app.history(waiting.request.id)).toContain('payment.old_session_paid');
    expect(app.contract(waiting.request.id).status).toBe('PENDING');
  });

  test('whose money is on its way holds the reset up until somebody gives it up; should it arrive, it is a case', async () => {
    const { app, waiting, paymentId } = await payableApp();
    app.sandbox.pay(paymentId, { async: true });
    expect(await rejection(reset(app, waiting))).toMatchObject({ code: 'payment_pending' });
    expect(findPayment(app.ctx.db, { paymentId })).toMatchObject({ state: 'pending' });
    await giveUpPayment(app.ctx, waiting.request.id, { actor: TESTER, reason: 'never came' });
    await reset(app, waiting);
    expect(app.contract(waiting.request.id).status).toBe('PENDING');
    await deliverPayment(app, paymentId, { type: 'checkout.session.async_payment_succeeded' });
    expect(findPayment(app.ctx.db, { paymentId })).toMatchObject({ state: 'case' });
    expect(app.history(waiting.request.id)).toContain('payment.old_session_paid');
  });
});

describe('refusals', () => {
  test.each(['new', 'in_progress', 'WAITING_PAYMENT', 'COMPLETE'])(
    'a request that is %s: not_waiting_signature',
    async (status) => {
      const { app, waiting } = await waitingApp();
      app.ctx.db.raw.prepare('UPDATE requests SET status = ?').run(status);
      const error = await rejection(reset(app, waiting));
      expect(error).toMatchObject({ kind: 'refused', code: 'not_waiting_signature' });
      expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
    },
  );

  test('another contract than the one that was to be replaced: already_reset, and nothing is cancelled', async () => {
    const { app, waiting } = await waitingApp();
    const { id: requestId } = waiting.request;
    const contractId = waiting.contract.id;
    const { id } = await resetSignature(app.ctx, requestId, { actor: TESTER, contractId });
    const again = resetSignature(app.ctx, requestId, { actor: TESTER, contractId });
    expect(await rejection(again)).toMatchObject({ kind: 'refused', code: 'already_reset' });
    expect(app.contract(requestId)).toMatchObject({ id, status: 'PENDING' });
    expect(there(app)).toMatchObject([{ status: 'canceled' }, { status: 'ongoing' }]);
  });

  test('restored data that are held: nothing is cancelled there or changed here, and a dry run still answers', async () => {
    const { app, waiting } = await waitingApp();
    const now = iso(app.clock.now());
    await app.ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: 0 }));
    expect(await rejection(reset(app, waiting))).toMatchObject({ kind: 'unavailable', code: 'held' });
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
    // Nothing is left to cancel there: it must not be closed here either.
    app.sandbox.decline(waiting.signId);
    const before = everything(app);
    expect(await rejection(reset(app, waiting))).toMatchObject({ code: 'held' });
    expect(everything(app)).toEqual(before);
    const dry = { actor: TESTER, dryRun: true };
    expect(await resetSignature(app.ctx, waiting.request.id, dry)).toBeUndefined();
  });

  test.each([
    [
      'a description that cannot be printed',
      "requests SET description = 'Fix \u{12000} it'",
      'unprintable_words',
    ],
    ['a name that the provider will not accept', "users SET lastName = 'Love & Co'", 'invalid_signer_name'],
  ])('%s: nothing is cancelled', async (_, change, code) => {
    const { app, waiting } = await waitingApp();
    app.ctx.db.raw.prepare(`UPDATE ${change}`).run();
    expect(await rejection(reset(app, waiting))).toMatchObject({ code });
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
  });

  test('a dry run asks the provider, shows the refusal, and changes nothing', async () => {
    const { app, waiting } = await waitingApp();
    const before = everything(app);
    const dry = () => resetSignature(app.ctx, waiting.request.id, { actor: TESTER, dryRun: true });
    expect(await dry()).toBeUndefined();
    expect(everything(app)).toEqual(before);
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
    app.sandbox.sign(waiting.signId);
    expect(await rejection(dry())).toMatchObject({ code: 'already_signed' });
  });
});

test('a request whose contract was lost gets a new one', async () => {
  const app = await startApp();
  const request = await app.addRequest(undefined, { status: 'WAITING_SIGNATURE' });
  const gone = resetSignature(app.ctx, request.id, { actor: TESTER, contractId: 7 });
  expect(await rejection(gone)).toMatchObject({ code: 'already_reset' });
  expect(await reset(app, { request })).toMatchObject({ status: 'PENDING' });
});
