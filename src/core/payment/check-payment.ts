/**
 * Payment check (rules 2): asks the payment provider about a request's session and updates our records. The fallback
 * for a lost payment webhook, with the same routine.
 */
import { requireContract, findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment, requirePayment } from '../../db/payments/payments.js';
import type { PaymentRow } from '../../db/schema.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isProviderError, unlessNotFound } from '../http/provider-error.js';
import { getRequest } from '../requests/requests.js';
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
  /** Our records were changed; with `dryRun`: would be. */
  changed?: true;
}

export interface PaymentCheckOptions extends By {
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

  const contract = findCurrentContract(ctx.db, { requestId });
  const payment = contract && findCurrentPayment(ctx.db, { contractId: contract.id });
  if (!payment) return problem('no_payment_session');

  try {
    const result = await askResult(ctx, payment.paymentId);
    const isNothingNew = result.key === 'check_payment_info.open' && options.actor.kind === 'system';
    if (options.dryRun || isNothingNew) return result;
    return await change(ctx, options, (tx) => applyAnswer(tx, payment, result));
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn({ requestId, error: error.message }, 'payment could not be checked');
    return problem('payment_unavailable');
  }
}

/** What the provider says about a session. Throws a ProviderError. */
export async function askResult({ payment }: Context, paymentId: string): Promise<PaymentCheckResult> {
  return resultOf(await unlessNotFound(payment.getSession(paymentId)));
}

/** What the state of a session at the provider means. */
export function resultOf(session: PaymentSession | undefined): PaymentCheckResult {
  if (!session) return { ...problem('payment_session_not_found'), changed: true };
  if (isPaidStatus(session.paymentStatus)) {
    return { type: 'success', key: 'check_payment_success', changed: true };
  }
  if (session.status === 'expired') return { type: 'info', key: 'check_payment_info.expired', changed: true };
  if (session.status === 'complete') return { type: 'info', key: 'check_payment_info.pending' };
  return { type: 'info', key: 'check_payment_info.open' };
}

/**
 * The customer has not paid there and no longer can. A session whose money is on its way is not over because it is
 * unknown.
 */
export function endsSession({ pendingSince }: PaymentRow, { key }: PaymentCheckResult): boolean {
  if (key === 'payment_session_not_found') return pendingSince === null;
  return key === 'check_payment_info.expired';
}

/** Brings our records into line with the provider's answer. */
export function applyAnswer(
  tx: Change,
  { contractId, paymentId }: PaymentRow,
  result: PaymentCheckResult,
): PaymentCheckResult {
  if (tx.actor.kind !== 'system') {
    const contract = requireContract(tx.db, { id: contractId });
    const detail = { answer: result.key, paymentId, reason: tx.reason };
    tx.record('payment.checked', ofContract(contract), detail);
  }
  // Read again: its webhook may have arrived meanwhile.
  const fresh = requirePayment(tx.db, { paymentId });
  if (result.key === 'check_payment_info.pending') sessionPending(tx, fresh);
  if (endsSession(fresh, result)) sessionExpired(tx, fresh);
  if (result.key !== 'check_payment_success') return result;
  return sessionPaid(tx, fresh) === 'old_session_paid'
    ? { ...problem('old_session_paid'), changed: true }
    : result;
}

function problem(key: PaymentCheckKey): PaymentCheckResult {
  return { type: 'error', key };
}
