/** Subscriptions to outbound webhooks (spec 2, 4.5): create, get, list, change, delete, as the user who asks may. */
import { z } from 'zod';
import { deleteDeliveriesOf } from '../../db/deliveries.js';
import type { EventName, UserRow, WebhookRow } from '../../db/schema.js';
import {
  countWebhooks,
  deleteWebhookRow,
  disableWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks as listWebhookRows,
  setWebhook,
} from '../../db/webhooks.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import { EVENT_NAMES } from '../events.js';
import type { Keep } from '../idempotency.js';
import { words, type Given } from '../input.js';
import type { Listing, PageOf } from '../listing.js';
import { maySee, ownerScope } from '../users/rights.js';

export type { WebhookRow };

const SECRET_LENGTH_MIN = 8;
const SECRET_LENGTH_MAX = 256;
const PER_USER_MAX = 50;
/** How long a secret that was replaced still signs. */
const OLD_SECRET_DAYS = 1;

const SECRET_TOO_SHORT = `This value is too short. It should have ${SECRET_LENGTH_MIN} characters or more.`;

export const WEBHOOK_FIELDS = {
  url: words({ lengthMax: 2_048 }).meta({ format: 'uri', examples: ['https://hooks.example.org/esign'] }),
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
    if (countWebhooks(db, user.id) >= PER_USER_MAX) {
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
    keep?.(db, webhook);
    return webhook;
  });
}

export interface WebhookChange {
  url: string;
  secret: string;
  active: boolean;
}

/** The subscription as it is then. The secret that is replaced goes on signing for a day, beside the new one. */
export async function changeWebhook(
  ctx: Context,
  user: UserRow,
  id: number,
  { url, secret, active }: Given<WebhookChange>,
): Promise<WebhookRow> {
  getWebhookOf(ctx, user, id);
  if (url !== undefined) await mustBeAllowed(ctx, url);
  const sealed = secret === undefined ? undefined : ctx.outbound.secrets.seal(secret);
  return ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    const before = getWebhookOf({ db }, user, id);
    const secrets = sealed === undefined ? secretsOf(before) : rotated(ctx, before, secret as string, sealed);
    setWebhook(db, { id, url: url === undefined ? before.url : new URL(url).href, ...secrets, now });
    if (active === true) enableWebhook(db, { id, now });
    if (active === false) disableWebhook(db, { id, reason: null, now });
    return getWebhookOf({ db }, user, id);
  });
}

function secretsOf({ secret, oldSecret, oldSecretUntil }: WebhookRow) {
  return { secret, oldSecret, oldSecretUntil };
}

/** The same secret again changes nothing: the one before it stays valid as long as it was to be. */
function rotated(ctx: Context, before: WebhookRow, secret: string, sealed: string) {
  const current = readable(ctx, before.secret);
  if (current === secret) return secretsOf(before);
  if (current === undefined) return { secret: sealed, oldSecret: null, oldSecretUntil: null };
  const oldSecretUntil = iso(addDays(ctx.clock.now(), OLD_SECRET_DAYS));
  return { secret: sealed, oldSecret: before.secret, oldSecretUntil };
}

/** Undefined: the key file was lost, and a new secret is the only way on. */
function readable(ctx: Context, sealed: string): string | undefined {
  try {
    return ctx.outbound.secrets.unseal(sealed);
  } catch {
    return undefined;
  }
}

async function mustBeAllowed(ctx: Context, url: string): Promise<void> {
  const fault = await ctx.outbound.targets.faultOf(url);
  if (fault) throw invalid({ url: fault });
}

const PORTION = 500;

/** Deletes the subscription with its deliveries, in portions; what is still owed to it is not sent any more. */
export async function deleteWebhook(ctx: Context, user: UserRow, id: number): Promise<void> {
  await ctx.writer.write((db) => {
    getWebhookOf({ db }, user, id);
    disableWebhook(db, { id, reason: null, now: iso(ctx.clock.now()) });
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

export function listWebhooks(ctx: Context, user: UserRow, { limit, offset }: PageOf): Listing<WebhookRow> {
  const ownerId = ownerScope(user);
  return { total: countWebhooks(ctx.db, ownerId), rows: listWebhookRows(ctx.db, { ownerId, limit, offset }) };
}
