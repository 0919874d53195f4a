/** Subscriptions to outbound webhooks: lookups, changes, and who listens to an event. */
import { sql } from 'kysely';
import { all, changed, exists, first, required, run, sqlite, type Db } from '../db.js';
import type { EventName, WebhookRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { listOf, ownersIn, type Own } from '../page.js';
import { deleteBy, firstBy, newRow, rowsBy, setById } from '../table.js';

/** Whether anybody subscribes to an event. Most changes ask this, and mostly the answer is no. */
export const hasSubscribers = exists((p: { event: EventName }) =>
  sqlite.selectFrom('webhooks').select('id').where('event', '=', p.event).where('active', '=', 1).limit(1),
);

/**
 * The active subscriptions to an event about something of `ownerId`: those of the owner and of administrators, if
 * enabled.
 */
export const listListening = all((p: { event: EventName; ownerId: number }) =>
  sqlite
    .selectFrom('webhooks')
    .select(['id', 'ownerId', 'url'])
    .where('event', '=', p.event)
    .where('active', '=', 1)
    .where('ownerId', 'in', (users) =>
      users
        .selectFrom('users')
        .select('id')
        .where('id', '=', p.ownerId)
        .where('enabled', '=', 1)
        .union((administrators) =>
          administrators
            .selectFrom('users')
            .select('id')
            .where('role', '=', 'ROLE_ADMIN')
            .where('enabled', '=', 1),
        ),
    )
    .orderBy('id'),
);

export const insertWebhook = required(
  newRow('webhooks', ['ownerId', 'url', 'event', 'secret'], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`returning *`,
  }),
);

export const requireWebhook = required(rowsBy('webhooks', 'id'));
export const findWebhook = first((p: { id: number }) =>
  shown(sqlite.selectFrom('webhooks').where('id', '=', p.id)),
);

export const listLastErrors = all((p: { ids: readonly number[] }) =>
  sqlite.selectFrom('webhooks').select(['id', 'lastError']).where('id', 'in', anyOf(p.ids)),
);

const NO_FAILURES = { failures: 0, failingSince: null };

/** A delivery succeeded; earlier failures no longer count. */
export const forgetFailures = run(
  setById('webhooks', [], { fixed: NO_FAILURES, end: sql`and "failingSince" is not null` }),
);

/** An attempt failed; the first since a success starts the series. */
export const noteFailedAttempt = run((p: { id: number; at: string; error: string }) =>
  sqlite
    .updateTable('webhooks')
    .set((eb) => ({
      failingSince: eb.fn.coalesce('failingSince', eb.val(p.at)),
      lastError: p.error,
      lastErrorAt: p.at,
    }))
    .where('id', '=', p.id),
);

/** The receiver is gone for good. */
export const noteLastError = run((p: { id: number; at: string; error: string }) =>
  sqlite.updateTable('webhooks').set({ lastError: p.error, lastErrorAt: p.at }).where('id', '=', p.id),
);

/** A delivery failed for good; returns the subscription with the new count. */
export const countFailure = required((p: { id: number }) =>
  sqlite
    .updateTable('webhooks')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('id', '=', p.id)
    .returningAll(),
);

/** Disables a subscription; false when it was disabled. `reason` is null when its owner did it. */
export const disableWebhook = changed((p: { id: number; reason: string | null; now: string }) =>
  sqlite
    .updateTable('webhooks')
    .set({ active: 0, disabledReason: p.reason, updatedAt: p.now })
    .where('id', '=', p.id)
    .where('active', '=', 1),
);

/** Null means "any". */
export interface WebhookFilter {
  owner: readonly number[] | null;
  event: readonly EventName[] | null;
  active: boolean | null;
}

export function countWebhooks(db: Db, filter: WebhookFilter): number {
  return db.count(filtered(filter));
}

function filtered({ event, active, ...filter }: WebhookFilter & Partial<Own>) {
  const owners = ownersIn(filter);
  let some = sqlite.selectFrom('webhooks');
  if (owners) some = some.where('ownerId', 'in', anyOf(owners));
  if (event) some = some.where('event', 'in', anyOf(event));
  // There are few subscriptions, so there is no index for this; publishing events would pay for it.
  if (active !== null) some = some.where('active', 'in', anyOf([Number(active)]));
  return some;
}

export const setWebhook = run(
  setById('webhooks', ['url', 'secret', 'oldSecret', 'oldSecretUntil'], { stamps: ['updatedAt'] }),
);

/** Enables a subscription and clears its failures; false when it was enabled. */
export const enableWebhook = changed(
  setById('webhooks', [], {
    stamps: ['updatedAt'],
    fixed: { active: 1, disabledReason: null, ...NO_FAILURES },
    end: sql`and "active" = 0`,
  }),
);

/** Subscriptions that we have disabled, at most `limit` of them. */
export const listDisabledWebhooks = all(
  firstBy('webhooks', [], { only: sql`"disabledReason" is not null`, order: sql`"id"` }),
);

/** With its remaining deliveries. */
export const deleteWebhookRow = run(deleteBy('webhooks', 'id'));

/** There are few of them, so there is no index by address. */
export const { page: listWebhooks, walk: walkWebhooks } = listOf({
  rows: (filter: WebhookFilter & Partial<Own>) => shown(filtered(filter)),
  orders: { createdAt: 'id', url: 'url' },
});

export interface ShownWebhook extends WebhookRow {
  /** The owner's e-mail address. */
  owner: string;
  /** When a delivery last arrived; null when none of those still kept did. */
  lastSuccessAt: string | null;
}

function shown(some: ReturnType<typeof filtered>) {
  const owner = sql<string>`(select "username" from "users" where "users"."id" = "ownerId")`;
  const lastSuccess = sql<string | null>`(select "finishedAt" from "deliveries"
    where "webhookId" = "webhooks"."id" and "state" = 'delivered' order by "deliveries"."id" desc limit 1)`;
  return some.selectAll().select([owner.as('owner'), lastSuccess.as('lastSuccessAt')]);
}
