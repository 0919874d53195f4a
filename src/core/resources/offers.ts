/** Offers, as their lists show them (rules 1, 6). */
import { OFFER_STATUSES } from '../lifecycle.js';
import type { OfferRow } from '../../db/schema.js';
import { choice, declare, ref, span, type PagedReads } from './resource.js';

const filters = {
  status: choice(OFFER_STATUSES, { label: 'list.status', about: 'with this status', said: 'state' }),
  createdAt: span({ label: 'list.createdAt', about: 'created' }),
  request: ref('requests', { label: 'list.request', about: 'about this request' }),
};
const orders = { createdAt: 'asc' } as const;

export type OfferReads = PagedReads<OfferRow, typeof filters, keyof typeof orders>;

export const OFFERS = declare<OfferRow>()({
  noun: 'offer',
  isCounted: true,
  lead: 'reference',
  spare: ['createdAt', 'description'],
  fields: {
    id: { kind: 'id', label: 'list.id', of: ({ id }) => id },
    reference: { kind: 'text', label: 'list.reference', of: ({ reference }) => reference },
    requestId: {
      kind: 'ref',
      label: 'list.request',
      of: ({ requestId }) => requestId,
      to: ({ requestId }) => `/admin/requests/${requestId}`,
      isNumber: true,
    },
    amount: {
      kind: 'money',
      label: 'list.amount',
      of: ({ amount }) => amount,
      currency: ({ currency }) => currency,
      isNumber: true,
      fold: 'md',
    },
    currency: { kind: 'text', label: 'list.currency', of: ({ currency }) => currency, forPrograms: true },
    description: {
      kind: 'text',
      label: 'evidence.description',
      of: ({ description }) => description,
      under: 'reference',
      isLong: true,
    },
    status: { kind: 'state', label: 'list.status', of: ({ status }) => status },
    createdAt: {
      kind: 'time',
      label: 'list.createdAt',
      of: ({ createdAt }) => createdAt,
      time: 'day',
      fold: 'lg',
    },
    updatedAt: { kind: 'time', label: 'list.updatedAt', of: ({ updatedAt }) => updatedAt, forPrograms: true },
  },
  filters,
  orders,
  readers: 'owner',
  load: () => import('../offers/list-offers.js'),
});
