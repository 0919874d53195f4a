/** Offers: lookups, pages, changes, and the one that sets the price of a request. */
import { sql } from 'kysely';
import { listAttached } from './attached-lists.js';
import { first, required, run } from '../db.js';
import type { OfferRow } from '../schema.js';
import { deleteBy, newestBy, newRow, rowsBy, setById } from '../table.js';

export const findOffer = first(rowsBy('offers', 'id'));

/** The newest offer for a request in this status. */
export const findNewestOffer = first(newestBy('offers', 'requestId', 'status'));

const TERMS = ['amount', 'currency', 'description', 'status'] as const;
export type OfferTerms = Pick<OfferRow, (typeof TERMS)[number]>;

export const insertOffer = required(
  newRow('offers', ['requestId', 'ownerId', ...TERMS], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`returning *`,
  }),
);

/** The offer as it is then. */
export const updateOffer = required(
  setById('offers', TERMS, { stamps: ['updatedAt'], end: sql`returning *` }),
);

export const deleteOfferRow = run(deleteBy('offers', 'id'));

export const listOffers = listAttached('offers');
