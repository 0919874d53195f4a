/** Closes payment sessions at the provider before something replaces them. */
import { listOpenPaymentsOf } from '../../db/payments/payments.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import { command, type Advice } from '../commands.js';
import type { Context } from '../context.js';
import { AppError, refused } from '../errors.js';
import { isProviderError } from '../http/provider-error.js';
import { ask, askEach, isOnItsWay } from './session-result.js';
import type { ClosedSession, Closing } from './settle-session.js';

export interface PendingOptions {
  /** Give up the session whose money is on its way: a person has decided not to wait for it. */
  despitePending?: boolean | undefined;
}

/**
 * Closes each session of the contract that is open. Refuses with `payment_pending` while the customer's money is on its way, and
 * throws `payment_unavailable` when a link may still work; then nothing has changed here.
 */
export async function closeSessions(
  ctx: Context,
  contract: ContractRow,
  options: PendingOptions = {},
): Promise<ClosedSession[]> {
  const open = listOpenPaymentsOf(ctx.db, { contractId: contract.id });
  // Before the first of several is closed.
  if (open.length > 1) await refusePending(ctx, contract, options);
  const closed: ClosedSession[] = [];
  for (const payment of open) {
    const one = await closeSession(ctx, payment);
    if (one.closing === 'given_up' && !options.despitePending) throw paymentPending(contract.requestId);
    closed.push({ paymentId: payment.paymentId, ...one });
  }
  return closed;
}

/** Refuses with `payment_pending` or `payment_unavailable`. Call it before closing anything irrevocably. */
export async function refusePending(
  ctx: Context,
  { id: contractId, requestId }: ContractRow,
  { despitePending }: PendingOptions = {},
): Promise<void> {
  const asked = await askEach(ctx, listOpenPaymentsOf(ctx.db, { contractId })).catch(asStillOpen);
  if (asked.some(isOnItsWay) && !despitePending) throw paymentPending(requestId);
}

/** `given_up`: its money is on its way, as far as anybody knows. */
async function closeSession(ctx: Context, payment: PaymentRow): Promise<Closing> {
  try {
    await ctx.payment.expireSession(payment.paymentId);
    return { closing: 'closed' };
  } catch (error) {
    if (isProviderError(error, 'not_found'))
      return { closing: payment.pendingSince === null ? 'closed' : 'given_up' };
    if (!isProviderError(error, 'rejected')) return asStillOpen(error);
    // It is no longer open; the session's state shows why.
    const asked = await ask(ctx, payment).catch(asStillOpen);
    if (isOnItsWay(asked)) return { closing: 'given_up' };
    if (asked.answer.key === 'check_payment_info.open') throw stillOpen(error);
    const { answer, money } = asked;
    return answer.key === 'check_payment_success' ? { closing: 'paid', money } : { closing: 'closed' };
  }
}

/** Asked to pay again now, the customer might pay twice. */
export function paymentPending(
  requestId: number,
  hint: Advice = [
    'Wait for it. `',
    command('explain', requestId),
    '` shows since when, and what to do if it takes too long.',
  ],
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
