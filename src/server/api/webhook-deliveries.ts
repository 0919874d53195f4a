/** /api/webhook_deliveries: what was sent to a webhook, and what came back (rules 8). */
import { z } from 'zod';
import { DELIVERIES } from '../../core/resources/deliveries.js';
import { actorOf } from '../../core/users/rights.js';
import { getDeliveryOf, redeliver, type DeliveryView } from '../../core/webhooks/deliveries.js';
import { DELIVERY_STATES } from '../../core/webhooks/words.js';
import { sentBody } from '../../core/webhooks/signatures.js';
import { ID, link, TIME } from './docs/fields.js';
import { documented } from './docs/notes.js';
import { accepted } from './docs/operation.js';
import { shownTime } from './hydra.js';
import { idParam, iriOf } from './iri.js';
import { authenticated, negotiated } from './middleware.js';
import type { Parts } from '../parts.js';
import { askedBy, declareResource, itemPath, resourceRoutes } from './resource.js';
import { sendCreated } from './respond.js';

const Attempt = z.object({
  at: TIME,
  ms: z.int().meta({ description: 'How long it took', examples: [42] }),
  url: z.string().meta({ format: 'uri', examples: ['https://hooks.example.org/esign'] }),
  outcome: z.string().meta({
    description: 'delivered, or the trouble in a word; webhook_disabled: not sent',
    examples: ['http_503'],
  }),
  status: z
    .int()
    .nullable()
    .meta({ description: 'Null: nobody answered', examples: [503] }),
  headers: z
    .record(z.string(), z.string())
    .nullable()
    .meta({ description: 'Of the answer, those worth knowing', examples: [{ 'retry-after': '120' }] }),
  answer: z
    .string()
    .nullable()
    .meta({ description: 'The first 4 KiB of the answer', examples: ['Try later'] }),
});

const { webhook: _, ...filters } = DELIVERIES.filters;

export const DELIVERY = declareResource({
  type: 'WebhookDelivery',
  name: 'webhook_deliveries',
  about: 'One delivery to a webhook, with the log of its tries.',
  fields: {
    id: ID,
    webhook: link('webhooks'),
    event: z.string().meta({ examples: ['request.updated'] }),
    messageId: z.string().meta({
      description: 'The webhook-id of every try',
      examples: ['019caddd-79c2-7ccc-8a4f-0f5b0c6a2f11'],
    }),
    status: z.enum(DELIVERY_STATES),
    body: z.string().meta({
      description: 'The bytes that are sent; before the first try without signature',
      examples: [
        '{"event":"request.updated","data":{"id":1,"reference":"REQ-2026-000001","status":"new"},"timestamp":"2026-03-02T09:14:07+00:00","signature":"5f1c…"}',
      ],
    }),
    createdAt: TIME,
    finishedAt: TIME.optional(),
    nextTryAt: TIME.optional(),
    attempts: z.array(Attempt),
  },
  shows: ({ delivery, attempts, nextTryAt }: DeliveryView) => ({
    ...delivery,
    webhook: iriOf('webhooks', delivery.webhookId),
    status: delivery.state,
    body: sentBody(delivery),
    nextTryAt,
    attempts: attempts.map((attempt) => ({
      at: shownTime(attempt.at),
      ms: attempt.ms,
      url: attempt.url,
      outcome: attempt.outcome,
      status: attempt.status,
      headers: attempt.headers === null ? null : (JSON.parse(attempt.headers) as Record<string, string>),
      answer: attempt.answer,
    })),
  }),
  /** Listed per webhook. */
  ...askedBy({ ...DELIVERIES, filters }),
});

const REDELIVER = documented({
  title: 'Sends a delivery again',
  about: 'The same bytes under the same webhook-id.',
  returns: accepted(DELIVERY),
  refuses: [422],
});

export function webhookDeliveryRoutes(parts: Parts) {
  const { ctx } = parts;
  return resourceRoutes(parts, DELIVERY, {
    show: { title: 'Shows a delivery', run: getDeliveryOf },
  }).post(`${itemPath(DELIVERY)}/redeliver`, REDELIVER, authenticated(parts), negotiated(), async (c) => {
    const user = c.get('user');
    const { delivery } = getDeliveryOf(ctx, user, idParam(c));
    return sendCreated(c, DELIVERY.item(await redeliver(ctx, delivery.id, { actor: actorOf(user) })), 202);
  });
}
