/** Changing a subscription (decisions 6): its address, its secret, on and off; the history keeps who did it and why. */
import type { Db } from '../../db/db.js';
import type { UserRow, WebhookRow } from '../../db/schema.js';
import { disableWebhook, enableWebhook, setWebhook } from '../../db/webhooks.js';
import type { Actor } from '../actor.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import type { Given } from '../input.js';
import type { Precondition } from '../precondition.js';
import { actorOf } from '../users/rights.js';
import { getWebhook } from './browse-webhooks.js';
import { getWebhookOf, mustBeAllowed, type ByHand } from './webhooks.js';

/** How long a secret that was replaced still signs. */
const OLD_SECRET_DAYS = 1;

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
  precondition?: Precondition<WebhookRow>,
): Promise<WebhookRow> {
  getWebhookOf(ctx, user, id);
  if (url !== undefined) await mustBeAllowed(ctx, url);
  const sealed = secret === undefined ? undefined : ctx.outbound.secrets.seal(secret);
  return ctx.writer.write((db) => {
    const now = iso(ctx.clock.now());
    const before = getWebhookOf({ db }, user, id);
    precondition?.(before);
    const secrets = sealed === undefined ? secretsOf(before) : rotated(ctx, before, secret as string, sealed);
    setWebhook(db, { id, url: url === undefined ? before.url : new URL(url).href, ...secrets, now });
    recordChange(db, { before, after: getWebhook({ db }, id), actor: actorOf(user), now });
    if (active !== undefined) switchIn(db, { id, active, disabledReason: null, now, actor: actorOf(user) });
    return getWebhook({ db }, id);
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

/** What was changed, by name: a secret is never written down. */
function recordChange(
  db: Db,
  { before, after, actor, now }: { before: WebhookRow; after: WebhookRow; actor: Actor; now: string },
): void {
  const fields = (['url', 'secret'] as const).filter((field) => before[field] !== after[field]);
  if (fields.length === 0) return;
  const detail = { webhookId: after.id, fields, url: after.url };
  record(db, { at: now, actor, what: 'webhook.changed', requestId: null, detail });
}

/**
 * Switches a subscription on or off for an operator; its owner reads that as the reason. One that is switched on begins
 * with nothing held against it.
 */
export function switchWebhook(ctx: Context, id: number, active: boolean, by: ByHand): Promise<WebhookRow> {
  return ctx.writer.write((db) => {
    getWebhook({ db }, id);
    switchIn(db, { id, active, disabledReason: 'operator', now: iso(ctx.clock.now()), ...by });
    return getWebhook({ db }, id);
  });
}

interface Switching extends ByHand {
  id: number;
  active: boolean;
  /** Of one that is switched off. */
  disabledReason: string | null;
  now: string;
}

function switchIn(db: Db, { id, active, disabledReason, now, actor, reason }: Switching): void {
  const isNew = active
    ? enableWebhook(db, { id, now })
    : disableWebhook(db, { id, reason: disabledReason, now });
  if (!isNew) return;
  const what = active ? 'webhook.enabled' : 'webhook.disabled';
  record(db, { at: now, actor, what, requestId: null, detail: { webhookId: id, ...(reason && { reason }) } });
}
