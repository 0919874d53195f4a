/** The log of outbound deliveries: of one subscription, or for staff of all of them. */
import type { Db } from '../../db/db.js';
import {
  countDeliveries,
  findDelivery,
  listAttempts,
  listDeliveries as listDeliveryRows,
} from '../../db/deliveries.js';
import { listDeliveriesBefore, type DeliveryPage, type ListedDelivery } from '../../db/delivery-lists.js';
import { findJobByKey } from '../../db/jobs.js';
import type { DeliveryAttemptRow, DeliveryRow, DeliveryState, WebhookRow } from '../../db/schema.js';
import type { Data } from '../data.js';
import { notFound } from '../errors.js';
import { deliveryJobKey } from '../events.js';
import type { Listing, PageOf } from '../listing.js';
import { getWebhook } from './browse-webhooks.js';

export type { ListedDelivery };

/** The newest, or those older than `beforeId`. Throws `not_found` for a subscription that is not there. */
export function browseDeliveries(
  { db }: Pick<Data, 'db'>,
  { beforeId, ...page }: Omit<DeliveryPage, 'beforeId'> & { beforeId: number | undefined },
): ListedDelivery[] {
  if (page.webhookId !== undefined) getWebhook({ db }, page.webhookId);
  return listDeliveriesBefore(db, { beforeId: beforeId ?? Number.MAX_SAFE_INTEGER, ...page });
}

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryState[];

/** A delivery with the log of its tries, oldest first. */
export interface DeliveryView {
  delivery: DeliveryRow;
  attempts: DeliveryAttemptRow[];
  /** ISO 8601; null: no try is owed. */
  nextTryAt: string | null;
}

/** Newest first. `filter`: those in one of these states; null: all. */
export function listDeliveries(
  { db }: Pick<Data, 'db'>,
  webhook: WebhookRow,
  { filter, limit, offset }: PageOf & { filter: { status: DeliveryState[] | null } },
): Listing<DeliveryView> {
  const some = { webhookId: webhook.id, state: filter.status };
  return {
    total: countDeliveries(db, some),
    rows: viewsOf(db, listDeliveryRows(db, { ...some, limit, offset })),
  };
}

/** Throws `not_found` for one that is not there. */
export function getDelivery({ db }: Pick<Data, 'db'>, id: number): DeliveryView {
  const delivery = findDelivery(db, id);
  if (!delivery) throw notFound('not_found', `There is no delivery ${id}.`);
  return viewsOf(db, [delivery])[0] as DeliveryView;
}

/** Each with its log. */
export function viewsOf(db: Db, deliveries: DeliveryRow[]): DeliveryView[] {
  const attempts = new Map<number, DeliveryAttemptRow[]>(deliveries.map(({ id }) => [id, []]));
  for (const attempt of listAttempts(db, [...attempts.keys()])) {
    attempts.get(attempt.deliveryId)?.push(attempt);
  }
  return deliveries.map((delivery) => ({
    delivery,
    attempts: attempts.get(delivery.id) ?? [],
    nextTryAt: nextTryAt(db, delivery),
  }));
}

function nextTryAt(db: Db, { id, state }: DeliveryRow): string | null {
  if (state !== 'pending') return null;
  return findJobByKey(db, deliveryJobKey(id))?.runAt ?? null;
}
