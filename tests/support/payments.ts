/** A signed request whose link to pay is mailed, its sessions as our rows have them, and not waiting for money that is on its way. */
import { followPayLink } from '../../src/core/payment/follow-pay-link.js';
import { giveUpPayment } from '../../src/core/payment/give-up-payment.js';
import { renewPaymentSession } from '../../src/core/payment/renew-payment-session.js';
import type { Context } from '../../src/core/context.js';
import type { PaymentRow } from '../../src/db/schema.js';
import { TESTER } from './app.js';
import { story } from './story.js';

/** Its customer has the link to the contract's page. */
export async function linked() {
  const { app, id } = await story().linked().end();
  const waiting = app.waiting(id);
  const { paymentId, payToken } = app.request(id);
  const link = () => followPayLink(app.ctx, payToken as string);
  return { app, waiting, id, paymentId: paymentId as string, link };
}

/** A new page although money is on its way. */
export async function renewDespitePending(
  ctx: Context,
  requestId: number,
  reason = 'the bank refused the debit',
): Promise<PaymentRow | undefined> {
  await giveUpPayment(ctx, requestId, { actor: TESTER, reason });
  return renewPaymentSession(ctx, requestId, { actor: TESTER, reason });
}
