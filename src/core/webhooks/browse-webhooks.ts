/** Subscriptions for staff, whosever they are. */
import type { WebhookRow } from '../../db/schema.js';
import { listWebhooksAfter, type ListedWebhook } from '../../db/webhook-lists.js';
import { findWebhook } from '../../db/webhooks.js';
import type { Data } from '../data.js';
import { notFound } from '../errors.js';

export type { ListedWebhook };

/** In the order in which they were made. */
export function browseWebhooks(
  { db }: Pick<Data, 'db'>,
  page: { afterId: number; limit: number },
): ListedWebhook[] {
  return listWebhooksAfter(db, page);
}

/** Throws `not_found` when there is none. */
export function getWebhook({ db }: Pick<Data, 'db'>, id: number): WebhookRow {
  const webhook = findWebhook(db, id);
  if (!webhook) throw notFound('not_found', `There is no webhook ${id}.`);
  return webhook;
}
