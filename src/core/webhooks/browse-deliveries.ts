/** The log of outbound deliveries for staff, whosever subscription they belong to. */
import { listDeliveriesBefore, type ListedDelivery } from '../../db/delivery-lists.js';
import type { Context } from '../context.js';

export type { ListedDelivery };

/** The newest, or those older than `beforeId`. */
export function browseDeliveries(
  { db }: Context,
  { beforeId, limit }: { beforeId: number | undefined; limit: number },
): ListedDelivery[] {
  return listDeliveriesBefore(db, { beforeId: beforeId ?? Number.MAX_SAFE_INTEGER, limit });
}
