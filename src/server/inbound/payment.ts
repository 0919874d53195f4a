/** POST /webhook/payment: the payment provider tells what became of a session (decisions 9). */
import { Hono } from 'hono';
import { PAYMENT_EVENT, PAYMENT_SIGNATURE_HEADER } from '../../core/payment/payment-event.js';
import { receivePaymentWebhook } from '../../core/payment/receive-payment-webhook.js';
import { documented } from '../docs/notes.js';
import { JSON_TYPE } from '../media-types.js';
import type { Env, Parts } from '../parts.js';
import { BARE, inbound, WEBHOOKS } from './delivery.js';

const TELLS = documented({
  title: 'Hears from the payment provider what became of a session',
  group: WEBHOOKS,
  signedBy: PAYMENT_SIGNATURE_HEADER,
  takes: { schema: PAYMENT_EVENT, mediaTypes: [JSON_TYPE], refuses: [] },
  returns: { status: 200, about: 'Done, or of no interest.' },
  bare: {
    ...BARE,
    400: 'The signature is missing or wrong, or the body is not understood.',
    404: 'The service has no secret for these webhooks.',
  },
});

export function paymentWebhook(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().post(
    '/webhook/payment',
    TELLS,
    inbound(parts, { source: 'payment', signatureHeader: PAYMENT_SIGNATURE_HEADER }, (delivery) =>
      receivePaymentWebhook(ctx, delivery),
    ),
  );
}
