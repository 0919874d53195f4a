/** Closes payment sessions at the provider before something replaces them. */
import { listOpenPaymentsOf } from '../../db/payments/payments.js';
import type { Advice } from '../commands.js';
import type { Context } from '../context.js';
import { AppError, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { askEach, askResult } from './session-result.js';
import type { ClosedSession, Closing } from './settle-session.js';

/**
 * Closes each session of the contract that is open. Refuses with `payment_pending` while the customer's money is on its way, and
 * throws `payment_unavailable` when a link may still work; then nothing has changed here.
 */
export async function closeSessions(ctx: Context, contractId: number): Promise<ClosedSession[]> {
  const open = listOpenPaymentsOf(ctx.db, { contractId });
  // Before the first of several is closed.
  if (open.length > 1) await refusePending(ctx, contractId);
  const closed: ClosedSession[] = [];
  for (const { paymentId } of open) {
    closed.push({ paymentId, closing: await closeSession(ctx, paymentId) });
  }
  return closed;
}

/** Refuses with `payment_pending` or `payment_unavailable`. Call it before closing anything irrevocably. */
export async function refusePending(ctx: Context, contractId: number): Promise<void> {
  const asked = await askEach(ctx, listOpenPaymentsOf(ctx.db, { contractId })).catch(asStillOpen);
  if (asked.some(({ answer }) => answer.key === 'check_payment_info.pending')) throw paymentPending();
}

async function closeSession(ctx: Context, paymentId: string): Promise<Closing> {
  try {
    return await expireOrAsk(ctx, paymentId);
  } catch (error) {
    if (isProviderError(error, 'not_found')) return 'closed';
    return asStillOpen(error);
  }
}

async function expireOrAsk(ctx: Context, paymentId: string): Promise<Closing> {
  try {
    await ctx.payment.expireSession(paymentId);
    return 'closed';
  } catch (error) {
    if (!isProviderError(error, 'rejected')) throw error;
    // It is no longer open; the session's state shows why.
    const { key } = await askResult(ctx, paymentId);
    if (key === 'check_payment_info.pending') throw paymentPending();
    if (key === 'check_payment_info.open') throw stillOpen(error);
    return key === 'check_payment_success' ? 'paid' : 'closed';
  }
}

/** Asked to pay again now, the customer might pay twice. */
export function paymentPending(hint?: Advice): AppError {
  return refused('payment_pending', 'The customer has paid; the money is still on its way.', hint);
}

function asStillOpen(error: unknown): never {
  throw isProviderError(error) ? stillOpen(error) : error;
}

function stillOpen(cause: unknown): AppError {
  return new AppError('unavailable', 'payment_unavailable', 'The payment session could not be closed.', {
    cause,
    hint: 'The customer could still pay: try again later.',
  });
}
