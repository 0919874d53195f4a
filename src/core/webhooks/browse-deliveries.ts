/** The log of outbound deliveries for staff, whosever subscription they belong to. */
import { listDeliveriesBefore, type DeliveryPage, type ListedDelivery } from '../../db/delivery-lists.js';
import type { Context } from '../context.js';
import { getWebhook } from './webhooks.js';

export type { ListedDelivery };

/** The newest, or those older than `beforeId`. Throws `not_found` for a subscription that is not there. */
export function browseDeliveries(
  { db }: Pick<Context, 'db'>,
  { beforeId, ...page }: Omit<DeliveryPage, 'beforeId'> & { beforeId: number | undefined },
): ListedDelivery[] {
  if (page.webhookId !== undefined) getWebhook({ db }, page.webhookId);
  return listDeliveriesBefore(db, { beforeId: beforeId ?? Number.MAX_SAFE_INTEGER, ...page });
}
