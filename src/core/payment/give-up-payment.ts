/**
 * A person no longer waits for money that is on its way (rules 2): from then on the customer can be asked again. The provider is still asked
 * about it; if it arrives after all, it counts, or is a case.
 */
import { putPayment } from '../../db/payments/payments.js';
import type { RequestRow } from '../../db/schema.js';
import { mustHaveReason } from '../calls/reason.js';
import { change, type Change, type Deciding } from '../change.js';
import { runInstead } from '../commands.js';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import { requestLock, withLock } from '../lock.js';
import { getRequest } from '../requests/requests.js';
import { keptIn } from './decide.js';
import { ourPayments } from './our-payments.js';
import { reconcilePayment } from './reconcile.js';

/** Throws `invalid` without a reason. Refuses with `no_payment_pending` when no money is on its way, of whichever contract, also the second of two calls. */
export async function giveUpPayment(
  ctx: Context,
  requestId: number,
  { dryRun, ...by }: Deciding,
): Promise<RequestRow> {
  getRequest(ctx, requestId);
  mustHaveReason(by.reason);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    // It may have arrived. Whether the provider answers or not, the person has decided.
    const { effects } = await reconcilePayment(ctx, requestId, { ...by, dryRun });
    const states = new Map(ourPayments(ctx.db, requestId).payments.map((row) => [row.paymentId, row.state]));
    for (const { paymentId, state } of keptIn(effects)) states.set(paymentId, state);
    if (![...states.values()].includes('pending')) throw nonePending(requestId);
    if (!dryRun) await change(ctx, by, (tx) => giveUp(tx, requestId));
    return getRequest(ctx, requestId);
  });
}

function giveUp(tx: Change, requestId: number): void {
  const pending = ourPayments(tx.db, requestId).payments.filter(({ state }) => state === 'pending');
  if (pending.length === 0) throw nonePending(requestId);
  for (const payment of pending) {
    putPayment(tx.db, { ...payment, state: 'given_up' });
    const { paymentId, contractId } = payment;
    tx.record('payment.given_up', { requestId, contractId }, { paymentId, reason: tx.reason });
  }
}

function nonePending(requestId: number) {
  const instead = runInstead('explain', requestId);
  return refused('no_payment_pending', 'No money is on its way for this request.', instead);
}
