/** The job that makes the page to pay, with its retries and replays (rules 5); sessions that nobody knows of: observe.test.ts. */
import { expect, test } from 'vitest';
import { change } from '../../../src/core/change.js';
import { listFailed, replayFailed } from '../../../src/core/jobs/failed.js';
import { parseJob } from '../../../src/core/jobs/kinds.js';
import type { MailJob } from '../../../src/core/mail/mail-job.js';
import { sendMail } from '../../../src/core/mail/send-mail.js';
import { createPaymentSession } from '../../../src/core/payment/create-payment-session.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import type { JobRow } from '../../../src/db/schema.js';
import { rejection, type TestApp } from '../../support/app.js';
import { DAY, MINUTE, SECOND } from '../../support/clock.js';
import { tell, type History } from '../../support/histories.js';
import { aReceiver, answered } from '../../support/receiver.js';
import { BY, story, UNPAID, type Story } from '../../support/story.js';
import { deliveries, subscribed } from '../../support/subscriptions.js';
import { completedApp, deliverPayment, signWithAllTries } from '../../support/webhooks.js';

const paymentJob = (app: TestApp) => app.jobs('create-payment-session')[0] as JobRow;
const run = ({ ctx }: TestApp, requestId: number) =>
  createPaymentSession(ctx, { payload: { requestId }, replays: 0 } as Parameters<
    typeof createPaymentSession
  >[1]);
const end = ({ ctx }: TestApp, { settle }: Awaited<ReturnType<typeof run>>) =>
  change(ctx, BY, (tx) => settle?.(tx));
/** The job runs beside the one that is owed. */
const ends = (s: Story, outcome: string) =>
  s.does(async (app, id) => expect(await end(app, await run(app, id))).toBe(outcome));
/** No key was used before, and a person has replayed the job so often. */
const keyIs = (s: Story, replays: number) =>
  s.does((app, id) => {
    const { externalId } = app.contract(id);
    const key = new RegExp(`^${externalId}-0-${replays}-[0-9a-f]{16}$`);
    expect(app.sandbox.state().sessions.at(-1)?.idempotency_key).toMatch(key);
  });
const tried = (s: Story) =>
  s
    .drained()
    .waits(SECOND)
    .drained()
    .waits(2 * SECOND)
    .drained();
/** All four tries refused. */
const failed = (s: Story, fault = 'payment.create:500') =>
  s
    .fault(fault)
    .sent()
    .does((app, id) => signWithAllTries(app, app.contract(id).signId as string));
const decided = (s: Story) => s.does(({ ctx }, id) => settleRequest(ctx, id, { ...BY, reason: 'refunded' }));

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

const ONE_LINK = { mails: { 'payment-link': 1 }, jobs: ['completed'] };

tell([
  [
    'no page is made for a request that waits for no payment',
    (s) =>
      ends(
        s.completed().does((app) => app.ctx.db.raw.exec("UPDATE requests SET status = 'COMPLETE'")),
        'paid',
      ).drained(),
    { jobs: ['completed'], calls: { 'payment.create': 0 } },
  ],
  [
    'nor when there is one, which is not mailed again, although the request does not name it',
    (s) =>
      ends(
        s
          .linked()
          .does((app) =>
            app.ctx.db.raw.exec("UPDATE requests SET paymentId = 'cs_earlier', paymentUrl = NULL"),
          ),
        'exists',
      ),
    { names: 'older', calls: { 'payment.create': 1 }, mails: { 'payment-link': 1 } },
  ],
  [
    'nor when another amount was paid, which a person has to decide about',
    (s) => ends(failed(s).otherAmount(), 'in_review'),
    { calls: { 'payment.create': 4 } },
  ],
  [
    'nor by a replay then',
    (s) => failed(s).otherAmount().noFaults().replayed(),
    { sessions: [], findings: ['payment_case: other_price'] },
  ],
  [
    'one that is being paid before its answer is on disk is the request’s',
    (s) =>
      ends(
        s.completed().meanwhile('createSession', (t) => t.pending('older')),
        'exists',
      ),
    { names: 'older', isShown: false },
  ],
  ...(
    [
      ['a person must look at another payment', (s) => s.otherAmount()],
      [
        'the request is canceled',
        (s) => s.does((app) => app.ctx.db.raw.exec("UPDATE requests SET status = 'CANCELED'")),
      ],
    ] as [string, (s: Story) => Story][]
  ).map(([what, happen]): History => [
    `one that is being made while ${what} is closed again, and nobody gets its link`,
    (s: Story) => s.completed().meanwhile('createSession', happen).drained(),
    {
      sessions: ['expired'],
      names: null,
      isShown: false,
      told: { 'payment.session_created': 1, 'payment.session_closed': 1 },
      mails: { 'payment-link': 0 },
    },
  ]),
  [
    'its link is not mailed while a person must look at another payment, but once that is decided',
    (s) =>
      s
        .completed()
        .does(async (app, id) => end(app, await run(app, id)))
        .otherAmount()
        .drained()
        .is({ sent: { 'payment-link': 0 } })
        .renewed()
        .drained()
        .is({ sent: { 'payment-link': 1 } }),
    { link: 'payment_page newer' },
  ],
  [
    'also after a reopening, although the link of the first contract was mailed',
    (s) =>
      s
        .linked()
        .canceled()
        .reopened()
        .sentNext()
        .signed()
        .does(async (app, id) => end(app, await run(app, id)))
        .otherAmount()
        .drained()
        .is({ sent: { 'payment-link': 1 } })
        .renewed()
        .drained()
        .is({ sent: { 'payment-link': 2 } }),
    { link: 'payment_page third' },
  ],
  [
    'refused four times, the job is in the failed list with its error, and the request waits',
    (s) =>
      failed(s)
        .waits(DAY)
        .drained()
        .does(({ ctx }, requestId) => {
          const lastError = 'payment provider answered 500 (An unknown error occurred)';
          const job = { kind: 'create-payment-session', requestId, attempt: 4, lastError };
          expect(listFailed(ctx, {}, { limit: 10 })).toMatchObject({ total: 1, rows: [{ job }] });
        }),
    { status: 'WAITING_PAYMENT', calls: { 'payment.create': 4 } },
  ],
  [
    'an answer that is lost twice is found in the list by the next try',
    (s) => keyIs(tried(s.completed().fault('payment.create:answer_lost:2')), 0),
    { ...ONE_LINK, sessions: ['open'], calls: { 'payment.create': 1 } },
  ],
  [
    'or got by its key when the list does not show it',
    (s) =>
      keyIs(
        tried(
          s
            .completed()
            .does(({ ctx }) => {
              ctx.payment.listSessions = () => Promise.resolve([]);
            })
            .fault('payment.create:answer_lost:2'),
        ),
        0,
      ),
    { ...ONE_LINK, sessions: ['open'], calls: { 'payment.create': 3 } },
  ],
  [
    'a replay asks again under another key, because the provider repeats what it stored',
    (s) => keyIs(failed(s, 'payment.create:500_stored:1').noFaults().replayed(), 1),
    { ...ONE_LINK, link: 'payment_page older', told: { 'job.replayed': 1 } },
  ],
  [
    'a replay after four lost answers makes a session that the customer gets, whatever became of the first',
    (s) => s.answersLost().ends('older').ended('older').replayed(),
    { ...ONE_LINK, link: 'payment_page newer', sessions: ['expired', 'open'] },
  ],
  [
    'one whose end is reported while a replay asks for the list is followed by another',
    (s) =>
      s
        .answersLost()
        .waits(DAY + MINUTE)
        .meanwhile('listSessions', (t) => t.ends('older').ended('older'))
        .replayed(),
    { ...ONE_LINK, link: 'payment_page newer', sessions: ['expired', 'open'] },
  ],
  [
    'so is one whose end is reported while it is being made',
    (s) =>
      s
        .completed()
        .meanwhile('createSession', (t) => t.ends('older').ended('older'))
        .drained(),
    { ...ONE_LINK, link: 'payment_page newer', sessions: ['expired', 'open'] },
  ],
  [
    'no other is made when its payment is reported while a replay asks for a list that does not show it',
    (s) =>
      s
        .answersLost()
        .does((app) => {
          app.ctx.payment.listSessions = async () => {
            await deliverPayment(app, app.sandbox.state().sessions[0]?.id as string);
            return [];
          };
        })
        .replayed(),
    { status: 'COMPLETE', calls: { 'payment.create': 4 } },
  ],
]);

test('the link is mailed although the decision came just while its mail was held back', async () => {
  // The mail that announces the link has left, before the page is made.
  const { app, id } = await story().completed().fault('payment.create:500:1').drained().end();
  await end(app, await run(app, id));
  await story.on(app, id).otherAmount().end();
  const row = app.jobs('send-mail').find(({ payload }) => payload.includes('"payment-link"')) as JobRow;
  const heldBack = await sendMail(app.ctx, parseJob(row) as MailJob);

  await renewPaymentSession(app.ctx, id, { ...BY, reason: 'refunded' });

  const ended = change(app.ctx, BY, (tx) => heldBack.settle?.(tx));
  expect((await rejection(ended)).message).toContain('after all');
});

test('the page is made by the next attempt when somebody decides while the job ends without one', async () => {
  const { app, id } = await story().completed().otherAmount().end();
  const ran = await run(app, id);
  await decided(story.on(app, id)).end();
  await expect(end(app, ran)).rejects.toThrow('after all');
});

test('refused three times, it comes with the next try, and never before its time', async () => {
  const { app } = await story().completed().fault('payment.create:500:3').drained().end();
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
});

test.each(['401', '404', '429', '503', 'reset'])('%s is tried again like any other failure', async (kind) => {
  const { app } = await story().completed().fault(`payment.create:${kind}:1`).drained().end();
  expect(paymentJob(app)).toMatchObject({ state: 'available', runAt: '2026-03-02T09:14:08.250Z' });
  app.clock.advance(SECOND);
  await app.drain();
  expect(paymentJob(app)).toMatchObject({ state: 'completed' });
});

test('a replay that fails is back in the list with its new error and a higher count', async () => {
  const { app } = await failed(story()).noFaults().fault('payment:503').waits(MINUTE).end();
  const { id } = paymentJob(app);
  const result = await replayFailed(app.ctx, [id], BY);
  expect(result).toMatchObject({ replayed: 0, failed: 1, results: [{ state: 'failed' }] });
  const lastError = expect.stringContaining('503') as unknown;
  const job = { id, attempt: 5, replays: 1, lastError };
  expect(listFailed(app.ctx, {}, { limit: 10 }).rows).toMatchObject([{ job }]);
});

test('every step is in the history with its session and contract, and receivers are told of the request', async () => {
  const { app, waiting } = await completedApp({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
  const { id } = waiting.request;
  const contractId = waiting.contract.id;
  await subscribed(app, await aReceiver(answered(204)));
  const steps = () =>
    (
      app.ctx.db.raw
        .prepare(
          "SELECT what, contractId, detail FROM history WHERE requestId = ? AND what LIKE 'payment.%' ORDER BY id",
        )
        .all(id) as { what: string; contractId: number; detail: string }[]
    ).map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as unknown }));
  await story.on(app, id).drained().end();
  const paymentId = app.request(id).paymentId as string;
  expect(deliveries(app)).toHaveLength(1);

  await deliverPayment(app, paymentId, { ...UNPAID, created: 1_772_442_000 });
  const since = app.ctx.db.raw.prepare('SELECT pendingSince FROM payments').pluck();
  expect(since.get()).toBe('2026-03-02T09:00:00.000Z');
  await deliverPayment(app, paymentId);

  expect(steps()).toEqual([
    { what: 'payment.session_created', contractId, detail: { paymentId } },
    { what: 'payment.pending', contractId, detail: { paymentId } },
    { what: 'payment.received', contractId, detail: { paymentId, amount: 12_000, currency: 'eur' } },
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
  const { app, waiting } = await completedApp({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
  await subscribed(app, await aReceiver(answered(204)));
  await app.drain();
  const before = deliveries(app).length;
  await story.on(app, waiting.request.id).ended('older').end();
  expect(deliveries(app)).toHaveLength(before + 1);
});
