/** Subscriptions to outbound webhooks (rules 1, 8): made, shown, deleted. */
import { deleteDeliveriesOf } from '../../db/webhooks/deliveries.js';
import type { EventName } from '../../db/schema.js';
import {
  countWebhooks,
  deleteWebhookRow,
  disableWebhook,
  findWebhook,
  insertWebhook,
  type ShownWebhook,
} from '../../db/webhooks/webhooks.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import type { CreateOne, DeleteOne, GetOne } from '../calls/owned.js';
import { actorOf, seenBy } from '../users/rights.js';

export type { ShownWebhook };

type Reader = Pick<Context, 'db'>;

const PER_USER_MAX = 50;

export interface WebhookInput {
  url: string;
  event: EventName;
  secret: string;
}

/** Creates a subscription of the user. Throws `invalid` for a forbidden address, and for the 51st. */
export const createWebhook: CreateOne<ShownWebhook, WebhookInput> = async (
  ctx,
  user,
  { url, event, secret },
  keep,
) => {
  await mustBeAllowed(ctx, url);
  const sealed = ctx.outbound.secrets.seal(secret);
  return change(ctx, { actor: actorOf(user) }, (tx) => {
    const { db, now } = tx;
    if (countWebhooks(db, { owner: [user.id], event: null, active: null }) >= PER_USER_MAX) {
      throw invalid({ url: `A user can have ${PER_USER_MAX} webhooks at most.` });
    }
    const row = { ownerId: user.id, url: new URL(url).href, event, secret: sealed, now };
    const webhook = getWebhook(tx, insertWebhook(db, row).id);
    tx.record('webhook.created', null, { webhookId: webhook.id, url: webhook.url, event });
    keep?.(db, webhook);
    return webhook;
  });
};

export async function mustBeAllowed(ctx: Context, url: string): Promise<void> {
  const fault = await ctx.outbound.targets.faultOf(url);
  if (fault) throw invalid({ url: fault });
}

const PORTION = 500;

/** Deletes the subscription with its deliveries, in portions; waiting ones are no longer sent. */
export const deleteWebhook: DeleteOne<ShownWebhook> = async (ctx, user, id, precondition) => {
  await change(ctx, { actor: actorOf(user) }, (tx) => {
    const { db, now } = tx;
    const webhook = getWebhookOf({ db }, user, id);
    precondition?.(webhook);
    const { url, event } = webhook;
    disableWebhook(db, { id, reason: null, now });
    tx.record('webhook.deleted', null, { webhookId: id, url, event });
  });
  const some = { webhookId: id, limit: PORTION };
  while ((await ctx.writer.write((db) => deleteDeliveriesOf(db, some))) === PORTION);
  await ctx.writer.write((db) => deleteWebhookRow(db, { id }));
};

/** One subscription, without a check of rights; throws `not_found`. */
export function getWebhook({ db }: Reader, id: number): ShownWebhook {
  const webhook = findWebhook(db, { id });
  if (!webhook) throw notFound('not_found', `There is no webhook ${id}.`);
  return webhook;
}

/** Throws `not_found` also for somebody else's. */
export const getWebhookOf: GetOne<ShownWebhook> = ({ db }, user, id) => seenBy(user, findWebhook(db, { id }));
