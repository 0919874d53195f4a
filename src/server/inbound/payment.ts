/** POST /webhook/payment: the payment provider tells what became of a session (decisions 9). */
import { Hono } from 'hono';
import { PAYMENT_SIGNATURE_HEADER } from '../../core/payment/payment-event.js';
import { receivePaymentWebhook } from '../../core/payment/receive-payment-webhook.js';
import type { Env, Parts } from '../parts.js';
import { inbound } from './delivery.js';

export function paymentWebhook(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().post(
    '/webhook/payment',
    inbound(parts, { source: 'payment', signatureHeader: PAYMENT_SIGNATURE_HEADER }, (delivery) =>
      receivePaymentWebhook(ctx, delivery),
    ),
  );
}
