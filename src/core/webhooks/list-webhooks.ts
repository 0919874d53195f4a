/** The list of subscriptions. */
import { countWebhooks, walkWebhooks } from '../../db/webhooks/webhooks.js';
import type { WebhookReads } from '../resources/webhooks.js';

type Wanted = Omit<Parameters<WebhookReads['walk']>[1], 'past' | 'limit'>;

export const walk: WebhookReads['walk'] = ({ db }, { past, limit, ...wanted }) =>
  walkWebhooks(db, { ...inDb(wanted), past, limit });

export const page: WebhookReads['page'] = ({ db }, { limit, offset, ...wanted }) => {
  const asked = inDb(wanted);
  const total = countWebhooks(db, asked.filter);
  return { total, rows: walkWebhooks(db, { ...asked, limit, offset }) };
};

function inDb({ filter: { owner, ...rest }, order: { by, direction }, ownerId }: Wanted) {
  const filter = { ...rest, owner: ownerId === null ? owner : [ownerId] };
  return { filter, by: by === 'createdAt' ? 'id' : by, direction } as const;
}
