/** The payment provider's JSON form of a Checkout Session. */
import type { World } from '../world.js';
import type { PaymentSession } from './types.js';

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

export type SessionView = ReturnType<typeof sessionView>;
