/** Subscriptions as staff looks through them: of all users, in the order in which they were made. */
import { query, sqlite, type Db } from './db.js';
import type { WebhookRow } from './schema.js';
import { rows } from './sql.js';

const after = query((p: { afterId: number; limit: number }) =>
  sqlite
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.ownerId')
    .selectAll('webhooks')
    .select('users.username as owner')
    .where('webhooks.id', '>', p.afterId)
    .orderBy('webhooks.id')
    .limit(rows(p.limit)),
);

export interface ListedWebhook extends WebhookRow {
  /** The e-mail address of the user whose it is. */
  owner: string;
}

/** Subscriptions with a higher id, at most `limit` of them. */
export function listWebhooksAfter(db: Db, page: { afterId: number; limit: number }): ListedWebhook[] {
  return db.all(after, page);
}
