/**
 * Payment check (decisions 2): asks the payment provider what became of the session of a request and brings our records
 * into line. The fallback for a payment webhook that never came; it runs the same routine.
 */
import { findCurrentContract } from '../../db/contracts.js';
import { findCurrentPayment, findPayment } from '../../db/payments.js';
import type { PaymentRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { isProviderError } from '../http/provider-error.js';
import { getRequest } from '../requests/get-request.js';
import type { PaymentSession } from './provider.js';
import { isPaidStatus, sessionExpired, sessionPaid, sessionPending } from './settle-session.js';

export type PaymentCheckKey =
  | 'check_payment_success'
  | 'check_payment_info.open'
  | 'check_payment_info.pending'
  | 'check_payment_info.expired'
  | 'not_waiting_payment'
  | 'no_payment_session'
  | 'payment_session_not_found'
  | 'old_session_paid'
  | 'payment_unavailable';

export interface PaymentCheckResult {
  type: 'success' | 'info' | 'error';
  key: PaymentCheckKey;
}

export interface PaymentCheckOptions {
  actor: Actor;
  reason?: string | undefined;
  /** Ask the provider, but change nothing. */
  dryRun?: boolean;
}

/** Throws only for a request that does not exist, and for trouble of our own. */
export async function checkPayment(
  ctx: Context,
  requestId: number,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const request = getRequest(ctx, requestId);
  if (request.status !== 'WAITING_PAYMENT') return problem('not_waiting_payment');

  const contract = findCurrentContract(ctx.db, requestId);
  const payment = contract && findCurrentPayment(ctx.db, contract.id);
  if (!payment) return problem('no_payment_session');

  try {
    const result = resultOf(await findSession(ctx, payment.paymentId));
    return options.dryRun ? result : await apply(ctx, { payment, requestId, result, options });
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn({ requestId, error: error.message }, 'payment could not be checked');
    return problem('payment_unavailable');
  }
}

/** The provider's view of a session; undefined only when it says that there is no such one. */
export async function findSession(ctx: Context, paymentId: string): Promise<PaymentSession | undefined> {
  try {
    return await ctx.payment.getSession(paymentId);
  } catch (error) {
    if (isProviderError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** What the state of a session at the provider means. */
export function resultOf(session: PaymentSession | undefined): PaymentCheckResult {
  if (!session) return problem('payment_session_not_found');
  if (isPaidStatus(session.paymentStatus)) return { type: 'success', key: 'check_payment_success' };
  if (session.status === 'expired') return { type: 'info', key: 'check_payment_info.expired' };
  if (session.status === 'complete') return { type: 'info', key: 'check_payment_info.pending' };
  return { type: 'info', key: 'check_payment_info.open' };
}

/** The customer can no longer pay there, and has not. A session whose money is on its way is not over for being unknown. */
export function endsSession({ pendingSince }: PaymentRow, { key }: PaymentCheckResult): boolean {
  if (key === 'payment_session_not_found') return pendingSince === null;
  return key === 'check_payment_info.expired';
}

interface Checked {
  payment: PaymentRow;
  requestId: number;
  result: PaymentCheckResult;
  options: PaymentCheckOptions;
}

function apply(
  ctx: Context,
  { payment, requestId, result, options: { actor, reason } }: Checked,
): Promise<PaymentCheckResult> {
  return ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    const { contractId, paymentId } = payment;
    if (actor.kind !== 'system') {
      const detail = { answer: result.key, paymentId, ...(reason && { reason }) };
      record(db, { at: now, actor, what: 'payment.checked', requestId, contractId, detail });
    }
    // Read again: its webhook may have come meanwhile.
    const fresh = findPayment(db, paymentId) as PaymentRow;
    if (result.key === 'check_payment_info.pending') sessionPending(db, fresh, { actor, now });
    if (endsSession(fresh, result)) sessionExpired(db, fresh, { actor, now });
    if (result.key !== 'check_payment_success') return result;
    const isOld = sessionPaid(db, fresh, { actor, now }) === 'old_session_paid';
    return isOld ? problem('old_session_paid') : result;
  });
}

function problem(key: PaymentCheckKey): PaymentCheckResult {
  return { type: 'error', key };
}
