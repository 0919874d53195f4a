/**
 * Events (rules 8). An event is published in the transaction of its change: one delivery and one job per listening
 * subscription. The body is frozen here; its signature is added at the first attempt, so that no secret is decrypted
 * under the write lock.
 */
import { randomBytes } from 'node:crypto';
import { insertDelivery } from '../../db/webhooks/deliveries.js';
import type { Db } from '../../db/db.js';
import type { EventName, WebhookRow } from '../../db/schema.js';
import { hasSubscribers, listListening } from '../../db/webhooks/webhooks.js';
import { enqueue, workOf } from '../jobs/queue.js';
import { deliveryJob } from './delivery-job.js';

/** The resource after the change. */
export interface EventSubject {
  id: number;
  /** Whose subscriptions receive it, besides administrators'. */
  ownerId: number;
  reference: string;
  status: string;
  /** Of an offer or a troubleshooting. */
  requestId?: number;
}

export interface Happening {
  event: EventName;
  about: EventSubject;
  /** ISO 8601. */
  now: string;
}

/** Enqueues the event for everybody who listens; one index lookup when nobody does. */
export function publishEvent(db: Db, { event, about, now }: Happening): void {
  if (!hasSubscribers(db, { event })) return;
  const listening = listListening(db, { event, ownerId: about.ownerId });
  const content = contentOf(event, about, now);
  const requestId = event.startsWith('request.') ? about.id : about.requestId;
  for (const webhook of listening) {
    enqueueDelivery(db, webhook.id, { event, content, now, requestId, lane: laneOf(webhook) });
  }
}

/** The body without its signature; receivers rely on the order of members (rules 8). */
export function contentOf(
  event: string,
  { id, reference, status }: Omit<EventSubject, 'ownerId'>,
  now: string,
): string {
  return JSON.stringify({ event, data: { id, reference, status }, timestamp: `${now.slice(0, 19)}+00:00` });
}

export interface OwedDelivery {
  lane: string;
  event: string;
  content: string;
  now: string;
  /** The request it is about, so that its time line shows the attempts. */
  requestId?: number | undefined;
}

export function enqueueDelivery(
  db: Db,
  webhookId: number,
  { event, content, now, requestId, lane }: OwedDelivery,
): number {
  const deliveryId = insertDelivery(db, {
    webhookId,
    messageId: newMessageId(now),
    event,
    requestId: requestId ?? null,
    content,
    createdAt: now,
  });
  enqueue(db, workOf(deliveryJob, { deliveryId }, { now, lane, requestId: requestId ?? null }));
  return deliveryId;
}

/**
 * Which deliveries wait for each other (ADR 8). Each owner has four lanes to a target, and a subscription always uses the
 * same one: its deliveries keep their order, a hanging target blocks at most four attempts of an owner, and nobody waits
 * for the receivers of somebody else.
 */
const LANES_PER_TARGET = 4;

type Receiver = Pick<WebhookRow, 'id' | 'ownerId' | 'url'>;

export function laneOf(webhook: Receiver): string {
  return laneTo(webhook, webhook.id % LANES_PER_TARGET);
}

/** Its own lane, so that a ping never waits behind deliveries. */
export function pingLaneOf(webhook: Receiver): string {
  return laneTo(webhook, 'ping');
}

function laneTo({ ownerId, url }: Receiver, lane: number | 'ping'): string {
  return `${new URL(url).origin}/${ownerId}/${lane}`;
}

/** The `webhook-id` of a delivery: a UUIDv7, so that ids sort by time. `at` is ISO 8601. */
function newMessageId(at: string): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.parse(at), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
