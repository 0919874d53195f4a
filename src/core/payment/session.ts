/** A session of the payment provider, as its answers, lists and events say it. */
import { z } from 'zod';
import { iso } from '../clock.js';
import type { Money } from '../texts/format.js';

/** The last second of the year 9999. */
const MOMENT_MAX = 253_402_300_799;

/** In minor units. Another number is no amount, and so not said. */
const AMOUNT = z
  .number()
  .nullish()
  .transform((amount) => (amount != null && Number.isSafeInteger(amount) ? amount : null));

/** Epoch seconds. Another number is no moment, and so not said. */
export const MOMENT = z
  .number()
  .nullish()
  .transform((at) => (at != null && at > 0 && at <= MOMENT_MAX ? iso(new Date(at * 1000)) : null));

export const SESSION = z.object({
  id: z
    .string()
    .min(1)
    .max(500)
    .meta({ examples: ['cs_1'] }),
  url: z.string().nullish(),
  status: z.string().nullish(),
  payment_status: z
    .string()
    .nullish()
    .meta({ examples: ['paid'] }),
  client_reference_id: z.string().nullish(),
  customer_email: z.string().nullish(),
  created: MOMENT,
  expires_at: MOMENT,
  amount_total: AMOUNT,
  currency: z.string().nullish(),
  currency_conversion: z.object({ amount_total: AMOUNT, source_currency: z.string().nullish() }).nullish(),
});

type Body = z.infer<typeof SESSION>;
export type PaymentSession = ReturnType<typeof toSession>;

export function toSession(body: Body) {
  return {
    paymentId: body.id,
    name: body.client_reference_id ?? null,
    customer: body.customer_email ?? null,
    /** Null once the session is no longer open. */
    paymentUrl: body.url ?? null,
    status: body.status ?? null,
    paymentStatus: body.payment_status ?? null,
    createdAt: body.created,
    expiresAt: body.expires_at,
    money: moneyOf(body),
  };
}

/**
 * What the customer pays through a session, in our currency. Where the provider converts for the customer, older versions of its
 * API put our currency aside; the newer put aside the customer's (`presentment_details`), which is not ours to compare.
 */
export function moneyOf({
  amount_total: amount,
  currency,
  currency_conversion: ours,
}: Pick<Body, 'amount_total' | 'currency' | 'currency_conversion'>): Money {
  return ours ? money(ours.amount_total, ours.source_currency) : money(amount, currency);
}

function money(amount: number | null, currency: string | null | undefined): Money {
  return { amount, currency: currency?.toLowerCase() ?? null };
}
