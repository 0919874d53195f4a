/** What the payment side remembers of one Checkout Session, and the provider's JSON form of it. */
import type { World } from '../world.js';
import type { NewSession } from './checks.js';

/** By the provider's names. Times are Unix seconds, as on the wire. */
export type PaymentSession = NewSession & {
  id: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  created: number;
  payment_intent: string | null;
  /** Of the call that made it. */
  idempotencyKey: string | null;
};

/** Without what the provider does not show. */
export function sessionView(world: World, session: PaymentSession) {
  const { idempotencyKey: _, description: __, ...shown } = session;
  return {
    ...shown,
    object: 'checkout.session',
    amount_subtotal: session.amount_total,
    customer_details: session.customer_email === null ? null : { email: session.customer_email },
    livemode: false,
    mode: 'payment',
    recovered_from: null,
    // Null once not active: a client must not keep showing the old link.
    url: session.status === 'open' ? `${world.settings.publicUrl}/pay/${session.id}` : null,
  };
}
