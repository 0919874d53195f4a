/** Offers: lookups, pages, changes, and the one that sets the price of a request. */
import { sql } from 'kysely';
import { pageOf, type Page } from '../page.js';
import { fits, type AttachedFilter, type AttachedPage } from './attached-lists.js';
import { first, required, run, sqlite, type Db } from '../db.js';
import type { OfferRow, OfferStatus } from '../schema.js';
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

/** In the order of their creation. */
export function listOffers(
  db: Db,
  { filter, direction, ...part }: AttachedPage<OfferStatus>,
): Page<OfferRow> {
  const some = filtered(filter);
  return pageOf(db, some, some.selectAll().orderBy('createdAt', direction).orderBy('id', direction), part);
}

function filtered(filter: AttachedFilter<OfferStatus>) {
  const all = sqlite.selectFrom('offers');
  const condition = fits(filter);
  return condition ? all.where(condition) : all;
}
