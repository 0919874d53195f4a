/** The inbound webhooks (rules 3): the raw body, because its bytes are signed, and an answer without a body. */
import { Hono, type Handler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { rejectTooLarge, type InboundDelivery } from '../../core/inbox/rejections.js';
import {
  PAYMENT_EVENT,
  PAYMENT_SIGNATURE_HEADER,
  receivePaymentWebhook,
} from '../../core/payment/receive-payment-webhook.js';
import { receiveWebhook } from '../../core/signature/receive-webhook.js';
import { SIGNATURE_EVENT } from '../../core/signature/webhook-event.js';
import { readBody } from '../http/body.js';
import { addressOf } from '../http/client-address.js';
import { documented } from '../api/docs/operation.js';
import { HttpError } from '../http/errors.js';
import { JSON_TYPE } from '../http/media-types.js';
import type { Env, Parts } from '../parts.js';

const BYTES_MAX = 256 * 1024;

/** Their heading in the API's documents. */
const WEBHOOKS = 'Webhooks of providers';

/** Common answers. */
const BARE = {
  413: 'Larger than 256 KiB.',
  429: 'Too many forged deliveries from this address.',
};

function inbound(
  parts: Parts,
  { source, signatureHeader }: { source: 'signature' | 'payment'; signatureHeader: string },
  receive: (delivery: InboundDelivery) => Promise<{ status: StatusCode }>,
): Handler<Env> {
  return async (c) => {
    const rawBody = await readBody(c, BYTES_MAX).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 413) return undefined;
      throw error;
    });
    const address = addressOf(c, parts);
    if (!rawBody) {
      const size = Number(c.req.header('Content-Length')) || BYTES_MAX;
      const { status } = await rejectTooLarge(parts.ctx, source, { size, address });
      parts.metrics.webhookReceived({ source, status });
      return c.body(null, status, { Connection: 'close' });
    }
    const signature = c.req.header(signatureHeader);
    const { status } = await receive({ rawBody, signature, address });
    parts.metrics.webhookReceived({ source, status });
    return c.body(null, status);
  };
}

/** POST /webhook/contract-signed. */
export function contractSigned(parts: Parts) {
  const { ctx } = parts;
  const about = documented({
    title: 'Hears from the signature provider what became of a signature',
    group: WEBHOOKS,
    signedBy: ctx.config.webhookHeader,
    takes: { schema: SIGNATURE_EVENT, mediaTypes: [JSON_TYPE], refuses: [] },
    returns: { status: 200, about: 'Processed and stored, or ignored.' },
    bare: {
      ...BARE,
      202: 'Stored; a job finishes it.',
      400: 'Genuine, but without an event name, or no JSON object.',
      401: 'The signature is missing or wrong.',
      404: 'No contract has this signature.',
      422: 'The request is past this already, or the contract can no longer be signed.',
    },
  });
  return new Hono<Env>().post(
    '/webhook/contract-signed',
    about,
    inbound(parts, { source: 'signature', signatureHeader: ctx.config.webhookHeader }, (delivery) =>
      receiveWebhook(ctx, delivery),
    ),
  );
}

const PAYMENT_TOLD = documented({
  title: 'Hears from the payment provider what became of a session',
  group: WEBHOOKS,
  signedBy: PAYMENT_SIGNATURE_HEADER,
  takes: { schema: PAYMENT_EVENT, mediaTypes: [JSON_TYPE], refuses: [] },
  returns: { status: 200, about: 'Done, or nothing to do.' },
  bare: {
    ...BARE,
    400: 'The signature is missing or wrong, or the body is not understood.',
    404: 'The service has no secret for these webhooks.',
  },
});

/** POST /webhook/payment: the payment provider reports on a session. */
export function paymentWebhook(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().post(
    '/webhook/payment',
    PAYMENT_TOLD,
    inbound(parts, { source: 'payment', signatureHeader: PAYMENT_SIGNATURE_HEADER }, (delivery) =>
      receivePaymentWebhook(ctx, delivery),
    ),
  );
}
