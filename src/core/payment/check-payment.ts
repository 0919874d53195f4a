/**
 * Payment check (rules 2): asks the payment provider about a request's session and updates our records. The fallback
 * for a lost payment webhook, with the same routine.
 */
import { requireContract, findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment, listOpenPaymentsOf, requirePayment } from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { change, type By, type Change } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { isProviderError } from '../http/provider-error.js';
import { isHeld } from '../installation/hold.js';
import { getRequest } from '../requests/requests.js';
import { adoptForgotten, findForgotten, searchForgotten, type Forgotten } from './forgotten-session.js';
import {
  askEach,
  endsSession,
  problem,
  resultOf,
  type Asked,
  type PaymentCheckResult,
} from './session-result.js';
import { sessionExpired, sessionPaid, sessionPending, settleClosed } from './settle-session.js';

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
  const contract = findCurrentContract(ctx.db, { requestId });
  const isWaiting = request.status === 'WAITING_PAYMENT';
  if (!contract) return problem(isWaiting ? 'no_payment_session' : 'not_waiting_payment');

  try {
    return isWaiting
      ? await checkSessions(ctx, contract, request, options)
      : await checkLeftOver(ctx, contract, request, options);
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
  const asked = await askEach(ctx, sessionsToAsk(ctx.db, contract.id));
  const results: PaymentCheckResult[] = [];
  for (const one of asked) results.push(await apply(ctx, one, options));
  const [first] = results;
  const isOver = asked.every(({ payment, answer }) => endsSession(payment, answer));
  if (first && !isOver) return mostTelling(results);
  const forgotten = await (first ? findForgotten : searchForgotten)(ctx, contract, customer);
  return (await adopt(ctx, contract, forgotten, options)) ?? first ?? problem('no_payment_session');
}

/** Those that may still be paid, or else the last one. */
function sessionsToAsk(db: Db, contractId: number): PaymentRow[] {
  const open = listOpenPaymentsOf(db, { contractId });
  const last = findCurrentPayment(db, { contractId });
  return open.length === 0 && last ? [last] : open;
}

async function apply(
  ctx: Context,
  { payment, answer }: Asked,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const isNothingNew = answer.key === 'check_payment_info.open' && options.actor.kind === 'system';
  return options.dryRun || isNothingNew
    ? answer
    : change(ctx, options, (tx) => applyAnswer(tx, payment, answer));
}

/** The order of precedence. */
const TELLING: readonly PaymentCheckResult['key'][] = [
  'check_payment_success',
  'old_session_paid',
  'check_payment_info.pending',
  'check_payment_info.open',
  'payment_session_not_found',
  'check_payment_info.expired',
];

function mostTelling(results: readonly PaymentCheckResult[]): PaymentCheckResult {
  const [first] = TELLING.flatMap((key) => results.filter((result) => result.key === key));
  const result = first ?? problem('no_payment_session');
  return results.some(({ changed }) => changed) ? { ...result, changed: true } : result;
}

/**
 * What a request that is complete or canceled has left open, after a restore or a lost answer: money that arrives there is a
 * case for a person, and a page that still works is closed.
 */
async function checkLeftOver(
  ctx: Context,
  contract: ContractRow,
  { status }: RequestRow,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const isEnded = status === 'COMPLETE' || status === 'CANCELED';
  const open = isEnded ? listOpenPaymentsOf(ctx.db, { contractId: contract.id }) : [];
  const results: PaymentCheckResult[] = [];
  for (const one of await askEach(ctx, open)) {
    const isOpen = one.answer.key === 'check_payment_info.open';
    results.push(await (isOpen ? closeLeftOver : apply)(ctx, one, options));
  }
  const late = results.find(({ key }) => key === 'old_session_paid');
  const isChanged = results.some(({ changed }) => changed);
  return late ?? { ...problem('not_waiting_payment'), ...(isChanged && { changed: true }) };
}

async function closeLeftOver(
  ctx: Context,
  { payment: { paymentId }, answer }: Asked,
  { dryRun, ...by }: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  // The page may be another server's by now.
  if (isHeld(ctx)) return answer;
  if (dryRun) return { ...answer, changed: true };
  try {
    await ctx.payment.expireSession(paymentId);
  } catch (error) {
    // Paid just now: the next check says so. The other requests must not wait for that.
    if (isProviderError(error, 'rejected')) return answer;
    throw error;
  }
  await change(ctx, by, (tx) => settleClosed(tx, [{ paymentId, closing: 'closed' }]));
  return { ...answer, changed: true };
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
  const contract = requireContract(tx.db, { id: contractId });
  const { status } = requireRequest(tx.db, { id: contract.requestId });
  // For a request that no longer waits, only what follows from the answer is recorded.
  if (tx.actor.kind !== 'system' && status === 'WAITING_PAYMENT') {
    const detail = { answer: result.key, paymentId, reason: tx.reason };
    tx.record('payment.checked', ofContract(contract), detail);
  }
  // Read again: its webhook may have arrived meanwhile.
  const fresh = requirePayment(tx.db, { paymentId });
  if (result.key === 'check_payment_info.pending') sessionPending(tx, fresh);
  if (endsSession(fresh, result)) sessionExpired(tx, fresh);
  if (result.key !== 'check_payment_success') return result;
  const outcome = sessionPaid(tx, fresh);
  if (outcome === 'old_session_paid') return { ...problem('old_session_paid'), changed: true };
  // Reported before; a person has not decided yet.
  const isComplete = requireRequest(tx.db, { id: contract.requestId }).status === 'COMPLETE';
  return isComplete ? result : problem('old_session_paid');
}
