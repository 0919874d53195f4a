/**
 * Payment check (rules 2): asks the payment provider about a request's session and updates our records. The fallback
 * for a lost payment webhook, with the same routine.
 */
import { requireContract, findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment, listOpenPaymentsOf, requirePayment } from '../../db/payments/payments.js';
import type { Db } from '../../db/db.js';
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
  const answers: Checked[] = [];
  for (const payment of sessionsToAsk(ctx.db, contract.id))
    answers.push(await checkSession(ctx, payment, options));
  const [first] = answers;
  const counting = answers.find(({ result }) => isPaid(result)) ?? answers.find(({ isOver }) => !isOver);
  if (counting) return counting.result;
  const forgotten = await (first ? findForgotten : searchForgotten)(ctx, contract, customer);
  return (await adopt(ctx, contract, forgotten, options)) ?? first?.result ?? problem('no_payment_session');
}

/** Those that may still be paid, or else the last one. */
function sessionsToAsk(db: Db, contractId: number): PaymentRow[] {
  const open = listOpenPaymentsOf(db, { contractId });
  const last = findCurrentPayment(db, { contractId });
  return open.length === 0 && last ? [last] : open;
}

interface Checked {
  result: PaymentCheckResult;
  isOver: boolean;
}

async function checkSession(
  ctx: Context,
  payment: PaymentRow,
  options: PaymentCheckOptions,
): Promise<Checked> {
  const answer = await askResult(ctx, payment.paymentId);
  const isNothingNew = answer.key === 'check_payment_info.open' && options.actor.kind === 'system';
  const result =
    options.dryRun || isNothingNew
      ? answer
      : await change(ctx, options, (tx) => applyAnswer(tx, payment, answer));
  return { result, isOver: endsSession(payment, answer) };
}

function isPaid({ key }: PaymentCheckResult): boolean {
  return key === 'check_payment_success' || key === 'old_session_paid';
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
