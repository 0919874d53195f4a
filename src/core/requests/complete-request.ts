/**
 * Completes a request by hand (rules 2) when the administrator knows that it was paid in another way. Each open
 * payment page is closed first, so that nobody pays twice.
 */
import { requireRequest } from '../../db/requests/requests.js';
import type { PaymentRow, RequestRow } from '../../db/schema.js';
import { mustHaveReason } from '../calls/reason.js';
import { change, type Change, type Deciding } from '../change.js';
import { runInstead } from '../commands.js';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import { refuseWhileHeld } from '../installation/hold.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { requestLock, withLock } from '../lock.js';
import { closePages, mustBeClosed } from '../payment/close-pages.js';
import { ourPayments } from '../payment/our-payments.js';
import {
  acceptedPayment,
  decidePayments,
  mustBeLookedAt,
  mustKnowPayments,
  undecidedPayments,
} from '../payment/payment-cases.js';
import { getRequest } from './requests.js';

/**
 * Returns the completed request; a complete one stays as it is. Throws `invalid` without a reason. Refuses with
 * `not_waiting_payment` in any other status, with `payment_pending` while the customer's money is on its way, with `already_paid` when
 * the customer has just paid another amount, and with `payment_unavailable` when the page cannot be closed.
 */
export async function completeRequest(
  ctx: Context,
  requestId: number,
  { dryRun = false, ...by }: Deciding,
): Promise<RequestRow> {
  const request = getRequest(ctx, requestId);
  mustHaveReason(by.reason);
  if (request.status === 'COMPLETE') return request;
  if (request.status !== 'WAITING_PAYMENT') {
    throw refused('not_waiting_payment', 'The request is not waiting for its payment.');
  }
  if (dryRun) return request;
  refuseWhileHeld(ctx);
  const known = undecidedPayments(ourPayments(ctx.db, requestId));
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    await closePages(ctx, requestId, by);
    const isNews = undecidedPayments(ourPayments(ctx.db, requestId)).length > known.length;
    if (isNews) throw mustBeLookedAt(runInstead('explain', requestId));
    return change(ctx, by, (tx) => complete(tx, requestId, known));
  });
}

function complete(tx: Change, requestId: number, known: readonly PaymentRow[]): RequestRow {
  const { db, reason } = tx;
  const ours = ourPayments(db, requestId);
  const { request, contract } = ours;
  // The customer's payment may have completed it.
  if (request.status !== 'WAITING_PAYMENT') return request;
  mustBeClosed(ours);
  mustKnowPayments(ours, known);
  const accepted = acceptedPayment(ours);
  if (accepted) decidePayments(tx, [accepted], 'accepted');
  const payments = accepted && [accepted.paymentId];
  tx.moveRequest(request, REQUEST_MOVES.paid, { contractId: contract?.id ?? null, reason, payments });
  return requireRequest(db, { id: requestId });
}
