/** /api/webhooks (rules 8): subscriptions to outbound webhooks; the secret is taken and never shown. */
import { z } from 'zod';
import { words } from '../../core/calls/input.js';
import { DELIVERIES } from '../../core/resources/deliveries.js';
import { WEBHOOKS } from '../../core/resources/webhooks.js';
import { actorOf } from '../../core/users/rights.js';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhookOf,
  type ShownWebhook,
} from '../../core/webhooks/webhooks.js';
import { ping, getDeliveryOf, redeliver, type DeliveryView } from '../../core/webhooks/deliveries.js';
import { EVENT_NAMES, DELIVERY_STATES } from '../../core/webhooks/words.js';
import { formFaultOf } from '../../core/webhooks/target.js';
import { ID, TIME, link } from './docs/fields.js';
import { documented, accepted, listed } from './docs/operation.js';
import { idParam, iriOf } from './iri.js';
import { authenticated, negotiated } from './middleware.js';
import type { Parts } from '../parts.js';
import { declareResource, itemPath, listFor, resourceRoutes } from './resource.js';
import { sendCreated, sendJson } from './respond.js';
import { sentBody } from '../../core/webhooks/signatures.js';
import { queryOf, shownTime } from './hydra.js';

const SECRET_LENGTH_MIN = 8;
const SECRET_LENGTH_MAX = 256;

const SECRET_TOO_SHORT = `This value is too short. It should have ${SECRET_LENGTH_MIN} characters or more.`;

const WRITTEN = {
  url: words({ lengthMax: 2_048 })
    .superRefine((url, issues) => {
      const fault = formFaultOf(url);
      if (fault !== undefined) issues.addIssue(fault);
    })
    .meta({ format: 'uri', examples: ['https://hooks.example.org/esign'] }),
  event: z
    .enum(EVENT_NAMES, {
      error: ({ input }) =>
        input == null
          ? 'This value should not be blank.'
          : `This value should be one of ${EVENT_NAMES.join(', ')}.`,
    })
    .meta({ examples: ['request.updated'] }),
  secret: words({ lengthMax: SECRET_LENGTH_MAX })
    .refine((secret) => [...secret].length >= SECRET_LENGTH_MIN, SECRET_TOO_SHORT)
    .meta({ description: 'Signs the deliveries; never shown', examples: ['a secret of my own'] }),
};

const ACTIVE = z.boolean({ error: 'This value should be of type boolean.' });

const WEBHOOK = declareResource({
  type: 'Webhook',
  name: 'webhooks',
  about: 'An address that is notified of events.',
  fields: {
    id: ID,
    url: WRITTEN.url,
    event: WRITTEN.event,
    active: ACTIVE,
    createdAt: TIME,
    disabledReason: z
      .string()
      .optional()
      .meta({
        description: 'Who or what switched it off, unless its owner did: gone, failing, operator',
        examples: ['failing'],
      }),
    lastError: z
      .string()
      .optional()
      .meta({
        description: 'The last error, as a word, even when later tries succeeded',
        examples: ['http_503'],
      }),
    lastErrorAt: TIME.optional(),
    owner: link('users'),
    failures: z.int().meta({ description: 'Deliveries in a row that failed for good', examples: [0] }),
    failingSince: TIME.optional().describe('No try has succeeded since'),
    lastSuccessAt: TIME.optional().describe('When a delivery last arrived'),
  },
  shows: (row: ShownWebhook) => ({
    ...row,
    active: row.active === 1,
    owner: iriOf('users', row.ownerId),
  }),
  noun: WEBHOOKS,
});

const Patch = z.object({ url: WRITTEN.url, active: ACTIVE, secret: WRITTEN.secret }).partial();

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

const DELIVERY = declareResource({
  type: 'WebhookDelivery',
  name: 'webhook_deliveries',
  about: 'One delivery to a webhook, with the log of its tries.',
  fields: {
    id: ID,
    webhook: link('webhooks'),
    url: z.string().meta({
      description: 'Of the webhook, as it is now',
      format: 'uri',
      examples: ['https://hooks.example.org/esign'],
    }),
    event: z.string().meta({ examples: ['request.updated'] }),
    messageId: z.string().meta({
      description: 'The webhook-id of every try',
      examples: ['019caddd-79c2-7ccc-8a4f-0f5b0c6a2f11'],
    }),
    request: link('requests').optional().describe('What it is about'),
    status: z.enum(DELIVERY_STATES),
    lastOutcome: z
      .string()
      .optional()
      .meta({ description: 'Of the last try', examples: ['http_503'] }),
    lastError: z
      .string()
      .optional()
      .meta({ description: 'What went wrong at the receiver, in a word', examples: ['http_503'] }),
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
  shows: ({ delivery, attempts, nextTryAt, error }: DeliveryView) => ({
    ...delivery,
    webhook: iriOf('webhooks', delivery.webhookId),
    request: delivery.requestId === null ? null : iriOf('requests', delivery.requestId),
    status: delivery.state,
    lastOutcome: attempts.at(-1)?.outcome,
    lastError: error,
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
  noun: DELIVERIES,
  inPath: ['webhook'],
});

const PING = documented({
  title: 'Sends a ping to a webhook',
  about: 'Works for a webhook that is switched off, too. A ping is tried once.',
  returns: accepted(DELIVERY),
});
const LIST_DELIVERIES = documented({
  title: 'Lists the deliveries of a webhook',
  about: 'Newest first.',
  returns: listed(DELIVERY),
});

export function webhookRoutes(parts: Parts) {
  const { ctx } = parts;
  const member = authenticated(parts);
  const one = itemPath(WEBHOOK);
  return resourceRoutes(parts, WEBHOOK, {
    list: 'Lists webhooks',
    create: {
      title: 'Subscribes an address to an event',
      about: 'The address must be an https address of the public internet. A user has 50 at most.',
      takes: z.object(WRITTEN),
      run: createWebhook,
    },
    show: { title: 'Shows a webhook', run: getWebhookOf },
    change: {
      title: 'Changes a webhook',
      about: 'A secret that is replaced goes on signing for 24 hours, beside the new one.',
      takes: Patch,
      run: changeWebhook,
    },
    remove: {
      title: 'Removes a webhook',
      about: 'Its deliveries go with it; pending ones are no longer sent.',
      run: deleteWebhook,
    },
  })
    .post(`${one}/ping`, PING, member, negotiated(), async (c) => {
      const user = c.get('user');
      const webhook = getWebhookOf(ctx, user, idParam(c));
      return sendCreated(c, DELIVERY.item(await ping(ctx, webhook.id, { actor: actorOf(user) })), 202);
    })
    .get(`${one}/deliveries`, LIST_DELIVERIES, member, negotiated(), async (c) => {
      const webhook = getWebhookOf(ctx, c.get('user'), idParam(c));
      const asked = DELIVERY.collection.ask(queryOf(c), ctx.config.baseUrl);
      const filter = { ...asked.filter, webhook: [webhook.id] };
      const page = await listFor(DELIVERY, ctx, c.get('user'), { ...asked, filter });
      const at = `${iriOf('webhooks', webhook.id)}/deliveries`;
      return sendJson(c, DELIVERY.collection.answer(asked, page, DELIVERY.item, at));
    });
}

const REDELIVER = documented({
  title: 'Sends a delivery again',
  about: 'The same bytes under the same webhook-id.',
  returns: accepted(DELIVERY),
  refuses: [422],
});

/** `/api/webhook_deliveries`: what was sent to a webhook, and what came back (rules 8). */
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
