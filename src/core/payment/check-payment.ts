/**
 * Payment check (rules 2): asks the payment provider about a request's session and updates our records. The fallback
 * for a lost payment webhook, with the same routine.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment, listOpenPaymentsOf } from '../../db/payments/payments.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import { getRequest } from '../requests/requests.js';
import { apply, type PaymentCheckOptions } from './apply-answer.js';
import { adoptForgotten, findForgotten, searchForgotten, type Forgotten } from './forgotten-session.js';
import { checkLeftOver } from './left-over.js';
import {
  askEach,
  endsSession,
  problem,
  resultOf,
  type Asked,
  type PaymentCheckResult,
} from './session-result.js';

/** Throws only for a request that does not exist, and for trouble of our own. */
export async function checkPayment(
  ctx: Context,
  requestId: number,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const request = getRequest(ctx, requestId);
  const isWaiting = request.status === 'WAITING_PAYMENT';
  const contract = isWaiting ? findCurrentContract(ctx.db, { requestId }) : undefined;
  try {
    const asked = contract ? await askEach(ctx, sessionsToAsk(ctx.db, contract.id)) : [];
    const late = await checkLeftOver(ctx, request, options);
    const result = contract
      ? await checkSessions(ctx, contract, request, asked, options)
      : problem(isWaiting ? 'no_payment_session' : 'not_waiting_payment');
    return mostTelling([result, ...late]);
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
  asked: readonly Asked[],
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const customer = requireUser(ctx.db, { id: request.ownerId });
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

/** The order of precedence. */
const TELLING: readonly PaymentCheckResult['key'][] = [
  'check_payment_success',
  'old_session_paid',
  'check_payment_info.pending',
  'check_payment_info.open',
  'payment_session_not_found',
  'check_payment_info.expired',
  'no_payment_session',
  'not_waiting_payment',
];

function mostTelling(results: readonly PaymentCheckResult[]): PaymentCheckResult {
  const [first] = TELLING.flatMap((key) => results.filter((result) => result.key === key));
  const result = first ?? problem('no_payment_session');
  return results.some(({ changed }) => changed) ? { ...result, changed: true } : result;
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
