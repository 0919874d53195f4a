/** Offers, as their lists show them (rules 1, 6). */
import { OFFER_STATUSES } from '../lifecycle.js';
import type { OfferRow } from '../../db/schema.js';
import { AMOUNT, CREATED_AT, CURRENCY, ID, REFERENCE, REQUEST_ID, STATUS } from './fields.js';
import { choice, declare, ref, span, type PagedReads } from './resource.js';

const filters = {
  status: choice(OFFER_STATUSES, { label: 'list.status', about: 'with this status', said: 'offer.status' }),
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
    id: ID,
    reference: REFERENCE,
    requestId: REQUEST_ID,
    amount: { ...AMOUNT, fold: 'md' },
    currency: CURRENCY,
    description: {
      kind: 'text',
      label: 'evidence.description',
      of: ({ description }) => description,
      under: 'reference',
      isLong: true,
    },
    status: { ...STATUS, state: ({ status }) => (status === 'refused' ? 'offer_refused' : status) },
    createdAt: CREATED_AT,
    updatedAt: { kind: 'time', label: 'list.updatedAt', of: ({ updatedAt }) => updatedAt, forPrograms: true },
  },
  filters,
  orders,
  readers: 'owner',
  load: () => import('../offers/list-offers.js'),
});
