/**
 * Completes a request by hand (decisions 2): the administrator knows that it is paid although no payment webhook said
 * so. The open payment session is closed first, so that nobody pays a second time.
 */
import { findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment, settlePayment } from '../../db/payments.js';
import { findRequest, moveRequest, setPaymentLink } from '../../db/requests.js';
import type { PaymentRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { AppError, invalid, refused } from '../errors.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import { isProviderError } from '../http/provider-error.js';
import { BLANK } from '../input.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { requestLock, withLock } from '../lock.js';
import { isPaidStatus } from '../payment/settle-session.js';
import { getRequest } from './get-request.js';

export interface CompleteOptions {
  actor: Actor;
  /** How it was paid; never blank. */
  reason: string;
  /** Only check the rules. */
  dryRun?: boolean;
}

/**
 * Returns the completed request; one that is complete already stays as it is. Throws `invalid` without a reason, refuses with `not_waiting_payment` in any
 * other status, and with `payment_unavailable`, nothing changed, when its payment session cannot be closed.
 */
export async function completeRequest(
  ctx: Context,
  requestId: number,
  { actor, reason, dryRun = false }: CompleteOptions,
): Promise<RequestRow> {
  const request = getRequest(ctx, requestId);
  if (reason.trim() === '') throw invalid({ reason: BLANK });
  if (request.status === 'COMPLETE') return request;
  if (request.status !== 'WAITING_PAYMENT') {
    throw refused('not_waiting_payment', 'The request is not waiting for its payment.');
  }
  if (dryRun) return request;
  return withLock(ctx, requestLock(requestId), async () => {
    const payment = openPayment(ctx.db, requestId);
    const ended = payment && { payment, status: await closeSession(ctx, payment) };
    return ctx.writer.write((db) => complete(ctx, db, requestId, { actor, reason, ...(ended && { ended }) }));
  });
}

interface Completion {
  actor: Actor;
  reason: string;
  /** The payment session that was open, and what became of it. */
  ended?: { payment: PaymentRow; status: 'paid' | 'expired' };
}

function complete(ctx: Context, db: Db, requestId: number, { actor, reason, ended }: Completion): RequestRow {
  const now = iso(ctx.clock.now());
  const { from, to } = REQUEST_MOVES.paid;
  // False: the payment webhook was faster; the request is complete all the same.
  if (moveRequest(db, requestId, { from, to }, now)) {
    const contractId = findCurrentContract(db, requestId)?.id ?? null;
    const detail = { from: from[0], to, reason };
    record(db, { at: now, actor, what: 'request.moved', requestId, contractId, detail });
    if (ended) {
      const { payment, status } = ended;
      settlePayment(db, { id: payment.id, status, paidAt: status === 'paid' ? now : null });
      if (status === 'expired') {
        setPaymentLink(db, { id: requestId, paymentId: payment.paymentId, paymentUrl: null, now });
      }
    }
    publishEvent(db, { event: 'request.updated', about: findRequest(db, requestId) as RequestRow, now });
  }
  return findRequest(db, requestId) as RequestRow;
}

function openPayment(db: Db, requestId: number): PaymentRow | undefined {
  const contract = findCurrentContract(db, requestId);
  const payment = contract && findCurrentPayment(db, contract.id);
  return payment?.status === 'open' ? payment : undefined;
}

/** Takes the payment link out of the customer's hands; `paid`: the customer was faster. */
async function closeSession(ctx: Context, { paymentId }: PaymentRow): Promise<'paid' | 'expired'> {
  try {
    return await expireOrAsk(ctx, paymentId);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    if (error.reason === 'not_found') return 'expired';
    throw new AppError('unavailable', 'payment_unavailable', 'The payment session could not be closed.', {
      cause: error,
      hint: 'The customer could still pay: try again later.',
    });
  }
}

async function expireOrAsk(ctx: Context, paymentId: string): Promise<'paid' | 'expired'> {
  try {
    await ctx.payment.expireSession(paymentId);
    return 'expired';
  } catch (error) {
    if (!isProviderError(error, 'rejected')) throw error;
    // It is not open any more; why, only the session tells.
    const { paymentStatus } = await ctx.payment.getSession(paymentId);
    return isPaidStatus(paymentStatus) ? 'paid' : 'expired';
  }
}
