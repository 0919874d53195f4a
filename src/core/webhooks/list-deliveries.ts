/** The list of what was sent to subscribers. */
import { countDeliveries, listDeliveries } from '../../db/webhooks/deliveries.js';
import type { DeliveryReads } from '../resources/deliveries.js';
import { deliveryViews } from './deliveries.js';

type Wanted = Pick<Parameters<DeliveryReads['walk']>[1], 'filter' | 'order'>;

const filterOf = ({ filter: { webhook, status, request, createdAt } }: Pick<Wanted, 'filter'>) => ({
  webhook,
  state: status,
  request,
  time: createdAt,
});

export const walk: DeliveryReads['walk'] = ({ db }, { past, limit, ...wanted }) => {
  const { direction } = wanted.order;
  return deliveryViews(db, listDeliveries(db, { filter: filterOf(wanted), direction, past, limit }));
};

/** Of a webhook that its reader may see. */
export const page: DeliveryReads['page'] = ({ db }, { limit, offset, ...wanted }) => {
  const filter = filterOf(wanted);
  const { direction } = wanted.order;
  const total = countDeliveries(db, filter);
  return { total, rows: deliveryViews(db, listDeliveries(db, { filter, direction, limit, offset })) };
};
