/** Closes a request's payment pages at the provider before something takes their place, or nothing does (rules 2). */
import type { Context } from '../context.js';
import { busyWith } from '../lock.js';
import { ourPayments, type OurPayments } from './our-payments.js';
import { paymentPending } from './payment-cases.js';
import { reconcilePayment, type PaymentTrigger } from './reconcile.js';
import { asPaymentRefusal } from '../http/refusal.js';

const STILL_OPEN = 'The payment page could not be closed, so the customer could still pay. ';

/**
 * Afterwards no page can be paid, as the unit that follows makes sure (mustBeClosed). Refuses with `payment_pending` while money is on its
 * way, and throws `payment_unavailable` when a page may still work, also one whose making was not answered. What the provider says is
 * stored: the customer may have been faster, and the request be complete.
 */
export async function closePages(
  ctx: Context,
  requestId: number,
  { actor, reason, dryRun }: Pick<PaymentTrigger, 'actor' | 'reason' | 'dryRun'>,
): Promise<void> {
  const by = { actor, reason, dryRun };
  const { standing, silences } = await reconcilePayment(ctx, requestId, { ...by, wants: 'none' });
  if (standing === 'paid') return;
  if (standing === 'on_its_way') throw paymentPending(requestId);
  const ours = ourPayments(ctx.db, requestId);
  // Of the list: it may hide a page whose making was not answered.
  const isUnanswered = ours.contract?.paymentKey != null;
  const silence = silences.find(({ paymentId }) =>
    paymentId === null ? isUnanswered : isOpen(ours, paymentId),
  );
  if (silence) throw asPaymentRefusal(silence.error, STILL_OPEN);
}

/** In the unit that follows: refuses when a page has come since, or money of any contract is on its way. */
export function mustBeClosed({ request, payments }: OurPayments): void {
  if (payments.some(({ state }) => state === 'open'))
    throw busyWith('A payment page of this request has just been made.');
  if (payments.some(({ state }) => state === 'pending')) throw paymentPending(request.id);
}

function isOpen({ payments }: OurPayments, paymentId: string): boolean {
  return payments.some((row) => row.paymentId === paymentId && row.state === 'open');
}
