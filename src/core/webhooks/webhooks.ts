/** Subscriptions to outbound webhooks (rules 1, 8): made, shown, changed, deleted. */
import { deleteDeliveriesOf } from '../../db/webhooks/deliveries.js';
import type { EventName, WebhookRow } from '../../db/schema.js';
import {
  countWebhooks,
  deleteWebhookRow,
  disableWebhook,
  findWebhook,
  insertWebhook,
  type ShownWebhook,
  enableWebhook,
  setWebhook,
} from '../../db/webhooks/webhooks.js';
import { change, type By, type Change } from '../change.js';
import { see } from '../commands.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import type { CreateOne, DeleteOne, GetOne, ChangeOne } from '../calls/owned.js';
import { actorOf, seenBy } from '../users/rights.js';
import { addDays, iso } from '../clock.js';
import type { Given } from '../calls/input.js';

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
  if (!webhook) throw notFound('not_found', `There is no webhook ${id}.`, see('webhooks list'));
  return webhook;
}

/** Throws `not_found` also for somebody else's. */
export const getWebhookOf: GetOne<ShownWebhook> = ({ db }, user, id) => seenBy(user, findWebhook(db, { id }));

// Changes: address, secret, enabled or not; the history keeps who did it and why.

const OLD_SECRET_DAYS = 1;

export interface WebhookChange {
  url: string;
  secret: string;
  active: boolean;
}

/** Returns the changed subscription. A replaced secret keeps signing for a day alongside the new one. */
export const changeWebhook: ChangeOne<ShownWebhook, Given<WebhookChange>> = async (
  ctx,
  user,
  id,
  { url, secret, active },
  precondition,
) => {
  if (url !== undefined) await mustBeAllowed(ctx, url);
  const fresh = secret === undefined ? undefined : { secret, sealed: ctx.outbound.secrets.seal(secret) };
  return change(ctx, { actor: actorOf(user) }, (tx) => {
    const { db, now } = tx;
    const before = getWebhookOf({ db }, user, id);
    precondition?.(before);
    const secrets = fresh ? rotated(ctx, before, fresh) : secretsOf(before);
    setWebhook(db, { id, url: url === undefined ? before.url : new URL(url).href, ...secrets, now });
    recordChange(tx, before, getWebhook({ db }, id));
    if (active !== undefined) switchIn(tx, id, active, null);
    return getWebhook({ db }, id);
  });
};

function secretsOf({ secret, oldSecret, oldSecretUntil }: WebhookRow) {
  return { secret, oldSecret, oldSecretUntil };
}

/** Setting the same secret again changes nothing. */
function rotated(ctx: Context, before: WebhookRow, { secret, sealed }: { secret: string; sealed: string }) {
  const current = readable(ctx, before.secret);
  if (current === secret) return secretsOf(before);
  if (current === undefined) return { secret: sealed, oldSecret: null, oldSecretUntil: null };
  const oldSecretUntil = iso(addDays(ctx.clock.now(), OLD_SECRET_DAYS));
  return { secret: sealed, oldSecret: before.secret, oldSecretUntil };
}

/** Undefined when the key file was lost; then only a new secret helps. */
function readable(ctx: Context, sealed: string): string | undefined {
  try {
    return ctx.outbound.secrets.unseal(sealed);
  } catch {
    return undefined;
  }
}

/** Records the names of changed members, never a secret. */
function recordChange(tx: Change, before: WebhookRow, after: WebhookRow): void {
  const fields = (['url', 'secret'] as const).filter((field) => before[field] !== after[field]);
  if (fields.length === 0) return;
  tx.record('webhook.changed', null, { webhookId: after.id, fields, url: after.url });
}

/**
 * Enables or disables a subscription for an operator, which its owner sees as the reason. Enabling clears its
 * failures.
 */
export function switchWebhook(ctx: Context, id: number, active: boolean, by: By): Promise<ShownWebhook> {
  return change(ctx, by, (tx) => {
    switchIn(tx, id, active, 'operator');
    return getWebhook(tx, id);
  });
}

/** `disabledReason` is that of one that is switched off. */
function switchIn(tx: Change, id: number, active: boolean, disabledReason: string | null): void {
  const { db, now, reason } = tx;
  const isNew = active
    ? enableWebhook(db, { id, now })
    : disableWebhook(db, { id, reason: disabledReason, now });
  if (isNew) tx.record(active ? 'webhook.enabled' : 'webhook.disabled', null, { webhookId: id, reason });
}
