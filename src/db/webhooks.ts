/** Subscriptions to outbound webhooks: lookups, changes, and who listens to an event. */
import { sql, type SelectQueryBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { EventName, Schema, WebhookRow } from './schema.js';
import { anyOf, rows } from './sql.js';

const byEvent = query((p: { event: EventName }) =>
  sqlite
    .selectFrom('webhooks')
    .select('id')
    .where('event', '=', p.event)
    .where('active', '=', sql.lit(1))
    .limit(rows(1)),
);

/** Whether anybody at all subscribes to an event: what most changes ask, and mostly the answer is no. */
export function hasSubscribers(db: Db, event: EventName): boolean {
  return db.first(byEvent, { event }) !== undefined;
}

const listening = query((p: { event: EventName; ownerId: number }) =>
  sqlite
    .selectFrom('webhooks')
    .select(['id', 'url'])
    .where('event', '=', p.event)
    .where('active', '=', sql.lit(1))
    .where('ownerId', 'in', (users) =>
      users
        .selectFrom('users')
        .select('id')
        .where('id', '=', p.ownerId)
        .where('enabled', '=', sql.lit(1))
        .union((administrators) =>
          administrators
            .selectFrom('users')
            .select('id')
            .where('role', '=', sql.lit('ROLE_ADMIN'))
            .where('enabled', '=', sql.lit(1)),
        ),
    )
    .orderBy('id'),
);

/** The active subscriptions to an event about what belongs to `ownerId`: of the owner and of administrators, while enabled. */
export function listListening(
  db: Db,
  about: { event: EventName; ownerId: number },
): Pick<WebhookRow, 'id' | 'url'>[] {
  return db.all(listening, about);
}

export interface NewWebhook {
  ownerId: number;
  url: string;
  event: EventName;
  secret: string;
  now: string;
}

const insertion = query((p: NewWebhook) =>
  sqlite
    .insertInto('webhooks')
    .values({
      ownerId: p.ownerId,
      url: p.url,
      event: p.event,
      secret: p.secret,
      createdAt: p.now,
      updatedAt: p.now,
    })
    .returningAll(),
);

export function insertWebhook(db: Db, webhook: NewWebhook): WebhookRow {
  return db.first(insertion, webhook) as WebhookRow;
}

const byId = query((p: { id: number }) => sqlite.selectFrom('webhooks').selectAll().where('id', '=', p.id));

export function findWebhook(db: Db, id: number): WebhookRow | undefined {
  return db.first(byId, { id });
}

const calming = query((p: { id: number }) =>
  sqlite
    .updateTable('webhooks')
    .set({ failures: 0, failingSince: null })
    .where('id', '=', p.id)
    .where('failingSince', 'is not', null),
);

/** A delivery got through: what failed before counts no more. */
export function forgetFailures(db: Db, id: number): void {
  db.run(calming, { id });
}

const failing = query((p: { id: number; at: string }) =>
  sqlite
    .updateTable('webhooks')
    .set({ failingSince: p.at })
    .where('id', '=', p.id)
    .where('failingSince', 'is', null),
);

/** A try failed: the first since one got through begins the row. */
export function noteFailedTry(db: Db, id: number, at: string): void {
  db.run(failing, { id, at });
}

const counting = query((p: { id: number }) =>
  sqlite
    .updateTable('webhooks')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', p.id)
    .returningAll(),
);

/** A delivery failed for good; the subscription with the new count. */
export function countFailure(db: Db, id: number): WebhookRow {
  return db.first(counting, { id }) as WebhookRow;
}

const disabling = query((p: { id: number; reason: string | null; now: string }) =>
  sqlite
    .updateTable('webhooks')
    .set({ active: 0, disabledReason: p.reason, updatedAt: p.now })
    .where('id', '=', p.id)
    .where('active', '=', sql.lit(1)),
);

/** Switches a subscription off; false when it was so already. `reason` is null when its owner did it. */
export function disableWebhook(db: Db, off: { id: number; reason: string | null; now: string }): boolean {
  return db.run(disabling, off) === 1;
}

/** Null stands for "any". */
export interface WebhookFilter {
  ownerId: number | null;
  event: readonly EventName[] | null;
  active: boolean | null;
}

/** In the order of their ids. */
export function listWebhooks(
  db: Db,
  filter: WebhookFilter,
  { limit, offset }: { limit: number; offset: number },
): WebhookRow[] {
  const some = where(sqlite.selectFrom('webhooks').selectAll(), filter);
  return db.list(some.orderBy('id').limit(rows(limit)).offset(rows(offset)));
}

export function countWebhooks(db: Db, filter: WebhookFilter): number {
  const all = sqlite.selectFrom('webhooks').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(where(all, filter))[0]?.count ?? 0;
}

function where<O>(
  all: SelectQueryBuilder<Schema, 'webhooks', O>,
  { ownerId, event, active }: WebhookFilter,
): SelectQueryBuilder<Schema, 'webhooks', O> {
  let some = ownerId === null ? all : all.where('ownerId', '=', ownerId);
  if (event) some = some.where('event', 'in', anyOf<EventName>(JSON.stringify(event)));
  // A user has fifty at most, all of them are still few: no index of its own, which the publishing of events would pay for.
  if (active !== null) some = some.where('active', 'in', anyOf<number>(JSON.stringify([Number(active)])));
  return some;
}

export interface WebhookSettings {
  id: number;
  url: string;
  secret: string;
  oldSecret: string | null;
  oldSecretUntil: string | null;
  now: string;
}

const setting = query((p: WebhookSettings) =>
  sqlite
    .updateTable('webhooks')
    .set({
      url: p.url,
      secret: p.secret,
      oldSecret: p.oldSecret,
      oldSecretUntil: p.oldSecretUntil,
      updatedAt: p.now,
    })
    .where('id', '=', p.id),
);

export function setWebhook(db: Db, settings: WebhookSettings): void {
  db.run(setting, settings);
}

const enabling = query((p: { id: number; now: string }) =>
  sqlite
    .updateTable('webhooks')
    .set({ active: 1, disabledReason: null, failures: 0, failingSince: null, updatedAt: p.now })
    .where('id', '=', p.id)
    .where('active', '=', sql.lit(0)),
);

/** Switches a subscription on, with nothing held against it; false when it was so already. */
export function enableWebhook(db: Db, on: { id: number; now: string }): boolean {
  return db.run(enabling, on) === 1;
}

const deletion = query((p: { id: number }) => sqlite.deleteFrom('webhooks').where('id', '=', p.id));

/** With the deliveries that are left of it. */
export function deleteWebhookRow(db: Db, id: number): void {
  db.run(deletion, { id });
}
