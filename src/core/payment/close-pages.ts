/** Closes a request's payment pages at the provider before something takes their place, or nothing does (rules 2). */
import type { Db } from '../../db/db.js';
import { AppError } from '../errors.js';
import type { Context } from '../context.js';
import { busyWith } from '../lock.js';
import { ourPayments, paymentStanding } from './our-payments.js';
import { paymentPending } from './payment-cases.js';
import type { PaymentRow } from '../../db/schema.js';
import { reconcilePayment, type PaymentTrigger } from './reconcile.js';

/**
 * Afterwards no page can be paid. Refuses with `payment_pending` while the customer's money is on its way, and throws `payment_unavailable`
 * when a page may still work. What the provider says is stored: the customer may have been faster, and the request be complete.
 */
export async function closePages(
  ctx: Context,
  requestId: number,
  { actor, reason, dryRun }: Pick<PaymentTrigger, 'actor' | 'reason' | 'dryRun'>,
): Promise<void> {
  const { standing, silences } = await reconcilePayment(ctx, requestId, {
    actor,
    reason,
    dryRun,
    wants: 'none',
  });
  if (standing === 'on_its_way') throw paymentPending(requestId);
  const open = pagesOf(ctx.db, requestId);
  const silence = silences.find(({ paymentId }) => open.some((page) => page.paymentId === paymentId));
  if (standing !== 'paid' && silence) throw stillOpen(silence.error);
  if (!dryRun && open.length > 0) throw busyWith('A payment page of this request has just been made.');
}

/** In the unit that follows: refuses when a page has come since, or money is on its way. */
export function mustBeClosed(db: Db, requestId: number): void {
  if (pagesOf(db, requestId).length > 0) throw busyWith('This request has changed in the meantime.');
  if (paymentStanding(db, requestId) === 'on_its_way') throw paymentPending(requestId);
}

function pagesOf(db: Db, requestId: number): PaymentRow[] {
  return ourPayments(db, requestId).payments.filter(({ state }) => state === 'open');
}

function stillOpen(cause: unknown): AppError {
  return new AppError('unavailable', 'payment_unavailable', 'The payment page could not be closed.', {
    cause,
    hint: 'The customer could still pay: try again later.',
  });
}
