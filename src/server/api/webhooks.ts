/** /api/webhooks (spec 4.5): subscriptions to outbound webhooks; the secret is taken and never shown. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Keep } from '../../core/idempotency.js';
import { parseInput } from '../../core/input.js';
import { actorOf } from '../../core/users/rights.js';
import { listDeliveries } from '../../core/webhooks/browse-deliveries.js';
import { ping } from '../../core/webhooks/deliveries.js';
import { changeWebhook } from '../../core/webhooks/change-webhook.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhookOf,
  listWebhooks,
  WEBHOOK_FIELDS,
  type WebhookRow,
} from '../../core/webhooks/webhooks.js';
import { JSON_TYPES, PATCH_TYPES, readJsonObject } from '../body.js';
import { once, sendCreatedOnce } from '../create-once.js';
import { ID, TIME } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { accepted, created, listed, removed, shown, type Resource } from '../docs/operation.js';
import { item, shownTime } from '../hydra.js';
import { conditional, ifMatch } from '../if-match.js';
import { idParam, iriOf } from '../iri.js';
import { authenticated, consumes, negotiated, patchable } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendCreated, sendItem, sendJson, sendNothing } from '../respond.js';
import { DELIVERIES, WEBHOOKS } from './collections.js';
import { DELIVERY, deliveryItem } from './webhook-deliveries.js';

const PATH = WEBHOOKS.path;
const ITEM = `${PATH}/:id{[0-9]+}` as const;

const ACTIVE = z.boolean({ error: 'This value should be of type boolean.' });

const WEBHOOK: Resource = {
  type: 'Webhook',
  path: PATH,
  about: 'An address that is told when something happens.',
  fields: z.object({
    id: ID,
    url: WEBHOOK_FIELDS.url,
    event: WEBHOOK_FIELDS.event,
    active: ACTIVE,
    createdAt: TIME,
    disabledReason: z
      .string()
      .optional()
      .meta({
        description: 'Who or what switched it off, unless its owner did: gone, failing, operator',
        examples: ['failing'],
      }),
  }),
};

const NewWebhook = z.object(WEBHOOK_FIELDS);
const WebhookPatch = z
  .object({ url: WEBHOOK_FIELDS.url, active: ACTIVE, secret: WEBHOOK_FIELDS.secret })
  .partial();

const LIST = documented({ title: 'Lists webhooks', returns: listed(WEBHOOK, WEBHOOKS) });
const CREATE = documented({
  title: 'Subscribes an address to an event',
  about: 'The address must be an https address of the public internet. A user has 50 at most.',
  takes: NewWebhook,
  returns: created(WEBHOOK),
});
const READ = documented({ title: 'Shows a webhook', returns: shown(WEBHOOK) });
const CHANGE = documented({
  title: 'Changes a webhook',
  about: 'A secret that is replaced goes on signing for 24 hours, beside the new one.',
  takes: WebhookPatch,
  returns: shown(WEBHOOK),
});
const REMOVE = documented({
  title: 'Removes a webhook',
  about: 'Its deliveries go with it; what is owed to it is not sent any more.',
  returns: removed(WEBHOOK),
});
const PING = documented({
  title: 'Sends a ping to a webhook',
  about: 'Also to one that is switched off. A ping is tried once.',
  returns: accepted(DELIVERY),
});
const LIST_DELIVERIES = documented({
  title: 'Lists the deliveries of a webhook',
  about: 'Newest first.',
  returns: listed(DELIVERY, DELIVERIES),
});

export function webhookRoutes(parts: Parts) {
  const { ctx } = parts;
  const { baseUrl } = ctx.config;
  const member = authenticated(parts);
  return new Hono<Env>()
    .use(ITEM, patchable())
    .get(PATH, LIST, member, negotiated(), (c) => {
      const asked = WEBHOOKS.ask(queryOf(c), baseUrl);
      return sendJson(c, WEBHOOKS.answer(asked, listWebhooks(ctx, c.get('user'), asked), toItem));
    })
    .post(PATH, CREATE, member, consumes(JSON_TYPES), negotiated(), once(), async (c) => {
      const body = await readJsonObject(c);
      const input = parseInput(NewWebhook, body);
      const make = (keep: Keep<WebhookRow>) => createWebhook(ctx, c.get('user'), input, keep);
      return sendCreatedOnce(c, parts, { body, toItem, make });
    })
    .get(ITEM, READ, member, negotiated(), (c) =>
      sendItem(c, toItem(getWebhookOf(ctx, c.get('user'), idParam(c)))),
    )
    .patch(ITEM, CHANGE, member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const { id } = getWebhookOf(ctx, c.get('user'), idParam(c));
      const change = parseInput(WebhookPatch, await readJsonObject(c, PATCH_TYPES));
      return sendItem(c, toItem(await changeWebhook(ctx, c.get('user'), id, change, ifMatch(c, toItem))));
    })
    .delete(ITEM, REMOVE, member, conditional(), async (c) => {
      await deleteWebhook(ctx, c.get('user'), idParam(c), ifMatch(c, toItem));
      return sendNothing(c);
    })
    .post(`${ITEM}/ping`, PING, member, negotiated(), async (c) => {
      const user = c.get('user');
      const webhook = getWebhookOf(ctx, user, idParam(c));
      return sendCreated(c, deliveryItem(await ping(ctx, webhook.id, { actor: actorOf(user) })), 202);
    })
    .get(`${ITEM}/deliveries`, LIST_DELIVERIES, member, negotiated(), (c) => {
      const webhook = getWebhookOf(ctx, c.get('user'), idParam(c));
      const asked = DELIVERIES.ask(queryOf(c), baseUrl);
      const at = `${iriOf('webhooks', webhook.id)}/deliveries`;
      return sendJson(c, DELIVERIES.answer(asked, listDeliveries(ctx, webhook, asked), deliveryItem, at));
    });
}

function toItem({ id, url, event, active, createdAt, disabledReason }: WebhookRow) {
  return item('Webhook', iriOf('webhooks', id), {
    id,
    url,
    event,
    active: active === 1,
    createdAt: shownTime(createdAt),
    disabledReason,
  });
}
