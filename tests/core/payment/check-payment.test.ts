/** Payment check (rules 2): what a person hears, what changes, and what is written down; who else brings the news: reconcile.test.ts. */
import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { checkPayment } from '../../../src/core/payment/check-payment.js';
import { BY, story, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliverPayment } from '../../support/webhooks.js';

test.each<[string, (s: Story) => Story, string, string]>([
  ['open', (s) => s, 'info check_payment_info.open', ''],
  ['on its way', (s) => s.promises('older'), 'info check_payment_info.pending changed', 'payment.pending '],
  ['over', (s) => s.ends('older'), 'info check_payment_info.expired changed', 'payment.session_expired '],
  [
    'gone',
    (s) => s.fault('payment.get:404'),
    'error payment_session_not_found changed',
    'payment.session_expired ',
  ],
  [
    'paid',
    (s) => s.pays('older'),
    'success check_payment_success changed',
    'payment.received request.moved ',
  ],
  [
    'paid with another amount',
    (s) => s.pays('older', { amount: 11_999, currency: 'eur' }),
    'error old_session_paid changed',
    'payment.other_price ',
  ],
])('a session that is %s: a dry run says so, a check writes it down', async (_, happen, said, recorded) => {
  const { app, id } = await happen(story().linked()).end();
  const before = app.history(id);
  const [type, key, changed] = said.split(' ');
  const result = { type, key, ...(changed && { changed: true }) };
  expect(await checkPayment(app.ctx, id, { ...BY, dryRun: true })).toEqual(result);
  expect(app.history(id)).toEqual(before);
  expect(await checkPayment(app.ctx, id, BY)).toEqual(result);
  expect(app.history(id).slice(before.length).join(' ')).toBe(`${recorded}payment.checked`);
});

test('who asked and why stands in the history; what the schedule finds is recorded without its own name', async () => {
  const { app, id } = await story().linked().end();
  const before = app.history(id);
  await checkPayment(app.ctx, id, { actor: SCHEDULE });
  expect(app.history(id)).toEqual(before);
  await checkPayment(app.ctx, id, { ...BY, reason: 'the customer called' });
  const detail = `SELECT detail ->> '$.reason' FROM history WHERE what = 'payment.checked'`;
  expect(app.ctx.db.raw.prepare(detail).pluck().all()).toEqual(['the customer called']);
});

const words: Words = {
  isKnownAsOver: (s) =>
    s.does(async ({ ctx }, id) =>
      expect(await checkPayment(ctx, id, BY)).toEqual({ type: 'info', key: 'check_payment_info.expired' }),
    ),
  rowIsOver: (s) => s.does((app) => app.ctx.db.raw.exec("UPDATE payments SET state = 'over'")),
  allAtOnce: (s) =>
    s.does(({ ctx, ...app }, id) =>
      Promise.all([
        checkPayment(ctx, id, BY),
        deliverPayment({ ctx, ...app }, s.page('older')),
        checkPayment(ctx, id, BY),
      ]),
    ),
  failsHere: (s) => s.does(({ ctx }, id) => expect(checkPayment(ctx, id, BY)).rejects.toThrow('a bug')),
  /** The provider does not say how the older stands, or not even that there is one. */
  olderIs: (s, status) =>
    s.does(({ sandbox }) => void sandbox.faults.add(`payment.get~${s.page('older')}:${status}`)),
};

table(
  `
  a session that cannot be asked about is not written down
    linked; fault payment.get:401; untold: checked type=error key=payment_unavailable → payments open
  what was found to be over changes nothing when it is checked again
    linked; ends older; checked changed=true; isKnownAsOver → payments over
  a session that is over here counts when the provider says that it was paid
    linked; pays older; rowIsOver; checked key=check_payment_success → COMPLETE
  a request that waits for no payment is reported as such
    sent; checked type=error key=not_waiting_payment → WAITING_SIGNATURE
  so is one that has no session yet, which a check of all neither asks about nor counts
    completed; checked type=error key=no_payment_session; allChecked checked=0 changed=0 failed=0
    → WAITING_PAYMENT
  webhook and checks at once: paid once
    linked; pays older; allAtOnce → told payment.received 1
  another amount that the webhook reports while the check is asking is what it answers
    linked; meanwhile getSession: otherAmount; checked key=old_session_paid → WAITING_PAYMENT
  a fault of our own is not taken for the provider’s
    linked; bug getSession; failsHere → WAITING_PAYMENT
  nor is one while another page is closed
    twoOpen; pays newer; bug expireSession; failsHere → COMPLETE
  of two pages the newer is open although the provider does not know the older any more
    twoOpen; olderIs 404; checked key=check_payment_info.open → WAITING_PAYMENT
  money on its way that the provider does not know any more is said to be unknown, although it knows the other page
    twoOpen; pending older; olderIs 404; checked type=error key=payment_session_not_found → payments pending over
  of two pages nothing changes when the provider does not say how both stand
    twoOpen; pays older; olderIs 500; checked key=payment_unavailable → WAITING_PAYMENT; names newer
  money that was given up does not hide the payment of another page when it cannot be asked about
    linked; pending older; givenUp; renewed; pays newer; olderIs 500; checked key=check_payment_success → COMPLETE
  nor does that of a contract that was replaced hide how the page of the new one stands
    linked; pending older; givenUp; canceled; reopened; signedNext; olderIs 500
    checked key=check_payment_info.open → WAITING_PAYMENT; names newer
  a check of all counts it as one that failed, once
    linked; pending older; givenUp; canceled; reopened; signedNext; olderIs 500; allChecked checked=1 failed=1
    → WAITING_PAYMENT
  once the request is complete, what has come is told although another page cannot be asked about
    twoOpen; pending newer; early; arrives newer; olderIs 500; checked key=old_session_paid changed=true → COMPLETE
  what has ended then is written down, and counted by a check of all, but is no news of the payment
    twoOpen; paid newer; ends older; dry scheduled checked=1 changed=1 → payments open paid
    checked type=error key=not_waiting_payment changed=true → payments over paid`,
  { words },
);
