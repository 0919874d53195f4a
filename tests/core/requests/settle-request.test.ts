/** A person ends the case of a payment or a signature that does not count, or no longer waits for money on its way. */
import { describe, expect, test } from 'vitest';
import { adviceText } from '../../../src/core/commands.js';
import { SCHEDULE } from '../../../src/core/actor.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { giveUpPayment } from '../../../src/core/payment/give-up-payment.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { listHistory } from '../../../src/db/history/history.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { openCase, settleRequest } from '../../../src/core/requests/settle-request.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import type { AppError } from '../../../src/core/errors.js';
import { isBeforeSending } from '../../../src/core/lifecycle.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { openActNames } from '../../support/acts.js';
import { findingName } from '../../support/finding-names.js';
import { rejection, startApp, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { includes, tell, type History } from '../../support/histories.js';
import { BY, REASON, story, UNPAID, type Story } from '../../support/story.js';
import { deliver, deliverOtherAmount, deliverPayment } from '../../support/webhooks.js';

const needs = async (app: TestApp) =>
  (await listNeeds(app.ctx, 20)).needs.map(({ kind, request }) => [kind, request?.id]);

const adviceOn = async (app: TestApp, id: number, finding: string) =>
  (await explain(app.ctx, String(id))).findings.find((one) => findingName(one) === finding)?.next;

const findings = async (app: TestApp, id: number) =>
  (await explain(app.ctx, String(id))).findings.map(findingName);

/** Paid by the one that counts, and then by the other. */
async function paidTwice() {
  const { app, id, page } = await story()
    .twoOpen()
    .paid('newer')
    .paid('older')
    .is({ status: 'COMPLETE' })
    .end();
  return { app, id, older: page('older') };
}

/** The page's payment takes days. */
const pendingPayment = () => story().linked().pending('older').end();

describe('a second payment of a complete request', () => {
  test('needs the office until somebody settles it with a reason', async () => {
    const { app, id, older } = await paidTwice();
    expect(await needs(app)).toEqual([['payment', id]]);
    expect(await adviceOn(app, id, 'payment_case: paid_twice')).toMatchObject({
      name: 'requests settle',
      about: [id],
    });
    expect(openActNames(app.ctx, app.request(id))).toEqual(['settle']);
    const unticked = { ...REASON, payments: [], signature: false };
    expect(await rejection(settleRequest(app.ctx, id, unticked))).toMatchObject({
      code: 'nothing_to_settle',
    });

    expect(await settleRequest(app.ctx, id, { ...BY, reason: 'refunded' })).toMatchObject({
      request: { status: 'COMPLETE' },
      settled: { payments: [older], signature: false },
    });

    expect(await findings(app, id)).not.toContain('payment_case: paid_twice');
    expect(await needs(app)).toEqual([]);
    expect(openActNames(app.ctx, app.request(id))).toEqual([]);
    const { what, detail } = listHistory(app.ctx.db, { requestId: id }).at(-1) ?? { detail: '' };
    const settled = { reason: 'refunded', payments: [older], signature: false };
    expect([what, JSON.parse(detail)]).toEqual(['request.settled', settled]);
  });

  test('is not settled by completing once more, as after a lost answer', async () => {
    const { app, id } = await paidTwice();
    await completeRequest(app.ctx, id, REASON);
    expect(await findings(app, id)).toContain('payment_case: paid_twice');
  });
});

test('a payment that was accepted by completing by hand stays accepted when its customer is erased', async () => {
  const { app, id } = await story().linked().otherAmount().end();
  await completeRequest(app.ctx, id, REASON);
  app.clock.advance(4_200 * DAY);
  await expireContracts(app.ctx, { actor: SCHEDULE });
  await app.drain();
  await eraseUser(app.ctx, app.request(id).ownerId, REASON);
  expect(await findings(app, id)).toEqual(['finished: complete']);
  expect((await needs(app)).map(([kind]) => kind)).not.toContain('payment');
});

test('a customer is erased although the end of the term has not been noted yet', async () => {
  const { app, id } = await story()
    .linked()
    .paid('older')
    .drained()
    .waits(4_200 * DAY)
    .end();

  await eraseUser(app.ctx, app.request(id).ownerId, REASON);

  expect(app.contract(id)).toMatchObject({ status: 'EXPIRED', endReason: 'date_passed', pdfSha256: null });
  expect(app.history(id)).toContain('contract.ended');
});

describe('settling', () => {
  test('is refused when there is nothing to settle, also the second of two calls at once', async () => {
    const { app, id } = await paidTwice();
    const both = await Promise.allSettled([
      settleRequest(app.ctx, id, REASON),
      settleRequest(app.ctx, id, REASON),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(app.history(id).filter((what) => what === 'request.settled')).toHaveLength(1);
    for (const dryRun of [false, true]) {
      const again = settleRequest(app.ctx, id, { ...REASON, dryRun });
      expect(await rejection(again)).toMatchObject({ code: 'nothing_to_settle' });
    }
  });

  test('whoever comes later is told when it was settled, and by whom', async () => {
    const { app, id } = await paidTwice();
    const { payments } = openCase(app.ctx.db, ourPayments(app.ctx.db, id));
    await settleRequest(app.ctx, id, { ...REASON, actor: { kind: 'user', name: 'zoe@example.org' } });
    for (const asked of [{}, { payments }]) {
      const { message, said } = (await rejection(
        settleRequest(app.ctx, id, { ...REASON, ...asked }),
      )) as AppError;
      expect(message).toContain('by zoe@example.org');
      expect(said).toMatchObject({ words: 'settled_meanwhile', params: { who: 'zoe@example.org' } });
    }
    const other = { ...REASON, payments: ['cs_unknown'] };
    expect((await rejection(settleRequest(app.ctx, id, other))) as AppError).toMatchObject({
      said: undefined,
    });
  });

  test('needs a reason, and changes nothing as a dry run', async () => {
    const { app, id } = await paidTwice();
    expect(await rejection(settleRequest(app.ctx, id, { ...BY, reason: ' ' }))).toMatchObject({
      code: 'invalid_input',
      fields: { reason: expect.any(String) as string },
    });
    await settleRequest(app.ctx, id, { ...REASON, dryRun: true });
    expect(await findings(app, id)).toContain('payment_case: paid_twice');
  });

  test('ends the case of a canceled request, which stays canceled; canceling it again does not', async () => {
    const { app, id } = await story().linked().otherAmount().end();
    await cancelRequest(app.ctx, id, REASON);
    await cancelRequest(app.ctx, id, REASON);
    expect(await findings(app, id)).toContain('payment_case: canceled_paid');
    expect(await needs(app)).toEqual([['payment', id]]);
    await settleRequest(app.ctx, id, REASON);
    expect(app.request(id).status).toBe('CANCELED');
    expect(await findings(app, id)).not.toContain('payment_case: canceled_paid');
  });
});

test('settling ends the case of a signature that came after the cancellation', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  await cancelRequest(app.ctx, request.id, REASON);
  await deliver(app, signId);
  expect(await findings(app, request.id)).toContain('signature_case: canceled_signed');
  await settleRequest(app.ctx, request.id, REASON);
  expect(await findings(app, request.id)).not.toContain('signature_case: canceled_signed');
});

test('canceling once more, just when the request has been reopened, settles nothing', async () => {
  const { app, id } = await story().linked().otherAmount().end();
  await cancelRequest(app.ctx, id, REASON);
  await Promise.all([reopenRequest(app.ctx, id, REASON), cancelRequest(app.ctx, id, REASON)]);
  expect(app.request(id).status).toBe('new');
  expect(app.history(id)).not.toContain('request.settled');
});

test('newer payments whose decision has to wait do not hide an older one that somebody can decide about', async () => {
  const { app, id } = await story().linked().otherAmount().end();
  await cancelRequest(app.ctx, id, REASON);
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const paymentId = app.request(request.id).paymentId as string;
  app.sandbox.pay(paymentId, { async: true });
  await deliverPayment(app, paymentId, { paymentStatus: 'unpaid' });
  await deliverOtherAmount(app, request.id, 'cs_newer');
  expect(await findings(app, request.id)).toContain('payment_undecided');

  const { needs: found } = await listNeeds(app.ctx, 1);

  expect(found).toMatchObject([{ kind: 'payment', request: { id } }]);
});

tell([
  ...(
    [
      [completeRequest, 'COMPLETE', 'payment_case: paid_twice'],
      [cancelRequest, 'CANCELED', 'payment_case: canceled_paid'],
    ] as const
  ).map(([act, status, found]): History => [
    `money on its way is given up before its request becomes ${status}; should it arrive, it is a case`,
    (s) =>
      s
        .linked()
        .pending('older')
        .refuses(act, { code: 'payment_pending' })
        .givenUp()
        .by(act)
        .is({ status, findings: includes('second_payment_pending: given_up') })
        .arrives('older')
        .scheduled(),
    { status, findings: includes(found), needs: ['payment: requests settle'] },
  ]),
  [
    'money that has just come counts, once, although the request is completed by hand',
    (s) => s.linked().pending('older').arrives('older').completedByHand(),
    {
      status: 'COMPLETE',
      names: 'older',
      told: { 'payment.received': 1 },
      findings: ['finished: complete'],
    },
  ],
]);

describe('money on its way', () => {
  test.each([
    ['the provider no longer knows it', 'payment_pending_long: gone', 0],
    ['it has taken too long', 'payment_pending_long: long', 15],
  ])(
    'no longer keeps a case beside it waiting when %s: explain leads to giving it up',
    async (_, key, days) => {
      const { app, id } = await pendingPayment();
      await deliverOtherAmount(app, id);
      expect(await adviceOn(app, id, 'payment_undecided')).toMatchObject({ name: 'payments check' });
      app.clock.advance(days * DAY);
      if (days === 0) app.sandbox.faults.add('payment.get:404:9');
      const { findings: told } = await explain(app.ctx, String(id));
      const stop = `payments give-up ${id} --reason`;
      expect(adviceText(told.find((each) => findingName(each) === key)?.message ?? '')).toContain(stop);

      expect(await rejection(completeRequest(app.ctx, id, REASON))).toMatchObject({
        code: 'payment_pending',
      });
      await giveUpPayment(app.ctx, id, REASON);
      expect(await adviceOn(app, id, 'payment_case: other_price')).toMatchObject({ name: 'payments renew' });
      await completeRequest(app.ctx, id, REASON);

      expect(app.request(id).status).toBe('COMPLETE');
      expect(await needs(app)).toEqual([]);
    },
  );

  test('keeps a case waiting although other money is gone, as long as some of it is alive', async () => {
    const { app, id, page } = await story().twoOpen().otherAmount().pending('older').pending('newer').end();
    app.sandbox.faults.add(`payment.get~${page('newer')}:404:9`);
    expect(await adviceOn(app, id, 'payment_undecided')).toMatchObject({ name: 'payments check' });
  });
});

/** At the contract's price, before we know of the signature. */
const paidUnsigned = (s: Story) =>
  s
    .sent()
    .early()
    .is({ findings: includes('payment_case: paid_unsigned') });
const settled = (s: Story, what: { payments?: string[] } = {}) =>
  s.does(({ ctx }, id) => settleRequest(ctx, id, { ...REASON, ...what }));
const EARLY = 'payment_case: paid_unsigned';
const OLD = 'payment_case: earlier_contract_paid';
const without = (...names: string[]) => expect.not.arrayContaining(names) as string[];

tell(
  [
    [
      'that was refunded is settled by its name: it does not count when the signature comes',
      (s) =>
        settled(paidUnsigned(s), { payments: ['cs_early'] })
          .signed()
          .drained(),
      { status: 'WAITING_PAYMENT', findings: ['waiting_for_payment'] },
    ],
    ...([cancelRequest, resetSignature] as const).map((act): History => [
      `that is on its way is waited for or given up before ${act.name}`,
      (s) =>
        s
          .sent()
          .early(UNPAID)
          .refuses(act, { code: 'payment_pending' })
          .is({ status: 'WAITING_SIGNATURE' })
          .givenUp()
          .by(act),
      { told: { 'payment.given_up': 1 }, documents: includes('canceled') },
    ]),
    [
      'is not settled unnamed: it may still count',
      (s) =>
        paidUnsigned(s)
          .does((app, id) => expect(openActNames(app.ctx, app.request(id))).not.toContain('settle'))
          .refuses(settleRequest, { code: 'nothing_to_settle' }),
      { outcomes: ['paid_unsigned'] },
    ],
    [
      'may still count, too, when the end of its start was lost',
      (s) =>
        s
          .entered()
          .fault('signature.activate:answer_lost')
          .refuses(startSignature, {})
          .does((app, id) => expect(isBeforeSending(app.request(id))).toBe(true))
          .early(),
      { told: { 'payment.paid_unsigned': 1 } },
    ],
    [
      'no longer counts when it arrives while its contract is being closed',
      (s) =>
        s
          .sent()
          .early(UNPAID)
          .does(({ ctx: { payment } }) => {
            payment.expireSession = () => Promise.reject(new ProviderError('rejected', 'it is not open'));
            payment.getSession = (paymentId) =>
              Promise.resolve({
                paymentId,
                name: null,
                customer: null,
                paymentUrl: null,
                status: 'complete',
                paymentStatus: 'paid',
                createdAt: null,
                expiresAt: null,
                money: { amount: 12_000, currency: 'eur' },
              });
          })
          .canceled(),
      { told: { 'payment.old_session_paid': 1, 'payment.paid_unsigned': 0 } },
    ],
    [
      'stays the news when one of another amount follows, which alone can be settled unnamed',
      (s) =>
        settled(
          paidUnsigned(s)
            .otherAmount()
            .is({ findings: includes(EARLY, OLD) }),
        ),
      { needs: ['payment: check-signature'], findings: includes(EARLY) },
    ],
    [
      'no longer counts for a request that is reopened, nor for its next contract, and can be settled',
      (s) =>
        settled(
          paidUnsigned(s)
            .canceled()
            .reopened()
            .is({ findings: includes(OLD) })
            .sentNext()
            .is({ findings: includes(OLD) })
            .is({ findings: without(EARLY) }),
        ),
      { needs: [] },
    ],
    [
      'does not count, and can be settled, when its amount is another',
      (s) =>
        settled(
          s
            .sent()
            .otherAmount()
            .is({ findings: without(EARLY) }),
        ),
      { needs: [] },
    ],
    [
      'is still spoken of when the canceled request is signed as well; reopening settles the signature, not the payment',
      (s) =>
        paidUnsigned(s)
          .canceled()
          .delivers(422)
          .is({ findings: includes('signature_case: canceled_signed', 'payment_case: canceled_paid') })
          .reopened()
          .canceled()
          .is({ findings: includes('payment_case: canceled_paid') }),
      { findings: without('signature_case: canceled_signed') },
    ],
    [
      'is still spoken of when its customer is erased, without advice to reopen',
      (s) =>
        settled(
          paidUnsigned(s)
            .canceled()
            .delivers(422)
            .does(async (app, id) => {
              await eraseUser(app.ctx, app.request(id).ownerId, REASON);
              const { findings: found } = await explain(app.ctx, String(id));
              expect(found.slice(0, 2)).toMatchObject([{ cause: 'erased_signed' }, { cause: 'erased_paid' }]);
              for (const { message } of found) expect(adviceText(message)).not.toContain('reopen');
            }),
        ),
      { findings: ['finished: erased'] },
    ],
    [
      'is no longer a case once the signature is known; the request is then complete',
      (s) =>
        paidUnsigned(s)
          .signed()
          .is({ findings: without(EARLY) })
          .drained(),
      { status: 'COMPLETE', names: 'cs_early', findings: ['finished: complete'], needs: [] },
    ],
  ],
  'a payment before the signature ',
);
