/** Closes payment sessions at the provider before something replaces them. */
import { listOpenPaymentsOf } from '../../db/payments/payments.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import { command, type Advice } from '../commands.js';
import type { Context } from '../context.js';
import { AppError, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { askEach, askResult, isOnItsWay } from './session-result.js';
import type { ClosedSession, Closing } from './settle-session.js';

/**
 * Closes each session of the contract that is open. Refuses with `payment_pending` while the customer's money is on its way, and
 * throws `payment_unavailable` when a link may still work; then nothing has changed here.
 */
export async function closeSessions(ctx: Context, contract: ContractRow): Promise<ClosedSession[]> {
  const open = listOpenPaymentsOf(ctx.db, { contractId: contract.id });
  // Before the first of several is closed.
  if (open.length > 1) await refusePending(ctx, contract);
  const closed: ClosedSession[] = [];
  for (const payment of open) {
    closed.push({ paymentId: payment.paymentId, closing: await closeSession(ctx, contract, payment) });
  }
  return closed;
}

/** Refuses with `payment_pending` or `payment_unavailable`. Call it before closing anything irrevocably. */
export async function refusePending(ctx: Context, { id: contractId, requestId }: ContractRow): Promise<void> {
  const asked = await askEach(ctx, listOpenPaymentsOf(ctx.db, { contractId })).catch(asStillOpen);
  if (asked.some(isOnItsWay)) throw paymentPending(requestId);
}

async function closeSession(
  ctx: Context,
  { requestId }: ContractRow,
  { paymentId, pendingSince }: PaymentRow,
): Promise<Closing> {
  try {
    return await expireOrAsk(ctx, requestId, paymentId);
  } catch (error) {
    if (!isProviderError(error, 'not_found')) return asStillOpen(error);
    if (pendingSince !== null) throw paymentPending(requestId);
    return 'closed';
  }
}

async function expireOrAsk(ctx: Context, requestId: number, paymentId: string): Promise<Closing> {
  try {
    await ctx.payment.expireSession(paymentId);
    return 'closed';
  } catch (error) {
    if (!isProviderError(error, 'rejected')) throw error;
    // It is no longer open; the session's state shows why.
    const { key } = await askResult(ctx, paymentId);
    if (key === 'check_payment_info.pending') throw paymentPending(requestId);
    if (key === 'check_payment_info.open') throw stillOpen(error);
    return key === 'check_payment_success' ? 'paid' : 'closed';
  }
}

/** Asked to pay again now, the customer might pay twice. */
export function paymentPending(
  requestId: number,
  hint: Advice = ['Wait for it. `', command('explain', requestId), '` shows since when.'],
): AppError {
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
