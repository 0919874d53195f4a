/** What the payment side remembers of one Checkout Session, and the provider's JSON form of it. */
import { z } from 'zod';
import type { World } from '../world.js';
import type { NewSession } from './checks.js';

export type Price = { amount: number; currency: string };

/**
 * What the customer was charged, if not simply the price. `converted`: the customer paid in a currency of their own, and we get
 * the price; until 2025-03-31 the provider put our currency aside (`currency_conversion`), since then the customer's
 * (`presentment_details`). Without it another amount was paid.
 */
export const charged = z.object({
  amount: z.number().int().min(0),
  currency: z.string().regex(/^[a-z]{3}$/),
  converted: z.enum(['currency_conversion', 'presentment_details']).optional(),
});
export type Charged = z.infer<typeof charged>;

/** By the provider's names. Times are Unix seconds, as on the wire. */
export type PaymentSession = NewSession & {
  id: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  created: number;
  payment_intent: string | null;
  charged: Charged | null;
  /** Of the call that made it. */
  idempotencyKey: string | null;
};

/** Null until the session is complete: the list does not find those before by e-mail. */
export function emailOf({ status, customer_email }: PaymentSession): string | null {
  return status === 'complete' ? (customer_email ?? 'customer@example.test') : null;
}

/** With every member of the provider's own example, and null wherever that may be null. */
export function sessionView(world: World, session: PaymentSession) {
  const total = totalOf(session);
  const amount = total?.amount ?? null;
  const nobody = { name: null, phone: null, business_name: null, individual_name: null };
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: true },
    after_expiration: null,
    allow_promotion_codes: null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: session.cancel_url,
    client_reference_id: session.client_reference_id,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: session.created,
    currency: total?.currency ?? null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: null,
    customer_details: {
      address: null,
      email: emailOf(session),
      ...nobody,
      tax_exempt: 'none',
      tax_ids: null,
    },
    customer_email: session.customer_email,
    discounts: null,
    expires_at: session.expires_at,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: { enabled: false },
    metadata: session.metadata,
    mode: 'payment',
    origin_context: null,
    payment_intent: session.payment_intent,
    payment_link: null,
    payment_method_collection: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_status: session.payment_status,
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: session.status,
    submit_type: null,
    subscription: null,
    success_url: session.success_url,
    total_details: { amount_discount: 0, amount_shipping: null, amount_tax: 0 },
    ui_mode: null,
    // Null once not active: a client must not keep showing the old link.
    url: session.status === 'open' ? `${world.settings.publicUrl}/pay/${session.id}` : null,
    wallet_options: {},
    ...conversionOf(session),
  };
}

/** Null while nothing is paid. */
function totalOf({ status, charged, amount, currency }: PaymentSession): Price | null {
  if (status !== 'complete') return null;
  return charged && charged.converted !== 'presentment_details' ? charged : { amount, currency };
}

function conversionOf({ charged, amount, currency }: PaymentSession) {
  if (charged?.converted === undefined) return { currency_conversion: null };
  const { amount: presentment_amount, currency: presentment_currency, converted } = charged;
  const theirs = { presentment_amount, presentment_currency };
  if (converted === 'presentment_details') return { currency_conversion: null, presentment_details: theirs };
  const fx_rate = String(presentment_amount / amount);
  return {
    currency_conversion: {
      amount_subtotal: amount,
      amount_total: amount,
      fx_rate,
      source_currency: currency,
    },
  };
}
