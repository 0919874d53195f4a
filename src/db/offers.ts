/** Offers: lookups, pages, changes, and the one that sets the price of a request. */
import { fits, type AttachedFilter, type AttachedPage } from './attached-lists.js';
import { query, sqlite, type Db } from './db.js';
import type { OfferRow, OfferStatus } from './schema.js';
import { rows } from './sql.js';

const byId = query((p: { id: number }) => sqlite.selectFrom('offers').selectAll().where('id', '=', p.id));

export function findOffer(db: Db, id: number): OfferRow | undefined {
  return db.first(byId, { id });
}

const newestIn = query((p: { requestId: number; status: OfferStatus }) =>
  sqlite
    .selectFrom('offers')
    .selectAll()
    .where('requestId', '=', p.requestId)
    .where('status', '=', p.status)
    .orderBy('id', 'desc')
    .limit(rows(1)),
);

/** The newest offer for a request in this status. */
export function findNewestOffer(db: Db, requestId: number, status: OfferStatus): OfferRow | undefined {
  return db.first(newestIn, { requestId, status });
}

export interface OfferTerms {
  amount: number;
  currency: string;
  description: string;
  status: OfferStatus;
}

type NewOffer = OfferTerms & { requestId: number; ownerId: number; now: string };

const insertion = query((p: NewOffer) =>
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

export function insertOffer(db: Db, offer: NewOffer): OfferRow {
  return db.first(insertion, offer) as OfferRow;
}

const change = query((p: OfferTerms & { id: number; now: string }) =>
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

/** The offer as it is then. */
export function updateOffer(db: Db, changed: OfferTerms & { id: number; now: string }): OfferRow {
  return db.first(change, changed) as OfferRow;
}

const deletion = query((p: { id: number }) => sqlite.deleteFrom('offers').where('id', '=', p.id));

export function deleteOfferRow(db: Db, id: number): void {
  db.run(deletion, { id });
}

/** In the order of their creation. */
export function listOffers(
  db: Db,
  { filter, direction, limit, offset }: AttachedPage<OfferStatus>,
): OfferRow[] {
  const all = sqlite.selectFrom('offers').selectAll();
  const condition = fits(filter);
  const some = condition ? all.where(condition) : all;
  const ordered = some.orderBy('createdAt', direction).orderBy('id', direction);
  return db.list(ordered.limit(rows(limit)).offset(rows(offset)));
}

export function countOffers(db: Db, filter: AttachedFilter<OfferStatus>): number {
  const all = sqlite.selectFrom('offers').select((eb) => eb.fn.countAll<number>().as('count'));
  const condition = fits(filter);
  return db.list(condition ? all.where(condition) : all)[0]?.count ?? 0;
}
