/**
 * What others may hear of (spec 6). An event is published in the transaction of the change it tells of: one delivery and
 * one job for each subscription that listens. The body is frozen here; its signature is added at the first try, so that no
 * secret is opened while the write lock is held.
 */
import { insertDelivery } from '../db/deliveries.js';
import type { Db } from '../db/db.js';
import type { EventName } from '../db/schema.js';
import { hasSubscribers, listListening } from '../db/webhooks.js';
import { enqueue } from './jobs/queue.js';
import { laneOf } from './webhooks/lane.js';
import { newMessageId } from './webhooks/message-id.js';

export const EVENT_NAMES = [
  'request.created',
  'request.updated',
  'offer.created',
  'troubleshooting.updated',
] as const satisfies readonly EventName[];

/** The resource as it is after the change. */
export interface EventSubject {
  id: number;
  /** Whose subscriptions hear of it, beside those of administrators. */
  ownerId: number;
  reference: string;
  status: string;
}

export interface Happening {
  event: EventName;
  about: EventSubject;
  /** ISO 8601. */
  now: string;
}

/** Owes the event to everybody who listens; one look at an index where nobody does. */
export function publishEvent(db: Db, { event, about, now }: Happening): void {
  if (!hasSubscribers(db, event)) return;
  const listening = listListening(db, { event, ownerId: about.ownerId });
  if (listening.length === 0) return;
  const content = contentOf(event, about, now);
  const requestId = event.startsWith('request.') ? about.id : undefined;
  for (const webhook of listening) {
    oweDelivery(db, webhook.id, { event, content, now, requestId, lane: laneOf(webhook) });
  }
}

/** The body without its signature, in the order of members that receivers sign again (spec 6). */
export function contentOf(
  event: string,
  { id, reference, status }: Omit<EventSubject, 'ownerId'>,
  now: string,
): string {
  return JSON.stringify({ event, data: { id, reference, status }, timestamp: `${now.slice(0, 19)}+00:00` });
}

export interface OwedDelivery {
  /** Waits for those before it in the same lane. */
  lane: string;
  event: string;
  content: string;
  now: string;
  /** The request it is about, so that its time line shows the tries. */
  requestId?: number | undefined;
}

/** Owes one delivery to one subscription; returns its id. */
export function oweDelivery(
  db: Db,
  webhookId: number,
  { event, content, now, requestId, lane }: OwedDelivery,
): number {
  const deliveryId = insertDelivery(db, {
    webhookId,
    messageId: newMessageId(now),
    event,
    content,
    createdAt: now,
  });
  enqueue(db, {
    kind: 'deliver-webhook',
    payload: { deliveryId },
    uniqueKey: deliveryJobKey(deliveryId),
    now,
    lane,
    ...(requestId !== undefined && { requestId }),
  });
  return deliveryId;
}

export function deliveryJobKey(deliveryId: number): string {
  return `delivery:${deliveryId}`;
}
