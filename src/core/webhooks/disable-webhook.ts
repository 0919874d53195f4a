/**
 * Switching subscriptions off (decisions 5): at once when the receiver says that it is gone, and when ten deliveries in a
 * row have failed for good while none got through for a day. The administrator is told.
 */
import type { Db } from '../../db/db.js';
import type { WebhookRow } from '../../db/schema.js';
import { countFailure, disableWebhook, findWebhook, noteFailedTry } from '../../db/webhooks.js';
import { JOB } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { enqueue } from '../jobs/queue.js';

const FAILURES_MAX = 10;
const FAILING_MS_MAX = 86_400_000;

export interface DeliveryFailure {
  webhookId: number;
  /** When the try began. */
  at: string;
  error: string;
  /** No try of this delivery is left. */
  isLast: boolean;
}

/** Counts a try that failed, and switches the subscription off when that was one too many. */
export function noteFailure(ctx: Context, db: Db, { webhookId, at, error, isLast }: DeliveryFailure): void {
  noteFailedTry(db, webhookId, at);
  if (isLast && isHopeless(countFailure(db, webhookId), ctx.clock.now())) {
    disable(ctx, db, { webhookId, cause: 'failing', error });
  }
}

function isHopeless({ failures, failingSince }: WebhookRow, now: Date): boolean {
  return failures >= FAILURES_MAX && now.getTime() - Date.parse(failingSince as string) >= FAILING_MS_MAX;
}

/** The receiver has answered 410. */
export function disableGone(ctx: Context, db: Db, webhookId: number, error: string): void {
  disable(ctx, db, { webhookId, cause: 'gone', error });
}

function disable(
  ctx: Context,
  db: Db,
  { webhookId, cause, error }: { webhookId: number; cause: 'failing' | 'gone'; error: string },
): void {
  const now = iso(ctx.clock.now());
  const { url, event } = findWebhook(db, webhookId) as WebhookRow;
  if (!disableWebhook(db, { id: webhookId, reason: cause, now })) return;
  record(db, {
    at: now,
    actor: JOB,
    what: 'webhook.disabled',
    requestId: null,
    detail: { webhookId, cause, error },
  });
  enqueue(db, {
    kind: 'send-mail',
    payload: { mail: 'webhook-disabled', webhookId, url, event, cause, error },
    uniqueKey: `mail:webhook-disabled:${webhookId}:${now}`,
    now,
  });
}
