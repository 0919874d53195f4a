/**
 * Completes a request by hand (rules 2) when the administrator knows that it was paid in another way. Each open
 * payment session is closed first, so that nobody pays twice.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { change, type Change } from '../change.js';
import { runInstead } from '../commands.js';
import type { Context } from '../context.js';
import { BLANK, invalid, refused } from '../errors.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { requestLock, withLock } from '../lock.js';
import { isBlank } from '../texts/plain.js';
import { closeSessions, type PendingOptions } from '../payment/close-session.js';
import {
  acceptedPayment,
  mustBeLookedAt,
  mustKnowPayments,
  paymentsTold,
  undecidedIds,
} from '../payment/payment-case.js';
import { findBeforeClosing } from '../payment/forgotten-session.js';
import { settleClosed, type ClosedSession } from '../payment/settle-session.js';
import { getRequest } from './requests.js';

export interface CompleteOptions extends PendingOptions {
  actor: Actor;
  /** How it was paid; never blank. */
  reason: string;
  /** Only check the rules. */
  dryRun?: boolean;
}

/**
 * Returns the completed request; a complete one stays as it is. Throws `invalid` without a reason. Refuses with
 * `not_waiting_payment` in any other status, with `payment_pending` while the customer's money is on its way (unless
 * `despitePending`), and with `payment_unavailable` when the session cannot be closed. A refusal changes nothing.
 */
export async function completeRequest(
  ctx: Context,
  requestId: number,
  { actor, reason, dryRun = false, despitePending }: CompleteOptions,
): Promise<RequestRow> {
  const request = getRequest(ctx, requestId);
  if (isBlank(reason)) throw invalid({ reason: BLANK });
  if (request.status === 'COMPLETE') return request;
  if (request.status !== 'WAITING_PAYMENT') {
    throw refused('not_waiting_payment', 'The request is not waiting for its payment.');
  }
  if (dryRun) return request;
  const known = undecidedIds(ctx.db, requestId);
  return withLock(ctx, requestLock(requestId), async (ctx) => {
    await findBeforeClosing(ctx, requireRequest(ctx.db, { id: requestId }), { actor, reason });
    const contract = findCurrentContract(ctx.db, { requestId });
    const closed = contract ? await closeSessions(ctx, contract, { despitePending }) : [];
    const completed = await change(ctx, { actor, reason }, (tx) => {
      mustKnowPayments(tx.db, { requestId, known });
      return complete(tx, requestId, { closed, known });
    });
    if (completed.status !== 'COMPLETE') throw mustBeLookedAt(runInstead('explain', requestId));
    return completed;
  });
}

interface Completing {
  closed: readonly ClosedSession[];
  /** The payments that were undecided when the person asked. */
  known: readonly string[];
}

/** It stays as it is if the customer has just paid another amount. */
function complete(tx: Change, requestId: number, { closed, known }: Completing): RequestRow {
  const { db, reason } = tx;
  const contractId = findCurrentContract(db, { requestId })?.id ?? null;
  settleClosed(tx, closed);
  for (const { paymentId } of closed.filter(({ closing }) => closing === 'paid')) {
    const detail = { answer: 'check_payment_success', paymentId, reason };
    tx.record('payment.checked', { requestId, contractId }, detail);
  }
  const request = requireRequest(db, { id: requestId });
  const isNews = undecidedIds(db, requestId).some((id) => !known.includes(id));
  // The customer's payment may have completed it.
  if (request.status === 'WAITING_PAYMENT' && !isNews) {
    const accepted = acceptedPayment(paymentsTold(db, requestId));
    const payments = accepted === undefined ? undefined : [accepted];
    tx.moveRequest(request, REQUEST_MOVES.paid, { contractId, reason, payments });
  }
  return requireRequest(db, { id: requestId });
}
