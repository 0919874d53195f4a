/**
 * Payment sessions that can no longer count but may still be paid, after a restore or a lost answer: those of a request that is
 * complete or canceled, and of a contract that another has replaced. Money that arrives there is a case for a person, and a page
 * that still works is closed.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { listOpenPaymentsOfRequest } from '../../db/payments/payments.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import { isHeld } from '../installation/hold.js';
import { isBeforeSending, isOver } from '../lifecycle.js';
import { apply, type PaymentCheckOptions } from './apply-answer.js';
import { askEach, problem, type Asked, type PaymentCheckResult } from './session-result.js';
import { settleClosed } from './settle-session.js';

/** Asks about each; `old_session_paid` for those that were paid. Throws a ProviderError. */
export async function checkLeftOver(
  ctx: Context,
  request: RequestRow,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult[]> {
  const results: PaymentCheckResult[] = [];
  for (const one of await askEach(ctx, listLeftOver(ctx, request))) {
    const isOpen = one.answer.key === 'check_payment_info.open';
    const { key, changed } = await (isOpen ? closeLeftOver : apply)(ctx, one, options);
    const isPaid = key === 'old_session_paid' || key === 'check_payment_success';
    results.push({
      ...problem(isPaid ? 'old_session_paid' : 'not_waiting_payment'),
      ...(changed && { changed }),
    });
  }
  return results;
}

export function listLeftOver({ db }: Pick<Context, 'db'>, request: RequestRow): PaymentRow[] {
  const current = findCurrentContract(db, { requestId: request.id });
  const awaited = current && mayCount(request, current) ? current.id : undefined;
  return listOpenPaymentsOfRequest(db, { requestId: request.id }).filter(
    ({ contractId }) => contractId !== awaited,
  );
}

/** A session may be known before its signature, after a restore; but a reopened request will get another contract. */
function mayCount(request: RequestRow, { status }: ContractRow): boolean {
  if (isOver(request)) return false;
  return !(isBeforeSending(request) && status === 'EXPIRED');
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
