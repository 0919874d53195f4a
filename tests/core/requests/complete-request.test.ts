/** Completing by hand (rules 2): what the administrator knows counts, and nobody pays a second time; a provider in trouble: payment/refusal.test.ts. */
import { expect, test } from 'vitest';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { rejection } from '../../support/app.js';
import { BY, REASON, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';

test('the request is complete, its page is closed here and at the provider, the reason is kept', async () => {
  const { app, id, page } = await story().linked().end();
  const request = await completeRequest(app.ctx, id, { ...BY, reason: 'paid in cash' });
  expect(request).toMatchObject({ status: 'COMPLETE', paymentId: page('older'), paymentUrl: null });
  const { detail, contractId } = app.ctx.db.raw
    .prepare('SELECT detail, contractId FROM history ORDER BY id DESC')
    .get() as { detail: string; contractId: number };
  expect(JSON.parse(detail)).toEqual({ from: 'WAITING_PAYMENT', to: 'COMPLETE', reason: 'paid in cash' });
  expect(contractId).toBe(app.contract(id).id);
  expect(app.history(id).slice(-2)).toEqual(['payment.session_closed', 'request.moved']);
  await story
    .on(app, id)
    .is({ sessions: ['expired'], payments: ['over'] })
    .end();
});

test('a request that is not there or waits for no payment is refused, so is a blank reason; a dry run changes nothing', async () => {
  const { app, id } = await story().linked().end();
  const { id: other } = await app.addRequest();
  const refusals = [
    [other, 'paid', { code: 'not_waiting_payment' }],
    [999, 'paid', { code: 'request_not_found' }],
    [id, ' ', { kind: 'invalid' }],
  ] as const;
  for (const [which, reason, refusal] of refusals)
    expect(await rejection(completeRequest(app.ctx, which, { ...BY, reason }))).toMatchObject(refusal);
  await completeRequest(app.ctx, id, { ...REASON, dryRun: true });
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
});

const words: Words = {
  completedTwiceAtOnce: (s) =>
    s.does(async ({ ctx }, id) => {
      const both = [completeRequest(ctx, id, REASON), completeRequest(ctx, id, REASON)];
      const ends = (await Promise.allSettled(both)).map(({ status }) => status);
      expect(ends).toContain('fulfilled');
    }),
  isAccepted: (s, payment) =>
    s.does((app) => {
      const detail = "SELECT detail FROM history WHERE what = 'request.moved' ORDER BY id DESC";
      const moved = app.ctx.db.raw.prepare(detail).pluck().get() as string;
      expect(JSON.parse(moved)).toMatchObject({ payments: [payment] });
    }),
};

table(
  `
  twice is once, one after the other or at the same time
    linked; completedTwiceAtOnce; completedByHand → told request.moved 3
  a customer who paid at that very moment has paid: the late webhook finds nothing left to do
    linked; pays older; completedByHand; hears older
    → COMPLETE; names older; payments paid; told payment.received 1 request.moved 3
  nor is it refused because of other money that is on its way
    twoOpen; promises newer; pays older; completedByHand → COMPLETE; names older
  the history names the payment that it accepts, which is a case no more
    linked; otherAmount; completedByHand; isAccepted cs_other → payments over paid
  money that arrives all the same needs a decision: no signature can make it count
    linked; completedByHand; hears older → told payment.old_session_paid 1
  a page that is made while the request is completed gives nobody a link
    completed; meanwhile createSession: completedByHand; drained → COMPLETE; not shown; mails payment-link 0`,
  { words },
);
