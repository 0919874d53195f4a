/** The list of offers. */
import { listOffers, walkOffers } from '../../db/requests/attached.js';
import type { OfferReads } from '../resources/offers.js';

export const page: OfferReads['page'] = ({ db }, { filter, order: { direction }, ownerId, limit, offset }) =>
  listOffers(db, { filter: { ...filter, ownerId }, direction, limit, offset });

export const walk: OfferReads['walk'] = ({ db }, { filter, order: { direction }, ownerId, past, limit }) =>
  walkOffers(db, { filter: { ...filter, ownerId }, direction, past, limit });
