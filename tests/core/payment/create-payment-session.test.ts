/** Payment: the session job with its retries (rules 5), the failed list, and the webhook that ends the story. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listFailed, replayFailed } from '../../../src/core/jobs/failed.js';
import { change } from '../../../src/core/change.js';
import { createPaymentSession } from '../../../src/core/payment/create-payment-session.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { receivePaymentWebhook } from '../../../src/core/payment/receive-payment-webhook.js';
import type { MailJob } from '../../../src/core/mail/mail-job.js';
import { sendMail } from '../../../src/core/mail/send-mail.js';
import { parseJob } from '../../../src/core/jobs/kinds.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { newestRejected } from '../../../src/core/inbox/inbox.js';
import { listHistory } from '../../../src/db/history/history.js';
import { listSentMails } from '../../../src/db/mail/sent-mails.js';
import type { JobRow } from '../../../src/db/schema.js';
import { currentPayment, loseAllAnswers, meanwhile, renewDespitePending } from '../../support/payments.js';
import {
  PAYMENT_WEBHOOK_SECRET,
  rejection,
  startApp,
  TESTER,
  type AppOptions,
  type TestApp,
  type Waiting,
} from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { aReceiver, answered } from '../../support/receiver.js';
import { deliveries, subscribed } from '../../support/subscriptions.js';
import {
  completedApp,
  deliver,
  deliverOtherAmount,
  deliverPayment,
  stripeSignature,
} from '../../support/webhooks.js';

const WRONG_SECRET = 'somebody-elses-secret';

/** Nobody knew of a session when it was asked for; a person had replayed the job so often. */
const keyOf = ({ contract }: Waiting, replays: number) =>
  expect.stringMatching(`^${contract.externalId}-0-${replays}-[0-9a-f]{16}$`) as string;

/** A request whose customer has the link to pay. */
async function payableApp(options: AppOptions = {}) {
  const { app, waiting } = await completedApp(options);
  await app.drain();
  return { app, waiting, paymentId: app.request(waiting.request.id).paymentId as string };
}

const tries = (app: TestApp) => app.sandbox.state().counters.calls['payment.create'] ?? 0;
const paymentJob = (app: TestApp) => app.jobs('create-payment-session')[0];
const statusOf = (app: TestApp, { request }: Waiting) => app.request(request.id).status;
const inbox = (app: TestApp) =>
  app.ctx.db.raw
    .prepare("SELECT eventName, state, outcome FROM inbox WHERE source = 'payment' ORDER BY id")
    .all();
const mailsTo = (app: TestApp) => app.jobs('send-mail').map((job) => JSON.parse(job.payload));

describe('the session', () => {
  test('is made with the contract’s price and names, and its link is mailed', async () => {
    const { app, waiting, paymentId } = await payableApp();
    const [session] = app.sandbox.state().sessions;
    expect(session).toMatchObject({
      id: paymentId,
      price: { amount: 12_000, currency: 'eur' },
      customer_email: waiting.owner.username,
      client_reference_id: waiting.contract.externalId,
      idempotency_key: keyOf(waiting, 0),
      metadata: { contract_id: String(waiting.contract.id), reference: waiting.request.reference },
    });
    expect(app.request(waiting.request.id).paymentUrl).toBe(session?.url);
    const page = await fetch(session?.url as string);
    expect(await page.text()).toContain(waiting.request.title);
    expect(mailsTo(app).at(-1)).toMatchObject({ mail: 'payment-link', paymentId });
  });

  /** Signed again after a reopening; the link of the first contract was mailed. */
  async function reopenedApp() {
    const { app, waiting } = await payableApp();
    const { id } = waiting.request;
    const by = { actor: TESTER, reason: 'sold' };
    await cancelRequest(app.ctx, id, by);
    await reopenRequest(app.ctx, id, by);
    const signId = (await startSignature(app.ctx, id, by)).signId as string;
    app.sandbox.sign(signId);
    await deliver(app, signId);
    return { app, waiting: { ...waiting, contract: app.contract(id) } };
  }

  test.each([
    ['', completedApp],
    [', also after a reopening', reopenedApp],
  ])(
    'is not mailed while a person must look at another payment, but once that is decided%s',
    async (_, signed) => {
      const { app, waiting } = await signed();
      const { id } = waiting.request;
      await paymentJobEnds(app, waiting);
      await deliverOtherAmount(app, id);
      await app.drain();
      const links = () =>
        listSentMails(app.ctx.db, { requestId: id }).filter(
          ({ mail, contractId }) => mail === 'payment-link' && contractId === waiting.contract.id,
        );
      expect(mailsTo(app)).toContainEqual(expect.objectContaining({ mail: 'payment-link' }));
      expect(links()).toEqual([]);

      await renewPaymentSession(app.ctx, id, { actor: TESTER, reason: 'refunded' });
      await app.drain();
      expect(links()).toHaveLength(1);
    },
  );

  test('is mailed although the decision came just while its mail was held back', async () => {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    await paymentJobEnds(app, waiting);
    await deliverOtherAmount(app, id);
    const row = app.jobs('send-mail').find(({ payload }) => payload.includes('"payment-link"')) as JobRow;
    const heldBack = await sendMail(app.ctx, parseJob(row) as MailJob);

    await renewPaymentSession(app.ctx, id, { actor: TESTER, reason: 'refunded' });

    const ended = change(app.ctx, { actor: TESTER }, (tx) => heldBack.settle?.(tx));
    expect((await rejection(ended)).message).toContain('after all');
  });

  test.each<[string, (app: TestApp, id: number) => unknown]>([
    ['a person must look at another payment', (app, id) => deliverOtherAmount(app, id)],
    ['the request is canceled', (app) => app.ctx.db.raw.exec("UPDATE requests SET status = 'CANCELED'")],
  ])('that is being made while %s is closed again, and nobody gets its link', async (_, happen) => {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    meanwhile(app, 'createSession', () => happen(app, id));
    await paymentJobEnds(app, waiting);
    expect(app.sandbox.state().sessions).toMatchObject([{ status: 'expired' }]);
    expect(app.history(id).slice(-2)).toEqual(['payment.session_created', 'payment.session_closed']);
    expect(app.request(id)).toMatchObject({ paymentId: null, paymentUrl: null });
    expect(mailsTo(app).filter(({ mail }) => mail === 'payment-link')).toEqual([]);
  });

  test('is not made for a request that waits for no payment', async () => {
    const { app, waiting } = await completedApp();
    app.ctx.db.raw.prepare("UPDATE requests SET status = 'COMPLETE'").run();
    expect(await paymentJobEnds(app, waiting)).toBe('paid');
    await app.drain();
    expect(paymentJob(app)).toMatchObject({ state: 'completed' });
    expect(tries(app)).toBe(0);
  });

  test('is not made when there is one already, and its link is not mailed again', async () => {
    const { app, waiting } = await payableApp();
    const mails = mailsTo(app);

    expect(await paymentJobEnds(app, waiting)).toBe('exists');
    expect(tries(app)).toBe(1);
    expect(mailsTo(app)).toEqual(mails);
  });

  test('is not made while one works that the request does not name', async () => {
    const { app, waiting, paymentId } = await payableApp();
    app.ctx.db.raw.exec("UPDATE requests SET paymentId = 'cs_earlier', paymentUrl = NULL");
    await paymentJobEnds(app, waiting);
    expect(tries(app)).toBe(1);
    expect(app.request(waiting.request.id).paymentId).toBe(paymentId);
  });

  test('that is being paid before its answer is on disk is the request’s', async () => {
    const { app, waiting } = await completedApp();
    meanwhile(app, 'createSession', async ({ id }) => {
      app.sandbox.pay(id, { async: true });
      await deliverPayment(app, id, { paymentStatus: 'unpaid' });
    });
    expect(await paymentJobEnds(app, waiting)).toBe('exists');
    const paymentId = app.sandbox.state().sessions[0]?.id;
    expect(app.request(waiting.request.id)).toMatchObject({ paymentId, paymentUrl: null });
  });

  test('is not made when the customer has paid another amount, which a person has to settle', async () => {
    const { app, waiting } = await failedApp();
    const { contract, request } = waiting;
    const metadata = { request_id: String(request.id), contract_id: String(contract.id) };
    const object = {
      client_reference_id: contract.externalId,
      amount_total: 9_900,
      currency: 'eur',
      metadata,
    };
    await deliverPayment(app, 'cs_of_another_price', { object });
    expect(await paymentJobEnds(app, waiting)).toBe('in_review');
    expect(tries(app)).toBe(4);
  });

  test('is made by the next attempt when somebody decides while the job ends without one', async () => {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    await deliverOtherAmount(app, id);
    const ran = await runPaymentJob(app, waiting);
    await settleRequest(app.ctx, id, { actor: TESTER, reason: 'refunded' });
    await expect(end(app, ran)).rejects.toThrow('after all');
  });
});

function runPaymentJob(app: TestApp, { request, contract }: Waiting) {
  const payload = { requestId: request.id, contractId: contract.id };
  return createPaymentSession(app.ctx, { payload, replays: 0 } as Parameters<typeof createPaymentSession>[1]);
}

function end(app: TestApp, { settle }: Awaited<ReturnType<typeof runPaymentJob>>) {
  return change(app.ctx, { actor: TESTER }, (tx) => settle?.(tx));
}

async function paymentJobEnds(app: TestApp, waiting: Waiting) {
  return end(app, await runPaymentJob(app, waiting));
}

describe('every step', () => {
  test('is in the history with its session and contract, and receivers are told of the request', async () => {
    const { app, waiting } = await completedApp({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
    const { id } = waiting.request;
    await subscribed(app, await aReceiver(answered(204)));
    const told = () => deliveries(app).length;
    const steps = () =>
      app.ctx.db.raw
        .prepare(
          "SELECT what, contractId, detail FROM history WHERE requestId = ? AND what LIKE 'payment.%' ORDER BY id",
        )
        .all(id)
        .map((row) => ({
          ...(row as { what: string; detail: string }),
          detail: JSON.parse((row as { detail: string }).detail),
        }));
    await app.drain();
    const paymentId = app.request(id).paymentId as string;
    const contractId = waiting.contract.id;
    expect(told()).toBe(1);

    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid', created: 1_772_442_000 });
    expect(currentPayment(app.ctx.db, { contractId })?.pendingSince).toBe('2026-03-02T09:00:00.000Z');
    await deliverPayment(app, paymentId);
    const price = { amount: 12_000, currency: 'eur' };
    expect(steps()).toEqual([
      { what: 'payment.session_created', contractId, detail: { paymentId } },
      { what: 'payment.pending', contractId, detail: { paymentId } },
      { what: 'payment.received', contractId, detail: { paymentId, ...price } },
    ]);
    const moved = app.ctx.db.raw.prepare(
      "SELECT contractId FROM history WHERE what = 'request.moved' ORDER BY id DESC LIMIT 1",
    );
    expect(moved.pluck().get()).toBe(contractId);
    expect(mailsTo(app).slice(-2)).toEqual([
      { mail: 'payment-received', contractId, paymentId },
      { mail: 'admin-paid', contractId, paymentId },
    ]);
  });

  test('includes the end of a link: receivers learn that it has expired', async () => {
    const { app, waiting } = await completedApp({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
    await subscribed(app, await aReceiver(answered(204)));
    await app.drain();
    const before = deliveries(app).length;
    const paymentId = app.request(waiting.request.id).paymentId as string;
    await deliverPayment(app, paymentId, { type: 'checkout.session.expired', paymentStatus: 'unpaid' });
    expect(deliveries(app)).toHaveLength(before + 1);
    const [ended] = listHistory(app.ctx.db, { requestId: waiting.request.id }).slice(-1);
    expect([ended?.what, ended?.detail]).toEqual(['payment.session_expired', JSON.stringify({ paymentId })]);
  });
});

describe('retries', () => {
  test.each([1, 2, 3])(
    'refused %d times: it comes with the next try, and never before its time',
    async (times) => {
      const { app, waiting } = await completedApp();
      app.sandbox.faults.add(`payment.create:500:${times}`);
      await app.drain();
      for (const [i, wait] of [1_000, 2_000, 4_000].slice(0, times).entries()) {
        expect(paymentJob(app)).toMatchObject({ state: 'available', attempt: i + 1 });
        app.clock.advance(wait - 1);
        await app.drain();
        expect(tries(app)).toBe(i + 1);
        app.clock.advance(1);
        await app.drain();
        expect(tries(app)).toBe(i + 2);
      }
      expect(paymentJob(app)).toMatchObject({ state: 'completed', attempt: times + 1 });
      expect(app.request(waiting.request.id).paymentUrl).toContain('/pay/');
      expect(app.sandbox.state().sessions).toHaveLength(1);
    },
  );

  test('refused four times: the job is in the failed list with its error, and the request waits', async () => {
    const { app, waiting } = await failedApp();
    expect(tries(app)).toBe(4);
    expect(listFailed(app.ctx, {}, { limit: 10 })).toMatchObject({
      total: 1,
      rows: [
        {
          job: {
            kind: 'create-payment-session',
            requestId: waiting.request.id,
            attempt: 4,
            lastError: 'payment provider answered 500 (An unknown error occurred)',
          },
        },
      ],
    });
    app.clock.advance(DAY);
    await app.drain();
    expect(tries(app)).toBe(4);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
  });

  test.each(['401', '404', '429', '503', 'reset'])(
    '%s is tried again like any other failure',
    async (kind) => {
      const { app } = await completedApp();
      app.sandbox.faults.add(`payment.create:${kind}:1`);
      await app.drain();
      expect(paymentJob(app)).toMatchObject({ state: 'available', runAt: '2026-03-02T09:14:08.250Z' });
      app.clock.advance(1_000);
      await app.drain();
      expect(paymentJob(app)).toMatchObject({ state: 'completed' });
    },
  );

  test.each([
    ['is found in the list', () => undefined, 1],
    [
      'is got by its key when the list does not show it',
      ({ ctx }: TestApp) => (ctx.payment.listSessions = () => Promise.resolve([])),
      3,
    ],
  ])('a session whose answer was lost %s', async (_, happen, calls) => {
    const { app, waiting } = await completedApp();
    happen(app);
    app.sandbox.faults.add('payment.create:answer_lost:2');
    for (const wait of [0, 1_000, 2_000]) {
      app.clock.advance(wait);
      await app.drain();
    }
    expect(app.sandbox.state().sessions).toMatchObject([{ idempotency_key: keyOf(waiting, 0) }]);
    expect(tries(app)).toBe(calls);
    expect(app.request(waiting.request.id).paymentId).toBe(app.sandbox.state().sessions[0]?.id);
    expect(mailsTo(app).filter(({ mail }) => mail === 'payment-link')).toHaveLength(1);
  });

  test('a customer who pays by a session whose answer was lost is not asked twice', async () => {
    const { app, waiting } = await completedApp();
    app.sandbox.faults.add('payment.create:answer_lost:1');
    await app.drain();
    const [session] = app.sandbox.state().sessions;
    expect(await deliverPayment(app, session?.id as string, { object: session ?? {} })).toBe(200);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
    expect(
      await deliverPayment(app, session?.id as string, { object: { ...session, payment_status: 'paid' } }),
    ).toBe(200);
    expect(statusOf(app, waiting)).toBe('COMPLETE');
    app.clock.advance(1_000);
    await app.drain();
    expect(paymentJob(app)).toMatchObject({ state: 'completed' });
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });
});

/** All four tries refused. */
async function failedApp(fault = 'payment.create:500') {
  const { app, waiting } = await completedApp();
  app.sandbox.faults.add(fault);
  await app.drain();
  for (const wait of [1_000, 2_000, 4_000]) {
    app.clock.advance(wait);
    await app.drain();
  }
  return { app, waiting, jobId: paymentJob(app)?.id as number };
}

/** A session is made, and nobody knows it. */
async function lostApp() {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  await loseAllAnswers(app, waiting.signId);
  return { app, waiting, jobId: paymentJob(app)?.id as number };
}

describe('replay', () => {
  test('asks again under another key, because the provider repeats what it stored', async () => {
    const { app, waiting, jobId } = await failedApp('payment.create:500_stored:1');
    app.sandbox.faults.clear();

    const result = await replayFailed(app.ctx, [jobId], { actor: TESTER, reason: 'provider is back' });

    expect(result).toMatchObject({ replayed: 1, failed: 0, results: [{ id: jobId, state: 'completed' }] });
    expect(app.sandbox.state().sessions).toMatchObject([{ idempotency_key: keyOf(waiting, 1) }]);
    expect(app.request(waiting.request.id).paymentUrl).toContain('/pay/');
    expect(app.history(waiting.request.id)).toContain('job.replayed');
  });

  test('that fails is back in the list with its new error and a higher count', async () => {
    const { app, jobId } = await failedApp();
    app.sandbox.faults.clear();
    app.sandbox.faults.add('payment:503');
    app.clock.advance(60_000);

    const result = await replayFailed(app.ctx, [jobId], { actor: TESTER });

    expect(result).toMatchObject({ replayed: 0, failed: 1, results: [{ state: 'failed' }] });
    expect(listFailed(app.ctx, {}, { limit: 10 }).rows).toMatchObject([
      { job: { id: jobId, attempt: 5, replays: 1, lastError: expect.stringContaining('503') } },
    ]);
  });

  test('after four lost answers makes a session that the customer gets, whatever became of the first', async () => {
    const { app, waiting, jobId } = await lostApp();
    const [lost] = app.sandbox.state().sessions;
    app.sandbox.expireSession(lost?.id as string);
    await deliverPayment(app, lost?.id as string, {
      type: 'checkout.session.expired',
      object: { ...lost, payment_status: 'unpaid' },
    });

    await replayFailed(app.ctx, [jobId], { actor: TESTER });

    const request = app.request(waiting.request.id);
    expect(request.paymentUrl).toContain('/pay/');
    expect(request.paymentId).not.toBe(lost?.id);
  });
});

describe('a session that nobody knows yet and whose end is reported by webhook', () => {
  function endsDuring(app: TestApp, call: 'listSessions' | 'createSession'): void {
    meanwhile(app, call, async ({ id }) => {
      app.sandbox.expireSession(id);
      await deliverPayment(app, id, { type: 'checkout.session.expired', paymentStatus: 'unpaid' });
    });
  }

  function onePageThatWorks(app: TestApp, { request }: Waiting): void {
    const [lost, made, ...more] = app.sandbox.state().sessions;
    expect([lost?.status, made?.status, more]).toEqual(['expired', 'open', []]);
    expect(app.request(request.id)).toMatchObject({ paymentId: made?.id, paymentUrl: made?.url });
    expect(paymentJob(app)).toMatchObject({ state: 'completed' });
    const links = mailsTo(app).filter(({ mail }) => mail === 'payment-link');
    expect(links).toMatchObject([{ paymentId: made?.id }]);
  }

  test('while a replay asks for the list: the customer gets another page', async () => {
    const { app, waiting, jobId } = await lostApp();
    app.clock.advance(DAY + 60_000);
    endsDuring(app, 'listSessions');

    await replayFailed(app.ctx, [jobId], { actor: TESTER });

    onePageThatWorks(app, waiting);
  });

  test('or whose payment, while a replay asks for a list that does not show it: no other page is made', async () => {
    const { app, waiting, jobId } = await lostApp();
    const [lost] = app.sandbox.state().sessions;
    app.ctx.payment.listSessions = async () => {
      await deliverPayment(app, lost?.id as string, { object: { ...lost, payment_status: 'paid' } });
      return [];
    };

    await replayFailed(app.ctx, [jobId], { actor: TESTER });

    expect(statusOf(app, waiting)).toBe('COMPLETE');
    expect(app.sandbox.state().sessions).toHaveLength(1);
  });

  test('while it is being made: another is made', async () => {
    const { app, waiting } = await completedApp();
    endsDuring(app, 'createSession');
    await app.drain();
    onePageThatWorks(app, waiting);
  });
});

describe('the webhook’s signature', () => {
  const event = (id: string) =>
    JSON.stringify({
      id: 'evt_1',
      type: 'checkout.session.completed',
      data: { object: { id, payment_status: 'paid' } },
    });
  const hmac = (stamp: number | string, body: string, secret = PAYMENT_WEBHOOK_SECRET) =>
    createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  const send = async (app: TestApp, body: string, signature: string | undefined) =>
    (await receivePaymentWebhook(app.ctx, { rawBody: Buffer.from(body), signature, address: '192.0.2.8' }))
      .status;

  test('missing, empty, wrong, without stamp, or over another body: 400, nothing moved, the reason kept', async () => {
    const { app, waiting, paymentId } = await payableApp();
    const body = event(paymentId);
    const now = Math.floor(app.clock.now().getTime() / 1000);
    const wrong = [
      undefined,
      '',
      'nonsense',
      `t=${now}`,
      `v1=${hmac(now, body)}`,
      `t=${now},v1=${'0'.repeat(64)}`,
      `t=${now},v1=${hmac(now, body).slice(0, 63)}`,
      `t=${now},v1=${hmac(now, body).toUpperCase()}`,
      `t=${now},v0=${hmac(now, body)}`,
      `t=${now + 1},v1=${hmac(now, body)}`,
      `t=${now},v1=${hmac(now, `${body} `)}`,
      `t=${now},v1=${hmac(now, body, WRONG_SECRET)}`,
    ];
    for (const signature of wrong) expect(await send(app, body, signature)).toBe(400);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
    expect(inbox(app)).toEqual([]);
    const reasons = newestRejected(app.ctx, 20).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['missing_signature', 'wrong_signature']));
  });

  test.each([
    [-300, 200],
    [-301, 400],
    [300, 200],
    [301, 400],
  ])('a stamp %d s away from now: %d', async (seconds, status) => {
    const { app, paymentId } = await payableApp();
    app.clock.set('2026-03-02T10:00:00.000Z');
    const stamp = Math.floor(app.clock.now().getTime() / 1000) + seconds;
    const body = event(paymentId);
    expect(await send(app, body, `t=${stamp},v1=${hmac(stamp, body)}`)).toBe(status);
  });

  test('several v1 digests: one that fits is enough', async () => {
    const { app, paymentId } = await payableApp();
    const body = event(paymentId);
    const now = Math.floor(app.clock.now().getTime() / 1000);
    const header = `t=${now},v1=${hmac(now, body, WRONG_SECRET)},v1=${hmac(now, body)},v0=abc`;
    expect(await send(app, body, header)).toBe(200);
  });

  test('during a rotation either secret fits', async () => {
    const { app, waiting } = await payableApp({
      env: { ESIGN_PAYMENT_WEBHOOK_SECRET: `the-new-secret-of-2026,${PAYMENT_WEBHOOK_SECRET}` },
    });
    const body = event('cs_unknown');
    expect(await send(app, body, stripeSignature(app, body, 'the-new-secret-of-2026'))).toBe(200);
    expect(await send(app, body, stripeSignature(app, body))).toBe(200);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
  });

  test('an address that forges more than 60 a minute gets 429, a genuine delivery from it still 200', async () => {
    const { app, paymentId } = await payableApp();
    const answers = [];
    for (let i = 0; i < 62; i += 1) answers.push(await send(app, '{}', undefined));
    expect(answers.filter((status) => status === 400)).toHaveLength(60);
    expect(answers.slice(60)).toEqual([429, 429]);
    expect(newestRejected(app.ctx, 100)).toHaveLength(60);
    const body = event(paymentId);
    expect(await send(app, body, stripeSignature(app, body))).toBe(200);
  });

  test('without a secret in the settings there is no such endpoint', async () => {
    const app = await startApp({ env: { ESIGN_PAYMENT_WEBHOOK_SECRET: '' } });
    const body = event('cs_1');
    expect(await send(app, body, stripeSignature(app, body))).toBe(404);
  });

  test.each([
    ['not JSON', 'hello'],
    ['without type', '{"id":"evt_1","data":{"object":{"id":"cs_1"}}}'],
    ['without session', '{"id":"evt_1","type":"checkout.session.completed","data":{}}'],
  ])('a genuine body that is %s: 400', async (_, body) => {
    const app = await startApp();
    expect(await send(app, body, stripeSignature(app, body))).toBe(400);
  });
});

describe('paid', () => {
  test('moves the request to COMPLETE, once, however often it is reported', async () => {
    const { app, waiting, paymentId } = await payableApp();
    const told = [
      deliverPayment(app, paymentId, { eventId: 'evt_1' }),
      deliverPayment(app, paymentId, { eventId: 'evt_1' }),
      deliverPayment(app, paymentId, { eventId: 'evt_2' }),
    ];
    expect(await Promise.all(told)).toEqual([200, 200, 200]);
    expect(await deliverPayment(app, paymentId, { eventId: 'evt_1' })).toBe(200);

    expect(statusOf(app, waiting)).toBe('COMPLETE');
    expect(currentPayment(app.ctx.db, { contractId: waiting.contract.id })).toMatchObject({
      state: 'paid',
      paidAt: '2026-03-02T09:14:07.250Z',
    });
    expect(app.history(waiting.request.id).filter((what) => what === 'payment.received')).toHaveLength(1);
    expect(inbox(app)).toMatchObject([{ outcome: 'paid' }, { outcome: 'repeat' }]);
  });

  test('later, by a slow means of payment: completed unpaid changes nothing, async succeeded completes', async () => {
    const { app, waiting, paymentId } = await payableApp();
    expect(await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' })).toBe(200);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
    const type = 'checkout.session.async_payment_succeeded';
    expect(await deliverPayment(app, paymentId, { type })).toBe(200);
    expect(statusOf(app, waiting)).toBe('COMPLETE');
  });

  test('even when reported in the wrong order', async () => {
    const { app, waiting, paymentId } = await payableApp();
    await deliverPayment(app, paymentId, { type: 'checkout.session.async_payment_succeeded' });
    await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
    await deliverPayment(app, paymentId, { type: 'checkout.session.expired', paymentStatus: 'unpaid' });
    expect(statusOf(app, waiting)).toBe('COMPLETE');
    expect(currentPayment(app.ctx.db, { contractId: waiting.contract.id })?.state).toBe('paid');
  });

  test('nothing to pay counts as paid', async () => {
    const { app, waiting, paymentId } = await payableApp();
    await deliverPayment(app, paymentId, { paymentStatus: 'no_payment_required' });
    expect(statusOf(app, waiting)).toBe('COMPLETE');
  });

  test('the real events of the provider are understood', async () => {
    const { app, waiting, paymentId } = await payableApp();
    const sent: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const signature = request.headers['stripe-signature'] as string;
        sent.push(signature);
        void receivePaymentWebhook(app.ctx, { rawBody: Buffer.from(body), signature, address: '::1' }).then(
          ({ status }) => response.writeHead(status).end(),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    app.sandbox.setWebhookTargets({
      paymentWebhookUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    });
    app.sandbox.pay(paymentId);
    await app.sandbox.settled();
    server.close();
    expect(sent).toHaveLength(1);
    expect(statusOf(app, waiting)).toBe('COMPLETE');
  });
});

describe('not paid', () => {
  test('async failed: the administrator is notified once, the request keeps waiting', async () => {
    const { app, waiting, paymentId } = await payableApp();
    const type = 'checkout.session.async_payment_failed';
    await deliverPayment(app, paymentId, { type, paymentStatus: 'unpaid' });
    await deliverPayment(app, paymentId, { type, paymentStatus: 'unpaid' });
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
    expect(mailsTo(app).filter(({ mail }) => mail === 'payment-trouble')).toMatchObject([
      { trouble: 'payment_failed', paymentId },
    ]);
    expect(app.history(waiting.request.id)).toContain('payment.failed');
    // Nobody can pay there any more.
    expect(app.request(waiting.request.id)).toMatchObject({ paymentUrl: null, paymentId });
  });

  test('expired: the link that no longer works is taken away', async () => {
    const { app, waiting, paymentId } = await payableApp();
    await deliverPayment(app, paymentId, { type: 'checkout.session.expired', paymentStatus: 'unpaid' });
    expect(app.request(waiting.request.id)).toMatchObject({
      status: 'WAITING_PAYMENT',
      paymentUrl: null,
      paymentId,
    });
    expect(currentPayment(app.ctx.db, { contractId: waiting.contract.id })?.state).toBe('over');
  });

  test('after it was paid: a late refusal or end changes nothing', async () => {
    const { app, waiting, paymentId } = await payableApp();
    await deliverPayment(app, paymentId);
    for (const type of ['checkout.session.async_payment_failed', 'checkout.session.expired'])
      await deliverPayment(app, paymentId, { type, paymentStatus: 'unpaid' });
    expect(inbox(app)).toMatchObject([{ outcome: 'paid' }, { outcome: 'repeat' }, { outcome: 'repeat' }]);
    expect(statusOf(app, waiting)).toBe('COMPLETE');
    expect(currentPayment(app.ctx.db, { contractId: waiting.contract.id })?.state).toBe('paid');
    expect(mailsTo(app).filter(({ mail }) => mail === 'payment-trouble')).toEqual([]);
  });

  test('the end of an old session leaves the new link', async () => {
    const { app, waiting, paymentId } = await payableApp();
    app.sandbox.expireSession(paymentId);
    const made = await renewPaymentSession(app.ctx, waiting.request.id, { actor: TESTER });
    await deliverPayment(app, paymentId, { type: 'checkout.session.expired', paymentStatus: 'unpaid' });
    const { paymentUrl } = made as { paymentUrl: string };
    expect(app.request(waiting.request.id)).toMatchObject({ paymentId: made?.paymentId, paymentUrl });
  });

  test('an event about a session that means nothing to us is recorded and ignored', async () => {
    const { app, waiting, paymentId } = await payableApp();
    await deliverPayment(app, paymentId, { type: 'checkout.session.viewed', paymentStatus: 'unpaid' });
    expect(inbox(app)).toMatchObject([{ state: 'ignored', outcome: 'not_used' }]);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
  });

  test('other events are recorded and ignored', async () => {
    const { app, waiting, paymentId } = await payableApp();
    expect(await deliverPayment(app, paymentId, { type: 'charge.refunded' })).toBe(200);
    expect(inbox(app)).toMatchObject([{ state: 'ignored', outcome: 'not_used' }]);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
  });

  test('so are those about things that are no session, and have no id of their own', async () => {
    const app = await startApp();
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'balance.available',
      data: { object: { object: 'balance' } },
    });
    const delivery = { rawBody: Buffer.from(body), signature: stripeSignature(app, body), address: '::1' };
    expect(await receivePaymentWebhook(app.ctx, delivery)).toEqual({ status: 200 });
    expect(inbox(app)).toMatchObject([{ eventName: 'balance.available', outcome: 'not_used' }]);
  });
});

describe('sessions that are not the one that counts', () => {
  test('an unknown session: 200, recorded, nothing moved', async () => {
    const { app, waiting } = await payableApp();
    expect(await deliverPayment(app, 'cs_of_somebody_else')).toBe(200);
    expect(inbox(app)).toMatchObject([{ state: 'ignored', outcome: 'unknown_session' }]);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
  });

  test('an older one that is paid completes the request and closes the newer; paid all the same, that is a case for the administrator', async () => {
    const { app, waiting, paymentId } = await payableApp();
    app.sandbox.pay(paymentId, { async: true });
    const newer = (await renewDespitePending(app.ctx, waiting.request.id))?.paymentId as string;
    await deliverPayment(app, paymentId);
    expect(statusOf(app, waiting)).toBe('COMPLETE');
    await app.drain();
    expect(app.sandbox.state().sessions[1]).toMatchObject({ id: newer, status: 'expired' });

    await deliverPayment(app, newer);
    expect(app.history(waiting.request.id).at(-1)).toBe('payment.old_session_paid');
    expect(mailsTo(app).at(-1)).toMatchObject({ mail: 'payment-trouble', trouble: 'old_session_paid' });
    expect(inbox(app)).toMatchObject([
      { outcome: 'paid' },
      { state: 'refused', outcome: 'old_session_paid' },
    ]);
  });

  test('a session of a contract that was replaced, paid before the new one has a link: not COMPLETE, but the administrator is notified', async () => {
    const { app, waiting, paymentId } = await payableApp();
    app.ctx.db.raw.exec(`
      UPDATE contracts SET status = 'EXPIRED';
      INSERT INTO contracts (key, externalId, requestId, status, amount, currency, createdAt, signedAt, signId, signerId, pdfSha256)
        SELECT '00000000000000ff', 'newer', requestId, 'SIGNED', amount, currency, createdAt, signedAt, 'newer', signerId, pdfSha256 FROM contracts;
      UPDATE requests SET paymentId = NULL, paymentUrl = NULL`);
    await deliverPayment(app, paymentId);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
    expect(inbox(app)).toMatchObject([{ outcome: 'old_session_paid' }]);
    expect(mailsTo(app).at(-1)).toMatchObject({ mail: 'payment-trouble', trouble: 'old_session_paid' });
  });

  test('one whose answer was lost is taken for ours when contract, request, amount and currency agree', async () => {
    const { app, waiting } = await completedApp();
    app.sandbox.faults.add('payment.create:answer_lost:1');
    await app.drain();
    const [session] = app.sandbox.state().sessions;
    await deliverPayment(app, session?.id as string, { object: { ...session, payment_status: 'paid' } });
    expect(statusOf(app, waiting)).toBe('COMPLETE');
    expect(currentPayment(app.ctx.db, { contractId: waiting.contract.id })).toMatchObject({
      paymentId: session?.id,
      state: 'paid',
    });
  });

  test.each([
    ['another amount', { amount_total: 1 }],
    ['another currency', { currency: 'usd' }],
    ['our row ids only, which another installation has too', { client_reference_id: '1' }],
    ['another installation’s name', { client_reference_id: 'esign-0123456789abcdef-0123456789abcdef' }],
    ['no name', { client_reference_id: undefined }],
  ])('but not one with %s', async (_, change) => {
    const { app, waiting } = await completedApp();
    app.sandbox.faults.add('payment.create:answer_lost:1');
    await app.drain();
    const [session] = app.sandbox.state().sessions;
    const object = { ...session, payment_status: 'paid', ...change };
    expect(await deliverPayment(app, session?.id as string, { object })).toBe(200);
    expect(statusOf(app, waiting)).toBe('WAITING_PAYMENT');
  });
});

test('a request that waits for its signature is not completed by a payment', async () => {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  await resetSignature(app.ctx, waiting.request.id, { actor: TESTER });
  await deliverPayment(app, 'cs_early', {
    object: {
      client_reference_id: waiting.contract.externalId,
      amount_total: 12_000,
      currency: 'eur',
    },
  });
  expect(statusOf(app, waiting)).toBe('WAITING_SIGNATURE');
  expect(mailsTo(app)).toMatchObject([{ mail: 'payment-trouble', trouble: 'old_session_paid' }]);
});
