/**
 * Payment check (rules 2): asks the payment provider about a request's session and updates our records. The fallback
 * for a lost payment webhook, with the same routine.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { findCurrentPayment, listOpenPaymentsOf } from '../../db/payments/payments.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { getRequest } from '../requests/requests.js';
import { apply, type PaymentCheckOptions } from './apply-answer.js';
import { adoptForgotten, findForgotten, searchForgotten, type Forgotten } from './forgotten-session.js';
import { isInReview } from './payment-case.js';
import { isUncountedHere } from './payment-job.js';
import { checkLeftOver } from './left-over.js';
import {
  askEach,
  asUnavailable,
  endsSession,
  problem,
  resultOf,
  type PaymentCheckResult,
} from './session-result.js';

/** Throws only for a request that does not exist, and for trouble of our own. */
export async function checkPayment(
  ctx: Context,
  requestId: number,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  return askAboutPayment(ctx, requestId, options).then(({ result }) => result, asUnavailable(ctx, requestId));
}

export interface AskedAbout {
  result: PaymentCheckResult;
  /** Why a session that no longer counts could not be asked about. */
  silence?: unknown;
}

/** The same, but throws a ProviderError when there is no answer. */
export async function askAboutPayment(
  ctx: Context,
  requestId: number,
  options: PaymentCheckOptions,
): Promise<AskedAbout> {
  const request = getRequest(ctx, requestId);
  const result = await checkAwaited(ctx, request, options);
  const { results, silence } = await checkLeftOver(ctx, request, options);
  return { result: mostTelling([result, ...results]), silence };
}

/** A restore or a lost answer may have hidden the session that the customer has: the first one, or a renewed one. */
async function checkAwaited(
  ctx: Context,
  { id: requestId, status }: RequestRow,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  if (status !== 'WAITING_PAYMENT') return problem('not_waiting_payment');
  const contract = findCurrentContract(ctx.db, { requestId });
  if (!contract) return NO_SESSION;
  const asked = await askEach(ctx, sessionsToAsk(ctx.db, contract));
  const usable = asked.flatMap(({ payment, answer }, n) => (endsSession(payment, answer) ? [] : n));
  const isSearched = usable.length === 0;
  const search = asked.length > 0 ? findForgotten : searchForgotten;
  // Before anything is changed.
  const forgotten = isSearched ? await search(ctx, contract, options.list) : undefined;
  const results: PaymentCheckResult[] = [];
  for (const one of asked) results.push(await apply(ctx, one, options));
  const adopted = await adopt(ctx, contract, forgotten, options);
  const known = isSearched ? mostTelling([...results, NO_SESSION]) : mostTelling(results, usable);
  const inReview = isInReview(ctx.db, contract) ? [problem('old_session_paid')] : [];
  return mostTelling([adopted ?? known, ...inReview]);
}

/** Those that may still be paid, or else the last one. */
function sessionsToAsk(db: Db, contract: ContractRow): PaymentRow[] {
  const { id: contractId } = contract;
  const open = listOpenPaymentsOf(db, { contractId });
  const last = findCurrentPayment(db, { contractId });
  if (open.length > 0 || !last || isUncountedHere(db, last, contract)) return open;
  return [last];
}

/** The order of precedence. */
const TELLING: readonly PaymentCheckResult['key'][] = [
  'check_payment_success',
  'old_session_paid',
  'check_payment_info.pending',
  // While money is on its way there; of a session that is over, only if no other is open.
  'payment_session_not_found',
  'check_payment_info.open',
  'check_payment_info.expired',
  'no_payment_session',
  'payment_unavailable',
  'check_payment_info.closed',
  'not_waiting_payment',
];

const NO_SESSION = problem('no_payment_session');

/** Of these the gravest; changed if any changed something. */
function mostTelling(
  results: readonly PaymentCheckResult[],
  among = [...results.keys()],
): PaymentCheckResult {
  const ranked = TELLING.flatMap((key) =>
    results.filter((result, n) => result.key === key && among.includes(n)),
  );
  const isChanged = results.some(({ changed }) => changed);
  return { ...(ranked[0] ?? NO_SESSION), ...(isChanged && { changed: true }) };
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
