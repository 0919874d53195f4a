/** The job that makes the page to pay, with its retries and replays (rules 5); sessions that nobody knows of: observe.test.ts. */
import { expect, test } from 'vitest';
import { change } from '../../../src/core/change.js';
import { listFailed, replayFailed } from '../../../src/core/jobs/failed.js';
import { parseJob } from '../../../src/core/jobs/kinds.js';
import type { MailJob } from '../../../src/core/mail/mail-job.js';
import { sendMail } from '../../../src/core/mail/send-mail.js';
import { createPaymentSession } from '../../../src/core/payment/create-payment-session.js';
import type { JobRow } from '../../../src/db/schema.js';
import { type TestApp } from '../../support/app.js';
import { MINUTE, SECOND } from '../../support/clock.js';
import { patienceWith } from '../../support/patience.js';
import { aReceiver, answered } from '../../support/receiver.js';
import { BY, story } from '../../support/story.js';
import { deliveries, subscribed } from '../../support/subscriptions.js';
import { table, type Words } from '../../support/table.js';
import { deliverPayment } from '../../support/webhooks.js';

const paymentJob = (app: TestApp) => app.jobs('create-payment-session')[0] as JobRow;
const run = ({ ctx }: TestApp, requestId: number) =>
  createPaymentSession(ctx, { payload: { requestId }, replays: 0 } as Parameters<
    typeof createPaymentSession
  >[1]);
const end = ({ ctx }: TestApp, { settle }: Awaited<ReturnType<typeof run>>) =>
  change(ctx, BY, (tx) => settle?.(tx));

test('the session has the contract’s price and names, and its link is mailed', async () => {
  const { app, id, page } = await story().linked().end();
  const { owner, request, contract } = app.waiting(id);
  expect(app.sandbox.state().sessions).toMatchObject([
    {
      id: request.paymentId,
      url: request.paymentUrl,
      price: { amount: 12_000, currency: 'eur' },
      customer_email: owner.username,
      client_reference_id: contract.externalId,
      metadata: { contract_id: String(contract.id), reference: request.reference },
    },
  ]);
  expect(await (await fetch(request.paymentUrl as string)).text()).toContain(request.title);
  const mail = JSON.parse(app.jobs('send-mail').at(-1)?.payload ?? '');
  expect(mail).toMatchObject({ mail: 'payment-link', paymentId: page('older') });
});

const words: Words = {
  /** The job runs beside the one that is owed. */
  runs: (s, outcome) => s.does(async (app, id) => expect(await end(app, await run(app, id))).toBe(outcome)),
  /** No key was used before, and a person has replayed the job so often. */
  keyHas: (s, replays) =>
    s.does((app, id) => {
      const key = new RegExp(`^${app.contract(id).externalId}-0-${replays}-[0-9a-f]{16}$`);
      expect(app.sandbox.state().sessions.at(-1)?.idempotency_key).toMatch(key);
    }),
  isInFailedList: (s) =>
    s.does(({ ctx }, requestId) => {
      const lastError = 'payment provider answered 500 (An unknown error occurred)';
      const job = { kind: 'create-payment-session', requestId, attempt: 4, lastError };
      expect(listFailed(ctx, {}, { limit: 10 })).toMatchObject({ total: 1, rows: [{ job }] });
    }),
  rowIs: (s, status) => s.does((app) => app.ctx.db.raw.prepare('UPDATE requests SET status = ?').run(status)),
  namesAnother: (s) =>
    s.does((app) => app.ctx.db.raw.exec("UPDATE requests SET paymentId = 'cs_earlier', paymentUrl = NULL")),
  listIsEmpty: (s) => s.does(({ ctx }) => void (ctx.payment.listSessions = () => Promise.resolve([]))),
  isPaidWhileListed: (s) =>
    s.does((app) => {
      app.ctx.payment.listSessions = async () => {
        await deliverPayment(app, s.page('older'));
        return [];
      };
    }),
};

const ONE_LINK = 'sent payment-link 1; jobs completed';
const NEXT = `${ONE_LINK}; link payment_page newer; sessions expired open`;
const LOST_LISTLESS = 'completed; fault payment.create:answer_lost; drained; fault payment.list:500';
const ONE_SESSION = `${ONE_LINK}; names older; sessions open`;
const CLOSED_AGAIN = `sessions expired; names nothing; not shown; mails payment-link 0;
    told payment.session_created 1 payment.session_closed 1`;

table(
  `
  no page is made for a request that waits for no payment
    completed; rowIs COMPLETE; runs paid; drained → jobs completed; calls payment.create 0
  nor when there is one, which is not mailed again, although the request does not name it
    linked; namesAnother; runs exists; drained → names older; calls payment.create 1; sent payment-link 1
  nor when another amount was paid, which a person has to decide about
    fault payment.create:500; sent; signedInVain; otherAmount; runs in_review → calls payment.create 4
  nor by a replay then
    fault payment.create:500; sent; signedInVain; otherAmount; noFaults; replayed
    → sessions none; findings payment_case: other_price
  one that is being paid before its answer is on disk is the request’s
    completed; meanwhile createSession: pending older; runs exists → names older; not shown
  one that is being made while a person must look at another payment is closed again, and nobody gets its link
    completed; meanwhile createSession: otherAmount; drained → ${CLOSED_AGAIN}
  so is one that is being made while the request is canceled
    completed; meanwhile createSession: rowIs CANCELED; drained → ${CLOSED_AGAIN}
  its link is not mailed while a person must look at another payment, but once that is decided
    completed; runs created; otherAmount; drained → sent payment-link 0
    renewed; drained → sent payment-link 1; link payment_page newer
  also after a reopening, although the link of the first contract was mailed
    linked; canceled; reopened; sentNext; signed; runs created; otherAmount; drained → sent payment-link 1
    renewed; drained → sent payment-link 2; link payment_page third
  it is made although money that was given up for the contract before cannot be asked about
    linked; pending older; givenUp; canceled; reopened; sentNext; fault payment.get:500; signed; drained
    → sessions complete open; sent payment-link 2; jobs completed completed
  refused four times, the job is in the failed list with its error, and the request waits
    fault payment.create:500; sent; signedInVain; waits 1d; drained; isInFailedList
    → WAITING_PAYMENT; calls payment.create 4
  an answer that is lost twice is found in the list by the next try
    completed; fault payment.create:answer_lost:2; drained; waits 1s; drained; waits 2s; drained; keyHas 0
    → ${ONE_LINK}; sessions open; calls payment.create 1
  or got by its key when the list does not show it
    completed; listIsEmpty; fault payment.create:answer_lost:2; drained; waits 1s; drained; waits 2s; drained
    keyHas 0 → ${ONE_LINK}; sessions open; calls payment.create 3
  nothing comes of a list that fails then, at the next try
    ${LOST_LISTLESS}; noFaults; waits 1s; drained → ${ONE_SESSION}
  nor at the last one
    ${LOST_LISTLESS}; waits 1s; drained; waits 2s; drained; noFaults; waits 4s; drained → ${ONE_SESSION}
  where it never answers, there is still one session, which counts when the customer pays by it
    ${LOST_LISTLESS}; waits 1s; drained; waits 2s; drained; waits 4s; drained
    → jobs failed; sessions open; names nothing; WAITING_PAYMENT
    paid older → COMPLETE
  a replay asks again under another key, because the provider repeats what it stored
    fault payment.create:500_stored:1; sent; signedInVain; noFaults; replayed; keyHas 1
    → ${ONE_LINK}; link payment_page older; told job.replayed 1
  a replay after four lost answers makes a session that the customer gets, whatever became of the first
    answersLost; ends older; ended older; replayed → ${NEXT}
  one whose end is reported while a replay asks for the list is followed by another
    answersLost; waits 1d; waits 1m; meanwhile listSessions: ends older, ended older; replayed → ${NEXT}
  so is one whose end is reported while it is being made
    completed; meanwhile createSession: ends older, ended older; drained → ${NEXT}
  no other is made when its payment is reported while a replay asks for a list that does not show it
    answersLost; isPaidWhileListed; replayed → COMPLETE; calls payment.create 4`,
  { words },
);

test('the link is mailed although the decision came just while its mail was held back', async () => {
  // The mail that announces the link has left, before the page is made.
  const { app, id } = await story().completed().fault('payment.create:500:1').drained().end();
  await end(app, await run(app, id));
  await story.on(app, id).otherAmount().end();
  const row = app.jobs('send-mail').find(({ payload }) => payload.includes('"payment-link"')) as JobRow;
  const heldBack = await sendMail(app.ctx, parseJob(row) as MailJob);
  await story.on(app, id).renewed().end();
  await expect(change(app.ctx, BY, (tx) => heldBack.settle?.(tx))).rejects.toThrow('after all');
});

test('the page is made by the next attempt when somebody decides while the job ends without one', async () => {
  const { app, id } = await story().completed().otherAmount().end();
  const ran = await run(app, id);
  await story.on(app, id).settled().end();
  await expect(end(app, ran)).rejects.toThrow('after all');
});

test.each(['500', '401', '404', '429', '503', 'reset'])(
  'answered %s three times, it comes with the next try, and never before its time',
  async (kind) => {
    const { app } = await story().completed().fault(`payment.create:${kind}:3`).drained().end();
    const tries = () => app.sandbox.state().counters.calls['payment.create'];
    for (const [i, wait] of [SECOND, 2 * SECOND, 4 * SECOND].entries()) {
      expect(paymentJob(app)).toMatchObject({ state: 'available', attempt: i + 1 });
      app.clock.advance(wait - 1);
      await app.drain();
      expect(tries()).toBe(i + 1);
      app.clock.advance(1);
      await app.drain();
      expect(tries()).toBe(i + 2);
    }
    expect(paymentJob(app)).toMatchObject({ state: 'completed', attempt: 4 });
    expect(app.sandbox.state().sessions).toHaveLength(1);
  },
);

test('a replay that fails is back in the list with its new error and a higher count', async () => {
  const { app } = await story()
    .fault('payment.create:500')
    .sent()
    .signedInVain()
    .noFaults()
    .fault('payment:503')
    .waits(MINUTE)
    .end();
  const { id } = paymentJob(app);
  const result = await replayFailed(app.ctx, [id], BY);
  expect(result).toMatchObject({ replayed: 0, failed: 1, results: [{ state: 'failed' }] });
  const lastError = expect.stringContaining('503') as unknown;
  const job = { id, attempt: 5, replays: 1, lastError };
  expect(listFailed(app.ctx, {}, { limit: 10 }).rows).toMatchObject([{ job }]);
});

test('a call that is still under way when the next one comes makes no second session', async () => {
  const { app } = await story(patienceWith('timeout')).completed().end();
  // We give up after 2 s; the provider goes on and has the session a second later.
  app.sandbox.faults.add({ target: 'payment', operation: 'create', kind: 'delay', delayMs: 3_000, times: 1 });
  for (const waitMs of [0, SECOND, 2 * SECOND, 4 * SECOND]) {
    app.clock.advance(waitMs);
    await app.drain();
  }
  await expect.poll(() => app.sandbox.state().sessions).toHaveLength(1);
  app.clock.advance(10 * SECOND);
  await app.drain();
  expect(Object.values(app.sandbox.state().counters.sessionsByKey)).toEqual([1]);
});

async function subscribedApp() {
  const { app, waiting } = await story({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } })
    .completed()
    .end();
  await subscribed(app, await aReceiver(answered(204)));
  await app.drain();
  return { app, id: waiting.request.id, contractId: waiting.contract.id };
}

test('every step is in the history with its session and contract, and receivers are told of the request', async () => {
  const { app, id, contractId } = await subscribedApp();
  const paymentId = app.request(id).paymentId as string;
  expect(deliveries(app)).toHaveLength(1);
  await story.on(app, id).hears('older', { paymentStatus: 'unpaid', created: 1_772_442_000 }).end();
  const since = app.ctx.db.raw.prepare('SELECT pendingSince FROM payments').pluck();
  expect(since.get()).toBe('2026-03-02T09:00:00.000Z');
  await story.on(app, id).hears('older').end();

  const sql = `SELECT what || ' ' || contractId || ' ' || detail FROM history
               WHERE requestId = ? AND what LIKE 'payment.%' ORDER BY id`;
  expect(app.ctx.db.raw.prepare(sql).pluck().all(id)).toEqual([
    `payment.session_created ${contractId} {"paymentId":"${paymentId}"}`,
    `payment.pending ${contractId} {"paymentId":"${paymentId}"}`,
    `payment.received ${contractId} {"paymentId":"${paymentId}","amount":12000,"currency":"eur"}`,
  ]);
  const moved = "SELECT contractId FROM history WHERE what = 'request.moved' ORDER BY id DESC LIMIT 1";
  expect(app.ctx.db.raw.prepare(moved).pluck().get()).toBe(contractId);
  const mails = app.jobs('send-mail').map(({ payload }) => JSON.parse(payload) as unknown);
  expect(mails.slice(-2)).toEqual([
    { mail: 'payment-received', contractId, paymentId },
    { mail: 'admin-paid', contractId, paymentId },
  ]);
});

test('receivers learn that a link has expired', async () => {
  const { app, id } = await subscribedApp();
  const before = deliveries(app).length;
  await story.on(app, id).ended('older').end();
  expect(deliveries(app)).toHaveLength(before + 1);
});
