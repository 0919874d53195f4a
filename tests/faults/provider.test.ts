/**
 * The signature provider in trouble: out of time, 401, 404 (also as a page), 429, 500, 503, reset, answer lost, at every call. Nothing
 * moves on a guess, and everything goes on by itself when the provider is back.
 */
import { describe, expect, test, vi } from 'vitest';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { resetSignature } from '../../src/core/signature/reset-signature.js';
import { startSignature } from '../support/start-signature.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp, type Waiting } from '../support/app.js';
import { everyCase } from '../support/breadth.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { PATIENCE, patienceWith } from '../support/patience.js';
import { deliver, deliverRaw, eventBody, sign, signedApp } from '../support/webhooks.js';

/** What each of them is to us is in tests/core/signature/provider.test.ts; here: what becomes of the act. */
const TROUBLES = everyCase(
  ['timeout', '401', '404', '404_html', '429', '500', '503', 'reset', 'answer_lost'],
  ['404_html', '503', 'answer_lost'],
);

const there = (app: TestApp) => app.sandbox.state().signatureRequests;

/** Everything that a failed call must leave as it is. */
const records = (app: TestApp) => ({
  requests: app.ctx.db.raw.prepare('SELECT * FROM requests').all(),
  contracts: app.ctx.db.raw.prepare('SELECT * FROM contracts').all(),
  payments: app.ctx.db.raw.prepare('SELECT * FROM payments').all(),
  mails: app.jobs('send-mail'),
});

describe('a webhook whose PDF cannot be had', () => {
  test.each(TROUBLES)('%s: 202, nothing moved; a later try completes it, once', async (trouble) => {
    const { app, waiting } = await signedApp(patienceWith(trouble));
    const before = records(app);
    const { id } = app.sandbox.faults.add(`signature.download:${trouble}`);

    expect(await deliver(app, waiting.signId)).toBe(202);
    await app.ctx.jobs.idle();
    expect(records(app)).toEqual(before);

    app.sandbox.faults.remove(id);
    app.clock.advance(MINUTE);
    await app.drain();
    expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });

  test('is tried after 1 s, 5 s, 30 s, 5 min, 30 min and 2 h, then it is in the failed list', async () => {
    const { app, waiting } = await signedApp();
    app.sandbox.faults.add('signature.download:401');
    const job = () => app.jobs('complete-signature')[0];
    await deliver(app, waiting.signId);
    await app.ctx.jobs.idle();

    for (const [tries, wait] of [1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR].entries()) {
      app.clock.advance(wait - 1);
      await app.drain();
      expect(job()).toMatchObject({ state: 'available', attempt: tries + 1 });
      app.clock.advance(1);
      await app.drain();
      expect(job()?.attempt).toBe(tries + 2);
    }

    expect(job()).toMatchObject({ state: 'failed', lastError: expect.stringContaining('401') });
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
  });
});

describe('a webhook that needs the provider’s word because our date has passed', () => {
  // The list overrules a 404 to a document that it holds.
  test.each(TROUBLES.filter((trouble) => trouble !== '404'))(
    '%s: 202 and no verdict; it completes when the provider can be asked',
    async (trouble) => {
      const app = await startApp(patienceWith(trouble));
      const waiting = await app.waitingRequest();
      app.clock.advance(29 * DAY);
      app.sandbox.sign(waiting.signId);
      app.clock.advance(2 * DAY);
      const before = records(app);
      const { id } = app.sandbox.faults.add(`signature.get:${trouble}`);

      expect(await deliver(app, waiting.signId)).toBe(202);
      await app.ctx.jobs.idle();
      expect(records(app)).toEqual(before);

      app.sandbox.faults.remove(id);
      app.clock.advance(MINUTE);
      await app.drain();
      expect(app.contract(waiting.request.id).status).toBe('SIGNED');
    },
  );
});

describe('starting a signature', () => {
  const steps = ['create', 'upload', 'signer', 'activate'];
  const missing = everyCase(['timeout', '404', '503'], ['503']);

  test.each(steps.flatMap((step) => missing.map((trouble) => [step, trouble] as const)))(
    '%s: %s refuses; the next start goes on with the same contract and signature request',
    async (step, trouble) => {
      const app = await startApp(patienceWith(trouble));
      const { id } = await app.addRequest();
      const start = async () => startSignature(app.ctx, id, { actor: TESTER, pdf: await anyContractPdf() });
      app.sandbox.faults.add(`signature.${step}:${trouble}:1`);

      expect(await rejection(start())).toMatchObject({ code: 'provider_unavailable' });
      expect(app.request(id).status).toBe('in_progress');

      const contract = await start();
      expect(there(app)).toMatchObject([{ id: contract.signId, status: 'ongoing' }]);
      expect(app.ctx.db.raw.prepare('SELECT id FROM contracts').all()).toEqual([{ id: contract.id }]);
    },
  );
});

describe('resetting a signature', () => {
  test.each(everyCase(['timeout', '401', '404', '429', '503', 'answer_lost'], ['404', 'answer_lost']))(
    'cancel: %s refuses and changes nothing here; the next reset does it',
    async (trouble) => {
      const app = await startApp(patienceWith(trouble));
      const { request } = await app.waitingRequest();
      const before = records(app);
      app.sandbox.faults.add(`signature.cancel:${trouble}:1`);

      const error = await rejection(resetSignature(app.ctx, request.id, { actor: TESTER }));
      expect(error).toMatchObject({ code: 'provider_unavailable' });
      expect(records(app)).toEqual(before);

      const contract = await resetSignature(app.ctx, request.id, { actor: TESTER });
      expect(there(app)).toMatchObject([{ status: 'canceled' }, { id: contract?.signId, status: 'ongoing' }]);
    },
  );
});

describe('the bulk check', () => {
  test.each(TROUBLES)('%s fails as a whole and changes nothing', async (trouble) => {
    const { app, waiting } = await signedApp(patienceWith(trouble));
    const before = records(app);
    app.sandbox.faults.add(`signature:${trouble}`);

    const pause = async () => undefined;
    const error = await rejection(checkAllSignatures(app.ctx, { actor: TESTER, pause }));
    expect(error).toMatchObject({ name: 'ProviderError' });
    expect(records(app)).toEqual(before);

    app.sandbox.faults.clear();
    expect(await checkAllSignatures(app.ctx, { actor: TESTER })).toMatchObject({ changed: 1, failed: 0 });
    expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
  });
});

test('interim answers that nobody asked for (100, 103) are skipped at every call of both providers', async () => {
  const app = await startApp();
  for (const target of ['signature', 'payment']) app.sandbox.faults.add(`${target}:interim`);

  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  expect(await deliver(app, signId)).toBe(200);
  await app.drain();

  const { status, paymentId } = app.request(request.id);
  expect([status, paymentId]).toEqual(['WAITING_PAYMENT', app.sandbox.state().sessions[0]?.id]);
});

test('while the provider hangs at one signature, another is completed and answered', async () => {
  const app = await startApp(patienceWith('timeout'));
  const [slow, quick] = [await app.waitingRequest(), await app.waitingRequest()];
  app.sandbox.sign(slow.signId);
  app.sandbox.sign(quick.signId);
  app.sandbox.faults.add('signature.download:timeout:1');
  const answerOf = ({ signId }: Waiting) => {
    const event = eventBody(app, signId);
    return deliverRaw(app, event, sign(Buffer.from(event)));
  };

  const slowAnswer = answerOf(slow);
  await vi.waitUntil(() => app.sandbox.state().faults.length === 0, PATIENCE);

  expect(await answerOf(quick)).toBe(200);
  expect(app.request(slow.request.id).status).toBe('WAITING_SIGNATURE');
  expect(await slowAnswer).toBe(202);
});
