/** Deliveries owed to subscriptions, and the log of their tries. */
import { sql, type SelectQueryBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { DeliveryAttemptRow, DeliveryRow, DeliveryState, Schema } from './schema.js';
import { anyOf, rows } from './sql.js';

export interface NewDelivery {
  webhookId: number;
  messageId: string;
  event: string;
  content: string;
  createdAt: string;
}

const insertion = query((p: NewDelivery) =>
  sqlite.insertInto('deliveries').values({
    webhookId: p.webhookId,
    messageId: p.messageId,
    event: p.event,
    content: p.content,
    state: 'pending',
    createdAt: p.createdAt,
  }),
);

export function insertDelivery(db: Db, delivery: NewDelivery): number {
  return db.insert(insertion, delivery) as number;
}

const toSend = query((p: { id: number }) =>
  sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .innerJoin('users', 'users.id', 'webhooks.ownerId')
    .selectAll('deliveries')
    .select(['webhooks.url', 'webhooks.secret', 'webhooks.oldSecret', 'webhooks.oldSecretUntil'])
    .select(['webhooks.active', 'users.enabled', 'users.username as owner'])
    .where('deliveries.id', '=', p.id),
);

/** A delivery with what its subscription says now. */
export interface DeliveryToSend extends DeliveryRow {
  url: string;
  secret: string;
  oldSecret: string | null;
  oldSecretUntil: string | null;
  active: number;
  /** Of the subscription's owner. */
  enabled: number;
  owner: string;
}

/** Undefined: it went with its subscription. */
export function findDeliveryToSend(db: Db, id: number): DeliveryToSend | undefined {
  return db.first(toSend, { id });
}

export interface TriedDelivery {
  id: number;
  state: DeliveryState;
  signature: string | null;
  finishedAt: string | null;
}

const update = query((p: TriedDelivery) =>
  sqlite
    .updateTable('deliveries')
    .set({ state: p.state, signature: p.signature, finishedAt: p.finishedAt })
    .where('id', '=', p.id),
);

export function setDeliveryState(db: Db, tried: TriedDelivery): void {
  db.run(update, tried);
}

const failing = query((p: { id: number; finishedAt: string }) =>
  sqlite
    .updateTable('deliveries')
    .set({ state: 'failed', finishedAt: p.finishedAt })
    .where('id', '=', p.id)
    .where('state', '=', 'pending'),
);

/** Ends a delivery that never arrived. */
export function failDelivery(db: Db, ended: { id: number; finishedAt: string }): void {
  db.run(failing, ended);
}

export type NewAttempt = Omit<DeliveryAttemptRow, 'id'>;

const logging = query((p: NewAttempt) =>
  sqlite.insertInto('deliveryAttempts').values({
    deliveryId: p.deliveryId,
    at: p.at,
    ms: p.ms,
    url: p.url,
    outcome: p.outcome,
    status: p.status,
    headers: p.headers,
    answer: p.answer,
  }),
);

export function insertAttempt(db: Db, attempt: NewAttempt): void {
  db.run(logging, attempt);
}

const byId = query((p: { id: number }) => sqlite.selectFrom('deliveries').selectAll().where('id', '=', p.id));

export function findDelivery(db: Db, id: number): DeliveryRow | undefined {
  return db.first(byId, { id });
}

const attemptsOf = query((p: { deliveryIds: string }) =>
  sqlite
    .selectFrom('deliveryAttempts')
    .selectAll()
    .where('deliveryId', 'in', anyOf<number>(p.deliveryIds))
    .orderBy('deliveryId')
    .orderBy('id'),
);

/** The tries of these deliveries, oldest first. */
export function listAttempts(db: Db, deliveryIds: readonly number[]): DeliveryAttemptRow[] {
  return db.all(attemptsOf, { deliveryIds: JSON.stringify(deliveryIds) });
}

export interface DeliveryFilter {
  webhookId: number;
  /** Null: any. */
  state: readonly DeliveryState[] | null;
}

/** The deliveries of a subscription, newest first. */
export function listDeliveries(
  db: Db,
  { limit, offset, ...filter }: DeliveryFilter & { limit: number; offset: number },
): DeliveryRow[] {
  const some = where(sqlite.selectFrom('deliveries').selectAll(), filter);
  return db.list(some.orderBy('id', 'desc').limit(rows(limit)).offset(rows(offset)));
}

export function countDeliveries(db: Db, filter: DeliveryFilter): number {
  const all = sqlite.selectFrom('deliveries').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(where(all, filter))[0]?.count ?? 0;
}

function where<O>(
  all: SelectQueryBuilder<Schema, 'deliveries', O>,
  { webhookId, state }: DeliveryFilter,
): SelectQueryBuilder<Schema, 'deliveries', O> {
  const some = all.where('webhookId', '=', webhookId);
  const [first, ...more] = state ?? [];
  if (!state) return some;
  // Spelled out, so that the planner may use the index of those that failed.
  if (first && more.length === 0) return some.where('state', '=', sql.lit(first));
  return some.where('state', 'in', anyOf<DeliveryState>(JSON.stringify(state)));
}

const ofWebhook = query((p: { webhookId: number; limit: number }) =>
  sqlite
    .deleteFrom('deliveries')
    .where('id', 'in', (some) =>
      some
        .selectFrom('deliveries')
        .select('id')
        .where('webhookId', '=', p.webhookId)
        .orderBy('id')
        .limit(rows(p.limit)),
    ),
);

/** Deletes up to `limit` deliveries of a subscription with their logs; tells how many. */
export function deleteDeliveriesOf(db: Db, some: { webhookId: number; limit: number }): number {
  return db.run(ofWebhook, some);
}
