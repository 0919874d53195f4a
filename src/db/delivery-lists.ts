/** Outbound deliveries as staff looks through them: of all subscriptions, the newest first. */
import { query, sqlite, type Db } from './db.js';
import type { DeliveryRow } from './schema.js';
import { rows } from './sql.js';

const newest = query((p: { beforeId: number; limit: number }) =>
  sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .selectAll('deliveries')
    .select('webhooks.url')
    .where('deliveries.id', '<', p.beforeId)
    .orderBy('deliveries.id', 'desc')
    .limit(rows(p.limit)),
);

export interface ListedDelivery extends DeliveryRow {
  /** Of the subscription, as it is now. */
  url: string;
}

/** Deliveries older than this one, at most `limit` of them. */
export function listDeliveriesBefore(db: Db, page: { beforeId: number; limit: number }): ListedDelivery[] {
  return db.all(newest, page);
}
