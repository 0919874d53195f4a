/** POST /webhook/contract-signed (spec 4.7): raw bytes in, an empty body out. */
import { Hono } from 'hono';
import { receiveWebhook } from '../../core/signature/receive-webhook.js';
import type { Env, Parts } from '../parts.js';
import { inbound } from './delivery.js';

export function contractSigned(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().post(
    '/webhook/contract-signed',
    inbound(parts, { source: 'signature', signatureHeader: ctx.config.webhookHeader }, (delivery) =>
      receiveWebhook(ctx, delivery),
    ),
  );
}
