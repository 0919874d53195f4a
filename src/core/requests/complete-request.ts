/**
 * Completes a request by hand (decisions 2): the administrator knows that it is paid although no payment webhook said
 * so. The open payment session is closed first, so that nobody pays a second time.
 */
import { findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment, findPayment } from '../../db/payments.js';
import { findRequest, moveRequest } from '../../db/requests.js';
import type { PaymentRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid, refused } from '../errors.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import { BLANK } from '../input.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { requestLock, withLock } from '../lock.js';
import { isBlank } from '../texts/plain.js';
import { closeSession, type Closing } from '../payment/close-session.js';
import { sessionClosed, sessionPaid } from '../payment/settle-session.js';
import { getRequest } from './get-request.js';

export interface CompleteOptions {
  actor: Actor;
  /** How it was paid; never blank. */
  reason: string;
  /** Only check the rules. */
  dryRun?: boolean;
}

/**
 * Returns the completed request; one that is complete already stays as it is. Throws `invalid` without a reason. Refuses
 * with `not_waiting_payment` in any other status, with `payment_pending` while the customer's money is on its way, and
 * with `payment_unavailable` when its payment session cannot be closed; nothing has changed then.
 */
export async function completeRequest(
  ctx: Context,
  requestId: number,
  { actor, reason, dryRun = false }: CompleteOptions,
): Promise<RequestRow> {
  const request = getRequest(ctx, requestId);
  if (isBlank(reason)) throw invalid({ reason: BLANK });
  if (request.status === 'COMPLETE') return request;
  if (request.status !== 'WAITING_PAYMENT') {
    throw refused('not_waiting_payment', 'The request is not waiting for its payment.');
  }
  if (dryRun) return request;
  return withLock(ctx, requestLock(requestId), async () => {
    const payment = openPayment(ctx.db, requestId);
    const ended = payment && { payment, closing: await closeSession(ctx, payment) };
    return ctx.writer.write((db) => complete(ctx, db, requestId, { actor, reason, ...(ended && { ended }) }));
  });
}

interface Completion {
  actor: Actor;
  reason: string;
  /** The payment session that was open, and what became of it. */
  ended?: { payment: PaymentRow; closing: Closing };
}

function complete(ctx: Context, db: Db, requestId: number, { actor, reason, ended }: Completion): RequestRow {
  const now = iso(ctx.clock.now());
  const by = { actor, now };
  const { from, to } = REQUEST_MOVES.paid;
  // Its webhook may have come since the session was closed.
  const payment = ended && (findPayment(db, ended.payment.paymentId) as PaymentRow);
  const contractId = findCurrentContract(db, requestId)?.id ?? null;
  if (payment && ended.closing === 'paid') {
    sessionPaid(db, payment, by);
    const detail = { answer: 'check_payment_success', paymentId: payment.paymentId, reason };
    record(db, { at: now, actor, what: 'payment.checked', requestId, contractId, detail });
  }
  // False: the customer's payment has completed it.
  if (moveRequest(db, requestId, { from, to }, now)) {
    const isTold = payment !== undefined && sessionClosed(db, payment, by);
    const detail = { from: from[0], to, reason };
    record(db, { at: now, actor, what: 'request.moved', requestId, contractId, detail });
    const about = findRequest(db, requestId) as RequestRow;
    if (!isTold) publishEvent(db, { event: 'request.updated', about, now });
  }
  return findRequest(db, requestId) as RequestRow;
}

function openPayment(db: Db, requestId: number): PaymentRow | undefined {
  const contract = findCurrentContract(db, requestId);
  const payment = contract && findCurrentPayment(db, contract.id);
  return payment?.status === 'open' ? payment : undefined;
}
