/** Subscriptions to outbound webhooks (spec 2, 4.5): create, get, list, delete, as the user who asks may. */
import { z } from 'zod';
import { deleteDeliveriesOf } from '../../db/deliveries.js';
import type { EventName, UserRow, WebhookRow } from '../../db/schema.js';
import {
  countWebhooks,
  deleteWebhookRow,
  disableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks as listWebhookRows,
  type WebhookFilter,
} from '../../db/webhooks.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import { EVENT_NAMES } from '../events.js';
import { record } from '../history.js';
import type { Keep } from '../idempotency.js';
import { words } from '../input.js';
import type { Listing, PageOf } from '../listing.js';
import type { Precondition } from '../precondition.js';
import { actorOf, maySee, ownerScope } from '../users/rights.js';
import { formFaultOf } from './target.js';

export type { WebhookRow };

const SECRET_LENGTH_MIN = 8;
const SECRET_LENGTH_MAX = 256;
const PER_USER_MAX = 50;

const SECRET_TOO_SHORT = `This value is too short. It should have ${SECRET_LENGTH_MIN} characters or more.`;

export const WEBHOOK_FIELDS = {
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

/** A person acts; the history keeps the reason, if one is given. */
export interface ByHand {
  actor: Actor;
  reason?: string | undefined;
}

export interface WebhookInput {
  url: string;
  event: EventName;
  secret: string;
}

/** The new subscription of this user. Throws `invalid` for an address that may not be told, and for the 51st. */
export async function createWebhook(
  ctx: Context,
  user: UserRow,
  { url, event, secret }: WebhookInput,
  keep?: Keep<WebhookRow>,
): Promise<WebhookRow> {
  await mustBeAllowed(ctx, url);
  const sealed = ctx.outbound.secrets.seal(secret);
  return ctx.writer.write((db) => {
    if (countWebhooks(db, { ownerId: user.id, event: null, active: null }) >= PER_USER_MAX) {
      throw invalid({ url: `A user can have ${PER_USER_MAX} webhooks at most.` });
    }
    const now = iso(ctx.clock.now());
    const webhook = insertWebhook(db, {
      ownerId: user.id,
      url: new URL(url).href,
      event,
      secret: sealed,
      now,
    });
    const detail = { webhookId: webhook.id, url: webhook.url, event };
    record(db, { at: now, actor: actorOf(user), what: 'webhook.created', requestId: null, detail });
    keep?.(db, webhook);
    return webhook;
  });
}

/** Throws `invalid` for an address that may not be told. */
export async function mustBeAllowed(ctx: Context, url: string): Promise<void> {
  const fault = await ctx.outbound.targets.faultOf(url);
  if (fault) throw invalid({ url: fault });
}

const PORTION = 500;

/** Deletes the subscription with its deliveries, in portions; what is still owed to it is not sent any more. */
export async function deleteWebhook(
  ctx: Context,
  user: UserRow,
  id: number,
  precondition?: Precondition<WebhookRow>,
): Promise<void> {
  await ctx.writer.write((db) => {
    const webhook = getWebhookOf({ db }, user, id);
    precondition?.(webhook);
    const { url, event } = webhook;
    const now = iso(ctx.clock.now());
    disableWebhook(db, { id, reason: null, now });
    const detail = { webhookId: id, url, event };
    record(db, { at: now, actor: actorOf(user), what: 'webhook.deleted', requestId: null, detail });
  });
  const some = { webhookId: id, limit: PORTION };
  while ((await ctx.writer.write((db) => deleteDeliveriesOf(db, some))) === PORTION);
  await ctx.writer.write((db) => deleteWebhookRow(db, id));
}

/** Throws `not_found` for one that is not there, and for one of somebody else. */
export function getWebhookOf({ db }: Pick<Context, 'db'>, user: UserRow, id: number): WebhookRow {
  const webhook = findWebhook(db, id);
  if (!webhook || !maySee(user, webhook.ownerId)) throw notFound('not_found', 'Not Found');
  return webhook;
}

export function listWebhooks(
  ctx: Context,
  user: UserRow,
  { filter, limit, offset }: PageOf & { filter: Omit<WebhookFilter, 'ownerId'> },
): Listing<WebhookRow> {
  const some = { ...filter, ownerId: ownerScope(user) };
  return { total: countWebhooks(ctx.db, some), rows: listWebhookRows(ctx.db, some, { limit, offset }) };
}
