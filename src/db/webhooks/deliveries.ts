/** Deliveries to subscriptions, and the log of their attempts. */
import { pageOf, type Page } from '../page.js';
import { sql } from 'kysely';
import { all, first, insert, required, run, sqlite, type Db } from '../db.js';
import type { DeliveryRow, DeliveryState, WebhookRow } from '../schema.js';
import { firstIdSince } from '../since.js';
import { anyOf, type Direction } from '../sql.js';
import { newRow, rowsBy, setById } from '../table.js';

export type NewDelivery = Pick<
  DeliveryRow,
  'webhookId' | 'messageId' | 'event' | 'requestId' | 'content' | 'createdAt'
>;

export const insertDelivery = insert(
  ({ webhookId, messageId, event, requestId, content, createdAt }: NewDelivery) =>
    sqlite
      .insertInto('deliveries')
      .values({ webhookId, messageId, event, requestId, content, state: 'pending', createdAt }),
);

const deliveryToSend = (p: { id: number }) =>
  sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .innerJoin('users', 'users.id', 'webhooks.ownerId')
    .selectAll('deliveries')
    .select(['webhooks.url', 'webhooks.secret', 'webhooks.oldSecret', 'webhooks.oldSecretUntil'])
    .select(['webhooks.active', 'users.enabled', 'users.username as owner'])
    .where('deliveries.id', '=', p.id);
/** Undefined when it was deleted with its subscription. */
export const findDeliveryToSend = first(deliveryToSend);
export const requireDeliveryToSend = required(deliveryToSend);

/** A delivery with its subscription's current state. */
export interface DeliveryToSend extends DeliveryRow {
  url: string;
  secret: string;
  oldSecret: string | null;
  oldSecretUntil: string | null;
  active: number;
  /** Whether the owner is enabled. */
  enabled: number;
  owner: string;
}

export const setDeliveryState = run(setById('deliveries', ['state', 'signature', 'finishedAt']));

/** Marks a delivery as failed. */
export const failDelivery = run((p: { id: number; finishedAt: string }) =>
  sqlite
    .updateTable('deliveries')
    .set({ state: 'failed', finishedAt: p.finishedAt })
    .where('id', '=', p.id)
    .where('state', '=', 'pending'),
);

export const insertAttempt = run(
  newRow('deliveryAttempts', ['deliveryId', 'at', 'ms', 'url', 'outcome', 'status', 'headers', 'answer']),
);

export const findDelivery = first(rowsBy('deliveries', 'id'));

/** The attempts of these deliveries, oldest first. */
export const listAttempts = all((p: { deliveryIds: readonly number[] }) =>
  sqlite
    .selectFrom('deliveryAttempts')
    .selectAll()
    .where('deliveryId', 'in', anyOf(p.deliveryIds))
    .orderBy('deliveryId')
    .orderBy('id'),
);

export interface DeliveryFilter {
  webhookId: number;
  /** Null: any. */
  state: readonly DeliveryState[] | null;
}

/** The deliveries of a subscription, newest first. */
export function listDeliveries(
  db: Db,
  { limit, offset, ...filter }: DeliveryFilter & { limit: number; offset: number },
): Page<DeliveryRow> {
  const some = filtered(filter);
  return pageOf(db, some, some.selectAll().orderBy('id', 'desc'), { limit, offset });
}

function filtered({ webhookId, state }: DeliveryFilter) {
  const all = sqlite.selectFrom('deliveries');
  const some = all.where('webhookId', '=', webhookId);
  const [first, ...more] = state ?? [];
  if (!state) return some;
  // A literal, so that the planner can use the partial index of failed ones.
  if (first && more.length === 0) return some.where('state', '=', sql.lit(first));
  return some.where('state', 'in', anyOf(state));
}

/** Deletes up to `limit` deliveries of a subscription with their logs; returns how many. */
export const deleteDeliveriesOf = run((p: { webhookId: number; limit: number }) =>
  sqlite
    .deleteFrom('deliveries')
    .where('id', 'in', (some) =>
      some
        .selectFrom('deliveries')
        .select('id')
        .where('webhookId', '=', p.webhookId)
        .orderBy('id')
        .limit(p.limit),
    ),
);

export interface DeliverySearch {
  /** Of this subscription, in this state, about this request; undefined: any. */
  webhookId?: number | undefined;
  state?: DeliveryState | undefined;
  requestId?: number | undefined;
  /** Made at this time or later: ISO 8601. */
  since?: string | undefined;
}

export interface DeliveryPage extends DeliverySearch {
  /** Goes on behind this one; undefined: from the beginning. */
  pastId?: number | undefined;
  /** In the order in which they were made; the newest first by default. */
  direction?: Direction | undefined;
  limit: number;
}

export interface ListedDelivery extends DeliveryRow {
  /** Of the subscription, as it is now. */
  url: string;
}

export function searchDeliveries(
  db: Db,
  { pastId, direction = 'desc', limit, webhookId, state, requestId, since }: DeliveryPage,
): ListedDelivery[] {
  let page = sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .selectAll('deliveries')
    .select('webhooks.url')
    .orderBy('deliveries.id', direction)
    .limit(limit);
  if (pastId !== undefined) page = page.where('deliveries.id', direction === 'asc' ? '>' : '<', pastId);
  if (since !== undefined) page = page.where('deliveries.id', '>=', firstIdSince(db, 'deliveries', since));
  if (webhookId !== undefined) page = page.where('deliveries.webhookId', '=', webhookId);
  // A literal, so that the planner can use the partial indexes of failed and waiting ones.
  if (state !== undefined) page = page.where('deliveries.state', '=', sql.lit(state));
  if (requestId !== undefined) page = page.where('deliveries.requestId', '=', requestId);
  return db.list(page);
}

/** Those that failed for good, without pings: oldest first, of one subscription or of all, made at or after a time. */
export function listFailedDeliveries(
  db: Db,
  { webhookId, since, event }: { webhookId?: number | undefined; since?: string | undefined; event: string },
): Pick<DeliveryRow, 'id'>[] {
  let failed = sqlite
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', sql.lit('failed'))
    .where('event', '<>', event)
    .orderBy('id');
  if (webhookId !== undefined) failed = failed.where('webhookId', '=', webhookId);
  if (since !== undefined) failed = failed.where('createdAt', '>=', since);
  return db.list(failed);
}

/** When something last arrived; deliveries are kept for a time only. */
export const findLastSuccess = first((p: { webhookId: number }) =>
  sqlite
    .selectFrom('deliveries')
    .select('finishedAt')
    .where('webhookId', '=', p.webhookId)
    .where('state', '=', sql.lit('delivered'))
    .orderBy('id', 'desc')
    .limit(1),
);

/** A delivery with the current state of its subscription. */
export type DeliveryOfCase = Pick<DeliveryRow, 'id' | 'webhookId' | 'event' | 'state'> &
  Pick<WebhookRow, 'active' | 'disabledReason'>;

export const listDeliveriesOfCase = all((p: { ids: readonly number[] }) =>
  sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .select(['deliveries.id', 'deliveries.webhookId', 'deliveries.event', 'deliveries.state'])
    .select(['webhooks.active', 'webhooks.disabledReason'])
    .where('deliveries.id', 'in', anyOf(p.ids))
    .orderBy('deliveries.id'),
);
