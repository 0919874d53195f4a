/**
 * Disables subscriptions (rules 8): at once when the receiver says it is gone, or when ten deliveries in a row have
 * failed for good and nothing succeeded for a day. The administrator is notified.
 */
import type { WebhookRow } from '../../db/schema.js';
import {
  countFailure,
  disableWebhook,
  requireWebhook,
  noteFailedAttempt,
} from '../../db/webhooks/webhooks.js';
import type { Change } from '../change.js';
import { mailJob } from '../mail/mail-job.js';

const FAILURES_MAX = 10;
const FAILING_MS_MAX = 86_400_000;

export interface DeliveryFailure {
  webhookId: number;
  /** When the attempt began. */
  at: string;
  error: string;
  /** That was the delivery's last attempt. */
  isLast: boolean;
}

/** Counts a failed attempt, and disables the subscription after too many. */
export function noteFailure(tx: Change, { webhookId, at, error, isLast }: DeliveryFailure): void {
  noteFailedAttempt(tx.db, { id: webhookId, at, error });
  if (isLast && isHopeless(countFailure(tx.db, { id: webhookId }), tx.time)) {
    disable(tx, { webhookId, cause: 'failing', error });
  }
}

function isHopeless({ failures, failingSince }: WebhookRow, now: Date): boolean {
  return failures >= FAILURES_MAX && now.getTime() - Date.parse(failingSince as string) >= FAILING_MS_MAX;
}

/** `gone`: the receiver answered 410. */
export function disable(
  tx: Change,
  { webhookId, cause, error }: { webhookId: number; cause: 'failing' | 'gone'; error: string },
): void {
  const { db, now } = tx;
  const { url, event } = requireWebhook(db, { id: webhookId });
  if (!disableWebhook(db, { id: webhookId, reason: cause, now })) return;
  tx.record('webhook.disabled', null, { webhookId, cause, error });
  tx.enqueue(mailJob, { mail: 'webhook-disabled', webhookId, url, event, cause, error });
}
