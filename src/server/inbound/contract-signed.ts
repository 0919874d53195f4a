/** POST /webhook/contract-signed (spec 4.7): raw bytes in, an empty body out. */
import { Hono } from 'hono';
import { z } from 'zod';
import { receiveWebhook } from '../../core/signature/receive-webhook.js';
import { documented } from '../docs/notes.js';
import { JSON_TYPE } from '../media-types.js';
import type { Env, Parts } from '../parts.js';
import { BARE, inbound, WEBHOOKS } from './delivery.js';

const WebhookEvent = z.looseObject({
  event_name: z.string().meta({ examples: ['signature_request.done'] }),
  data: z
    .looseObject({
      signature_request: z
        .looseObject({ id: z.string().meta({ examples: ['9d6e4a2c-58f1-4c0e-9c7d-1a2b3c4d5e6f'] }) })
        .optional(),
    })
    .optional(),
});

export function contractSigned(parts: Parts) {
  const { ctx } = parts;
  const tells = documented({
    title: 'Hears from the signature provider what became of a signature',
    group: WEBHOOKS,
    signedBy: ctx.config.webhookHeader,
    takes: { schema: WebhookEvent, mediaTypes: [JSON_TYPE], refuses: [] },
    returns: { status: 200, about: 'Processed and stored, or ignored.' },
    bare: {
      ...BARE,
      202: 'Stored; a job finishes it.',
      400: 'Genuine, but not understood.',
      401: 'The signature is missing or wrong.',
      404: 'No contract has this signature.',
      422: 'The request is past this already, or the contract cannot be signed any more.',
    },
  });
  return new Hono<Env>().post(
    '/webhook/contract-signed',
    tells,
    inbound(parts, { source: 'signature', signatureHeader: ctx.config.webhookHeader }, (delivery) =>
      receiveWebhook(ctx, delivery),
    ),
  );
}
