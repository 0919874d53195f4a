/** Inbound payment webhooks: the `Stripe-Signature` scheme, and the members of an event that matter to us. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { MOMENT, SESSION } from './session.js';
import { THIN_EVENT } from './thin-events.js';

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
  created: MOMENT,
  data: z.object({ object: SESSION }),
});

export type SessionEvent = z.infer<typeof PAYMENT_EVENT>;

/** Other events, of arbitrary form, when the endpoint subscribes to all. */
const ANY_EVENT = PAYMENT_EVENT.pick({ id: true, type: true });

export type PaymentEvent = SessionEvent | z.infer<typeof ANY_EVENT>;

export function isAboutSession(event: PaymentEvent): event is SessionEvent {
  return event.type.startsWith('checkout.session.');
}

/** It names what it is about, and says nothing of it. */
const THIN = z.object({ object: z.literal('v2.core.event') });

/** Or why it cannot be used. */
export function parsePaymentEvent(rawBody: Buffer): PaymentEvent | typeof THIN_EVENT | 'unusable_body' {
  try {
    const body: unknown = JSON.parse(rawBody.toString('utf8'));
    if (THIN.safeParse(body).success) return THIN_EVENT;
    const event = ANY_EVENT.parse(body);
    return isAboutSession(event) ? PAYMENT_EVENT.parse(body) : event;
  } catch {
    return 'unusable_body';
  }
}
