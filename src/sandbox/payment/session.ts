/** What the payment side remembers of one Checkout Session, and the provider's JSON form of it. */
import type { World } from '../world.js';

/** Times are Unix seconds, as on the wire. */
export type PaymentSession = {
  id: string;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'unpaid' | 'paid';
  amountTotal: number;
  currency: string;
  description: string;
  created: number;
  expiresAt: number;
  successUrl: string | null;
  cancelUrl: string | null;
  customerEmail: string | null;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  paymentIntent: string | null;
  idempotencyKey: string | null;
};

export function sessionView(world: World, session: PaymentSession) {
  return {
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: session.amountTotal,
    amount_total: session.amountTotal,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: session.currency,
    customer_details: session.customerEmail === null ? null : { email: session.customerEmail },
    customer_email: session.customerEmail,
    expires_at: session.expiresAt,
    livemode: false,
    metadata: { ...session.metadata },
    mode: 'payment',
    payment_intent: session.paymentIntent,
    payment_status: session.paymentStatus,
    recovered_from: null,
    status: session.status,
    success_url: session.successUrl,
    // Null once not active: a client must not keep showing the old link.
    url: session.status === 'open' ? `${world.settings.publicUrl}/pay/${session.id}` : null,
  };
}
