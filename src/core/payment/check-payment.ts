/**
 * Payment check (rules 2): asks the payment provider about a request's session and updates our records. The fallback
 * for a lost payment webhook, with the same routine.
 */
import { requireContract, findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment, requirePayment } from '../../db/payments/payments.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { getRequest } from '../requests/requests.js';
import { adoptForgotten, findForgotten, searchForgotten, type Forgotten } from './forgotten-session.js';
import { askResult, endsSession, problem, resultOf, type PaymentCheckResult } from './session-result.js';
import { sessionExpired, sessionPaid, sessionPending } from './settle-session.js';

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
  if (!contract) return problem('no_payment_session');

  try {
    return await checkSessions(ctx, contract, request, options);
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn({ requestId, error: error.message }, 'payment could not be checked');
    return problem('payment_unavailable');
  }
}

/** A restore or a lost answer may have hidden the session that the customer has: the first one, or a renewed one. */
async function checkSessions(
  ctx: Context,
  contract: ContractRow,
  request: RequestRow,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const customer = requireUser(ctx.db, { id: request.ownerId });
  const payment = findCurrentPayment(ctx.db, { contractId: contract.id });
  if (!payment) {
    const forgotten = await searchForgotten(ctx, contract, customer);
    return (await adopt(ctx, contract, forgotten, options)) ?? problem('no_payment_session');
  }
  const result = await askResult(ctx, payment.paymentId);
  const isNothingNew = result.key === 'check_payment_info.open' && options.actor.kind === 'system';
  const checked =
    options.dryRun || isNothingNew
      ? result
      : await change(ctx, options, (tx) => applyAnswer(tx, payment, result));
  if (!endsSession(payment, result)) return checked;
  const forgotten = await findForgotten(ctx, contract, customer);
  return (await adopt(ctx, contract, forgotten, options)) ?? checked;
}

/** Undefined when no other session of the contract can be paid, or was. */
async function adopt(
  ctx: Context,
  contract: ContractRow,
  forgotten: Forgotten | undefined,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult | undefined> {
  if (!forgotten || forgotten.state === 'check_payment_info.expired') return undefined;
  if (!options.dryRun) await change(ctx, options, (tx) => adoptForgotten(tx, contract.id, forgotten));
  const { session, state } = forgotten;
  const result = state === 'other_price' ? problem('old_session_paid') : resultOf(session);
  return { ...result, changed: true };
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
