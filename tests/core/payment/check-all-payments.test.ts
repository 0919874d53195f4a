/** The check of all payments: which sessions are asked about, and what happens when the provider does not answer. */
import { expect, test } from 'vitest';
import { SCHEDULE, type Actor } from '../../../src/core/actor.js';
import { CallCut, ProviderError } from '../../../src/core/http/provider-error.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { BY, story } from '../../support/story.js';
import { table } from '../../support/table.js';
import { loseAllAnswers } from '../../support/webhooks.js';

const NOTHING = { checked: 0, changed: 0, failed: 0, results: [] };

/** Requests with a page to pay. */
async function linkedRequests(app: TestApp, count: number): Promise<{ id: number; paymentId: string }[]> {
  const made = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = (await app.waitingRequest()).request;
    await story.on(app, id).signed().drained().end();
    made.push({ id, paymentId: app.request(id).paymentId as string });
  }
  return made;
}

test('the schedule asks about sessions that can be paid, a person about every waiting request, and nobody about any other', async () => {
  const app = await startApp();
  const [over, open, paid, settled] = await linkedRequests(app, 4);
  app.sandbox.expireSession(over?.paymentId as string);
  await story
    .on(app, over?.id as number)
    .checked({})
    .end();
  await story
    .on(app, settled?.id as number)
    .paid(settled?.paymentId as string)
    .end();
  const asked = async (actor: Actor) => {
    const { results, ...counts } = await checkAllPayments(app.ctx, { actor });
    return { ids: results.map(({ requestId }) => requestId), ...counts };
  };
  expect(await asked(SCHEDULE)).toEqual({ ids: [open?.id, paid?.id], checked: 2, changed: 0, failed: 0 });
  app.sandbox.pay(paid?.paymentId as string);
  const ids = [over?.id, open?.id, paid?.id];
  expect(await asked(TESTER)).toEqual({ ids, checked: 3, changed: 1, failed: 0 });
});

test('it asks past a session that fails for ever, and breaks off after three in a row; the next goes on behind them', async () => {
  const app = await startApp();
  const made = await linkedRequests(app, 5);
  const askedAbout = async (actor: Actor) => {
    const { results, ...more } = await checkAllPayments(app.ctx, { actor });
    return { ...more, ids: results.map(({ requestId }) => made.findIndex(({ id }) => id === requestId)) };
  };
  const bad = (nth: number) => app.sandbox.faults.add(`payment.get~${made[nth]?.paymentId}:500`);
  bad(1);
  for (const actor of [SCHEDULE, TESTER])
    expect(await askedAbout(actor)).toMatchObject({
      ids: [0, 1, 2, 3, 4],
      failed: 1,
      trouble: `request ${made[1]?.id}: payment provider answered 500 (An unknown error occurred)`,
    });
  bad(2);
  bad(3);
  expect(await askedAbout(SCHEDULE)).toMatchObject({ ids: [0, 1, 2, 3], failed: 3, brokeOff: true });
  // Whoever asks next.
  expect(await askedAbout(TESTER)).toMatchObject({ ids: [4, 0, 1, 2, 3], failed: 3, brokeOff: true });
  app.sandbox.faults.clear();
  const whole = { ids: [0, 1, 2, 3, 4], checked: 5, changed: 0, failed: 0 };
  expect(await askedAbout(SCHEDULE)).toEqual(whole);
});

test('the list is read once, or once more for a request that was signed earlier than the first that needs it', async () => {
  const app = await startApp();
  const [late, early, third] = [
    await app.waitingRequest(),
    await app.waitingRequest(),
    await app.waitingRequest(),
  ];
  await loseAllAnswers(app, early.signId);
  app.sandbox.pay(app.sandbox.state().sessions[0]?.id as string);
  app.clock.advance(3 * DAY);
  for (const { signId } of [late, third]) await loseAllAnswers(app, signId);
  const listed = () => app.sandbox.state().counters.calls['payment.list'] ?? 0;
  const before = listed();
  const { results } = await checkAllPayments(app.ctx, BY);
  const keys = ['check_payment_info.open', 'check_payment_success', 'check_payment_info.open'];
  expect(results.map(({ key }) => key)).toEqual(keys);
  expect(listed()).toBe(before + 2);
});

test('it ends when it is told to, and says nothing about what it has not asked', async () => {
  const { app } = await story().linked().end();
  const stopped = { ...BY, signal: AbortSignal.abort() };
  expect(await checkAllPayments(app.ctx, stopped)).toEqual(NOTHING);
  // The caller goes while the provider is asked.
  app.ctx.payment.getSession = () => Promise.reject(new CallCut('payment provider', { mayHaveActed: false }));
  expect(await checkAllPayments(app.ctx, BY)).toEqual(NOTHING);
});

test('a session about which the provider refuses to answer does not keep the others from being checked', async () => {
  const app = await startApp();
  const [first, next] = await linkedRequests(app, 2);
  app.sandbox.pay(next?.paymentId as string);
  const ask = app.ctx.payment.getSession.bind(app.ctx.payment);
  app.ctx.payment.getSession = (paymentId) =>
    paymentId === first?.paymentId
      ? Promise.reject(new ProviderError('rejected', 'payment provider answered 400'))
      : ask(paymentId);
  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({
    checked: 2,
    failed: 1,
    changed: 1,
    results: [{ requestId: first?.id }, { requestId: next?.id, key: 'check_payment_success' }],
  });
});

/** The first page was paid by a method that takes days; a person did not believe in it, and made a second page. */
const GIVEN_UP = 'linked; promises older; givenUp; renewed';

table(
  `
  its money is waited for; it completes the request when it arrives, and the other page is closed
    ${GIVEN_UP}; scheduled → link payment_page newer
    arrives older; scheduled → COMPLETE; names older; sessions complete expired; mails payment-trouble 0
  its money is a case, told once, when it arrives after the other page was paid
    ${GIVEN_UP}; hears newer; arrives older; waits 10d; scheduled; scheduled
    → mails payment-trouble 1; findings has payment_case: paid_twice
  it is asked about for two months at most
    ${GIVEN_UP} → calls payment.get 3
    scheduled → calls payment.get 5
    waits 61d; scheduled → calls payment.get 6
  it is not asked about when the bank has refused it
    ${GIVEN_UP}; refused older; dry scheduled checked=1 → calls payment.get 4`,
  { of: 'a payment that was given up, and whose webhook is lost: ' },
);

test('one that was given up and cannot be asked about is named when its request is over, and the others are checked', async () => {
  const { app, id, page } = await story().linked().promises('older').givenUp().renewed().hears('newer').end();
  const [next] = await linkedRequests(app, 1);
  app.sandbox.faults.add(`payment.get~${page('older')}:500`);
  expect(await checkAllPayments(app.ctx, { actor: SCHEDULE })).toMatchObject({
    failed: 1,
    results: [
      { requestId: id, key: 'payment_unavailable' },
      { requestId: next?.id, key: 'check_payment_info.open' },
    ],
    trouble: expect.stringContaining('500') as unknown,
  });
});
