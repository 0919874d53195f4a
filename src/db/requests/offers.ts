/** Offers: lookups, pages, changes, and the one that sets the price of a request. */
import { fits, type AttachedFilter, type AttachedPage } from './attached-lists.js';
import { first, required, run, sqlite, type Db } from '../db.js';
import type { OfferRow, OfferStatus } from '../schema.js';
import { rows } from '../sql.js';

export const findOffer = first((p: { id: number }) =>
  sqlite.selectFrom('offers').selectAll().where('id', '=', p.id),
);

/** The newest offer for a request in this status. */
export const findNewestOffer = first((p: { requestId: number; status: OfferStatus }) =>
  sqlite
    .selectFrom('offers')
    .selectAll()
    .where('requestId', '=', p.requestId)
    .where('status', '=', p.status)
    .orderBy('id', 'desc')
    .limit(rows(1)),
);

export type OfferTerms = Pick<OfferRow, 'amount' | 'currency' | 'description' | 'status'>;

type NewOffer = OfferTerms & { requestId: number; ownerId: number; now: string };

export const insertOffer = required((p: NewOffer) =>
  sqlite
    .insertInto('offers')
    .values({
      requestId: p.requestId,
      ownerId: p.ownerId,
      amount: p.amount,
      currency: p.currency,
      description: p.description,
      status: p.status,
      createdAt: p.now,
      updatedAt: p.now,
    })
    .returningAll(),
);

/** The offer as it is then. */
export const updateOffer = required((p: OfferTerms & { id: number; now: string }) =>
  sqlite
    .updateTable('offers')
    .set({
      amount: p.amount,
      currency: p.currency,
      description: p.description,
      status: p.status,
      updatedAt: p.now,
    })
    .where('id', '=', p.id)
    .returningAll(),
);

export const deleteOfferRow = run((p: { id: number }) => sqlite.deleteFrom('offers').where('id', '=', p.id));

/** In the order of their creation. */
export function listOffers(
  db: Db,
  { filter, direction, limit, offset }: AttachedPage<OfferStatus>,
): OfferRow[] {
  const ordered = filtered(filter).selectAll().orderBy('createdAt', direction).orderBy('id', direction);
  return db.list(ordered.limit(rows(limit)).offset(rows(offset)));
}

export function countOffers(db: Db, filter: AttachedFilter<OfferStatus>): number {
  return db.count(filtered(filter));
}

function filtered(filter: AttachedFilter<OfferStatus>) {
  const all = sqlite.selectFrom('offers');
  const condition = fits(filter);
  return condition ? all.where(condition) : all;
}
