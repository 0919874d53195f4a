/**
 * Payment sessions that no longer count, although money may still come through them: those that a person gave up and, after a
 * restore or a lost answer, those of a request that is over or of an earlier contract. Money that arrives is a case for a person,
 * and a page that still works is closed.
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import { listPayablePaymentsOf } from '../../db/payments/payments.js';
import type { PaymentRow, RequestRow } from '../../db/schema.js';
import { change } from '../change.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import { isHeld } from '../installation/hold.js';
import { apply, type PaymentCheckOptions } from './apply-answer.js';
import { ask, asUnavailable, problem, type Asked, type PaymentCheckResult } from './session-result.js';
import { mayStillCount, settleClosed } from './settle-session.js';

export interface LeftOver {
  /** `old_session_paid` for each that was paid. */
  results: PaymentCheckResult[];
  /** Why one of them could not be asked about; the others were. */
  silence?: unknown;
}

export async function checkLeftOver(
  ctx: Context,
  request: RequestRow,
  options: PaymentCheckOptions,
): Promise<LeftOver> {
  const left: LeftOver = { results: [] };
  for (const payment of listLeftOver(ctx, request)) {
    const result = await checkOne(ctx, payment, options).catch((error: unknown) => {
      left.silence ??= error;
      return asUnavailable(ctx, request.id)(error);
    });
    left.results.push(result);
  }
  return left;
}

async function checkOne(
  ctx: Context,
  payment: PaymentRow,
  options: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  const asked = await ask(ctx, payment);
  const isOpen = asked.answer.key === 'check_payment_info.open';
  const result = await (isOpen ? closeLeftOver : apply)(ctx, asked, options);
  const { key, changed } = result;
  if (key === 'check_payment_info.closed') return result;
  const isPaid = key === 'old_session_paid' || key === 'check_payment_success';
  return { ...problem(isPaid ? 'old_session_paid' : 'not_waiting_payment'), ...(changed && { changed }) };
}

export function listLeftOver(ctx: Context, request: RequestRow): PaymentRow[] {
  const about = { requestId: request.id };
  const current = findCurrentContract(ctx.db, about);
  const awaited = current && mayStillCount(request, current) ? current.id : undefined;
  const since = comesSince(ctx);
  return listPayablePaymentsOf(ctx.db, { ...about, since }).filter(
    ({ contractId, status, pendingSince }) =>
      (contractId !== awaited || status !== 'open') && (pendingSince ?? since) >= since,
  );
}

/** Banks take two weeks at most. */
const DAYS_MAX = 60;

/** Nobody asks about money that has been on its way since before, unless its request waits for it. */
export function comesSince({ clock }: Context): string {
  return iso(addDays(clock.now(), -DAYS_MAX));
}

async function closeLeftOver(
  ctx: Context,
  { payment: { paymentId }, answer }: Asked,
  { dryRun, ...by }: PaymentCheckOptions,
): Promise<PaymentCheckResult> {
  // The page may be another server's by now.
  if (isHeld(ctx)) return answer;
  if (dryRun) return CLOSED;
  try {
    await ctx.payment.expireSession(paymentId);
  } catch (error) {
    // Paid just now: the next check says so. The other requests must not wait for that.
    if (isProviderError(error, 'rejected')) return answer;
    throw error;
  }
  await change(ctx, by, (tx) => settleClosed(tx, [{ paymentId, closing: 'closed' }]));
  return CLOSED;
}

const CLOSED: PaymentCheckResult = { type: 'info', key: 'check_payment_info.closed', changed: true };
