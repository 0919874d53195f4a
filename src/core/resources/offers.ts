/** Offers, as their lists show them (rules 1, 6). */
import { OFFER_STATUSES } from '../lifecycle.js';
import type { OfferRow } from '../../db/schema.js';
import { AMOUNT, CREATED_AT, CURRENCY, ID, REFERENCE, REQUEST_ID, STATUS } from './fields.js';
import { asStored, readsOf, choice, declare, ref, span } from './resource.js';

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
    description: { kind: 'text', label: 'evidence.description', under: 'reference', isLong: true },
    status: { ...STATUS, state: ({ status }) => (status === 'refused' ? 'offer_refused' : status) },
    createdAt: CREATED_AT,
    updatedAt: { kind: 'time', forPrograms: true },
  },
  filters: {
    status: choice(OFFER_STATUSES, { label: 'list.status', about: 'with this status', said: 'offer.status' }),
    createdAt: span({ label: 'list.createdAt', about: 'created' }),
    request: ref('requests', { label: 'list.request', about: 'about this request' }),
  },
  orders: { createdAt: 'asc' },
  readers: 'owner',
  load: async () => {
    const { listOffers, walkOffers } = await import('../../db/requests/attached.js');
    return readsOf(listOffers, walkOffers, asStored);
  },
});
