/** Inbound payment webhooks: the `Stripe-Signature` scheme, and the members of an event that matter to us. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export const PAYMENT_SIGNATURE_HEADER = 'Stripe-Signature';

const TOLERANCE_MS = 300_000;

/** True when the header's timestamp is near `now` and one of its v1 digests matches one of the secrets. */
export function isGenuinePayment(
  rawBody: Buffer,
  header: string | undefined,
  secrets: readonly string[],
  now: Date,
): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='));
  const stamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const digests = parts.filter(([name]) => name === 'v1').map(([, digest]) => digest ?? '');
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(Number(stamp) * 1000 - now.getTime()) > TOLERANCE_MS)
    return false;
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${stamp}.`).update(rawBody).digest();
    return digests.some(
      (digest) => /^[0-9a-f]{64}$/.test(digest) && timingSafeEqual(Buffer.from(digest, 'hex'), expected),
    );
  });
}

/** The members of a session that prove whose it is. */
export const SESSION_FACTS = z.object({
  client_reference_id: z.string().nullish(),
  customer_email: z.string().nullish(),
  /** Epoch seconds. */
  created: z.number().nullish(),
  amount_total: z.number().nullish(),
  currency: z.string().nullish(),
  currency_conversion: z
    .object({ amount_total: z.number().nullish(), source_currency: z.string().nullish() })
    .nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

export type SessionFacts = z.infer<typeof SESSION_FACTS>;

/** The last second of the year 9999. */
const MOMENT_MAX = 253_402_300_799;

export const PAYMENT_EVENT = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .meta({ examples: ['evt_1'] }),
  type: z
    .string()
    .min(1)
    .max(200)
    .meta({ examples: ['checkout.session.completed'] }),
  /** Epoch seconds. */
  created: z.number().int().positive().max(MOMENT_MAX).nullish(),
  data: z.object({
    object: z.object({
      id: z
        .string()
        .min(1)
        .max(500)
        .meta({ examples: ['cs_1'] }),
      payment_status: z
        .string()
        .nullish()
        .meta({ examples: ['paid'] }),
      /** Epoch seconds. */
      expires_at: z.number().int().positive().max(MOMENT_MAX).nullish(),
      ...SESSION_FACTS.shape,
    }),
  }),
});

export type SessionEvent = z.infer<typeof PAYMENT_EVENT>;

/** Other events, of arbitrary form, when the endpoint subscribes to all. */
const ANY_EVENT = PAYMENT_EVENT.pick({ id: true, type: true });

export type PaymentEvent = SessionEvent | z.infer<typeof ANY_EVENT>;

export function isAboutSession(event: PaymentEvent): event is SessionEvent {
  return event.type.startsWith('checkout.session.');
}

const THIN = z.object({ object: z.literal('v2.core.event') });

/** It names what it is about, and says nothing of it. */
export function isThin(rawBody: Buffer): boolean {
  try {
    return THIN.safeParse(JSON.parse(rawBody.toString('utf8'))).success;
  } catch {
    return false;
  }
}

/** Undefined when not of the expected shape. */
export function parsePaymentEvent(rawBody: Buffer): PaymentEvent | undefined {
  try {
    const body: unknown = JSON.parse(rawBody.toString('utf8'));
    if (THIN.safeParse(body).success) return undefined;
    const event = ANY_EVENT.parse(body);
    return isAboutSession(event) ? PAYMENT_EVENT.parse(body) : event;
  } catch {
    return undefined;
  }
}
