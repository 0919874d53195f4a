/** The list of subscriptions, with when something last arrived. */
import { countWebhooks, walkWebhooks, type ListedWebhook } from '../../db/webhooks/webhooks.js';
import type { Db } from '../../db/db.js';
import type { WebhookReads } from '../resources/webhooks.js';
import { lastSuccessOf } from './webhooks.js';

type Wanted = Omit<Parameters<WebhookReads['walk']>[1], 'past' | 'limit'>;

export const walk: WebhookReads['walk'] = ({ db }, { past, limit, ...wanted }) =>
  whole(db, walkWebhooks(db, { ...inDb(wanted), past, limit }));

export const page: WebhookReads['page'] = ({ db }, { limit, offset, ...wanted }) => {
  const asked = inDb(wanted);
  const total = countWebhooks(db, asked.filter);
  return { total, rows: whole(db, walkWebhooks(db, { ...asked, limit, offset })) };
};

function inDb({ filter: { owner, ...rest }, order: { by, direction }, ownerId }: Wanted) {
  const filter = { ...rest, owner: ownerId === null ? owner : [ownerId] };
  return { filter, by: by === 'createdAt' ? 'id' : by, direction } as const;
}

function whole(db: Db, rows: readonly ListedWebhook[]) {
  return rows.map((webhook) => ({ ...webhook, lastSuccessAt: lastSuccessOf({ db }, webhook) }));
}
