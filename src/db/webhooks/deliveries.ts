/** Deliveries to subscriptions, and the log of their attempts. */
import { sql } from 'kysely';
import { all, first, insert, required, run, sqlite, type Db } from '../db.js';
import type { DeliveryRow, DeliveryState } from '../schema.js';
import { firstIdSince, anyOf, type TimeRange } from '../sql.js';
import { listOf } from '../page.js';
import { newRow, setById } from '../table.js';

export const insertDelivery = insert(
  newRow('deliveries', ['webhookId', 'messageId', 'event', 'requestId', 'content', 'createdAt'], {
    fixed: { state: 'pending' },
  }),
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

/** A delivery with its subscription's current state, and whether the owner is enabled. */
export type DeliveryToSend = ReturnType<typeof requireDeliveryToSend>;

export const setDeliveryState = run(setById('deliveries', ['state', 'signature', 'finishedAt']));

export const failDelivery = run(
  setById('deliveries', ['finishedAt'], { fixed: { state: 'failed' }, end: sql`and "state" = 'pending'` }),
);

export const insertAttempt = run(
  newRow('deliveryAttempts', ['deliveryId', 'at', 'ms', 'url', 'outcome', 'status', 'headers', 'answer']),
);

export const findDelivery = first((p: { id: number }) =>
  besideUrl(sqlite.selectFrom('deliveries').where('id', '=', p.id)),
);

/** The attempts of these deliveries, oldest first. */
export const listAttempts = all((p: { deliveryIds: readonly number[] }) =>
  sqlite
    .selectFrom('deliveryAttempts')
    .selectAll()
    .where('deliveryId', 'in', anyOf(p.deliveryIds))
    .orderBy('deliveryId')
    .orderBy('id'),
);

/** Null: any. */
export interface DeliveryFilter {
  webhook: readonly number[] | null;
  status: readonly DeliveryState[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

export interface ShownDelivery extends DeliveryRow {
  /** Of the subscription, as it is now. */
  url: string;
}

/** In the order in which they were made. */
export const { page: listDeliveryPage, walk: listDeliveries } = listOf({
  rows: (filter: DeliveryFilter, db: Db) => besideUrl(filtered(db, filter)),
  orders: { createdAt: 'id' },
});

function besideUrl(some: ReturnType<typeof filtered>) {
  const url = sql<string>`(select "url" from "webhooks" where "webhooks"."id" = "webhookId")`;
  return some.selectAll().select(url.as('url'));
}

function filtered(db: Db, { webhook, status, request, createdAt }: DeliveryFilter) {
  let some = sqlite.selectFrom('deliveries');
  const [only, ...others] = webhook ?? [];
  if (only !== undefined && others.length === 0) some = some.where('webhookId', '=', only);
  else if (webhook) some = some.where('webhookId', 'in', anyOf(webhook));
  const [first, ...more] = status ?? [];
  // A literal, so that the planner can use the partial indexes of failed and waiting ones.
  if (first && more.length === 0) some = some.where('state', '=', sql.lit(first));
  else if (status) some = some.where('state', 'in', anyOf(status));
  if (request) some = some.where('requestId', 'in', anyOf(request));
  const { from, until } = createdAt;
  if (from !== null) some = some.where('deliveries.id', '>=', firstIdSince(db, 'deliveries', from));
  if (until !== null) some = some.where('deliveries.id', '<', firstIdSince(db, 'deliveries', until));
  return some;
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

/** Those in this state, without pings: oldest first, of one subscription or of all, made at or after a time. */
export function listDeliveriesIn(
  db: Db,
  state: DeliveryState,
  { webhookId, since, event }: { webhookId?: number | undefined; since?: string | undefined; event: string },
): Pick<DeliveryRow, 'id'>[] {
  let some = sqlite
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', sql.lit(state))
    .where('event', '<>', event)
    .orderBy('id');
  if (webhookId !== undefined) some = some.where('webhookId', '=', webhookId);
  if (since !== undefined) some = some.where('createdAt', '>=', since);
  return db.list(some);
}

/** A delivery with the current state of its subscription. */
export type DeliveryOfCase = ReturnType<typeof listDeliveriesOfCase>[number];

export const listDeliveriesOfCase = all((p: { ids: readonly number[] }) =>
  sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .select(['deliveries.id', 'deliveries.webhookId', 'deliveries.event', 'deliveries.state'])
    .select(['webhooks.active', 'webhooks.disabledReason'])
    .where('deliveries.id', 'in', anyOf(p.ids))
    .orderBy('deliveries.id'),
);
