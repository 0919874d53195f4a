/** Outbound deliveries as staff looks through them, the newest first. */
import { sql } from 'kysely';
import { sqlite, type Db } from './db.js';
import type { DeliveryRow } from './schema.js';
import { rows } from './sql.js';

export interface DeliveryPage {
  beforeId: number;
  limit: number;
  /** Of this subscription; undefined: of all. */
  webhookId?: number | undefined;
  onlyFailed?: boolean | undefined;
}

export interface ListedDelivery extends DeliveryRow {
  /** Of the subscription, as it is now. */
  url: string;
}

/** Deliveries older than `beforeId`, at most `limit` of them. */
export function listDeliveriesBefore(
  db: Db,
  { beforeId, limit, webhookId, onlyFailed = false }: DeliveryPage,
): ListedDelivery[] {
  let page = sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .selectAll('deliveries')
    .select('webhooks.url')
    .where('deliveries.id', '<', beforeId)
    .orderBy('deliveries.id', 'desc')
    .limit(rows(limit));
  if (webhookId !== undefined) page = page.where('deliveries.webhookId', '=', webhookId);
  if (onlyFailed) page = page.where('deliveries.state', '=', sql.lit('failed'));
  return db.list(page);
}
