/** What is attached to requests: offers, of which one sets the price, and troubleshootings. */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { all, first, required, run, sqlite } from '../db.js';
import { listOf, type Own } from '../page.js';
import type { OfferRow, TroubleshootingRow } from '../schema.js';
import { anyOf, type TimeRange } from '../sql.js';
import { deleteBy, newestBy, newRow, rowsBy, setById } from '../table.js';

export const findOffer = first(rowsBy('offers', 'id'));

/** Of a request, the newest first. */
export const listNewestOffers = all(newestBy('offers', 'requestId'));
/** The same of these. */
export const listOffersOfRequests = all((p: { requestIds: readonly number[] }) =>
  sqlite.selectFrom('offers').selectAll().where('requestId', 'in', anyOf(p.requestIds)).orderBy('id', 'desc'),
);

const TERMS = ['amount', 'currency', 'description', 'status'] as const;
export type OfferTerms = Pick<OfferRow, (typeof TERMS)[number]>;

export const insertOffer = required(
  newRow('offers', ['requestId', 'ownerId', ...TERMS], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`returning *`,
  }),
);

export const updateOffer = required(
  setById('offers', TERMS, { stamps: ['updatedAt'], end: sql`returning *` }),
);

export const deleteOfferRow = run(deleteBy('offers', 'id'));

export const { page: listOffers, walk: walkOffers } = listOf({
  rows: (filter: AttachedFilter<OfferRow['status']> & Own) =>
    sqlite.selectFrom('offers').selectAll().where(attached(filter)),
  orders: { createdAt: 'createdAt' },
});

export const findTroubleshooting = first(rowsBy('troubleshootings', 'id'));

export type TroubleshootingWords = Pick<TroubleshootingRow, 'description' | 'status'>;

export const insertTroubleshooting = required(
  newRow('troubleshootings', ['requestId', 'ownerId', 'description', 'status'], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`returning *`,
  }),
);

export const updateTroubleshooting = required(
  setById('troubleshootings', ['description', 'status'], { stamps: ['updatedAt'], end: sql`returning *` }),
);

export const deleteTroubleshootingRow = run(deleteBy('troubleshootings', 'id'));

export const { page: listTroubleshootings, walk: walkTroubleshootings } = listOf({
  rows: (filter: AttachedFilter<TroubleshootingRow['status']> & Own) =>
    sqlite.selectFrom('troubleshootings').selectAll().where(attached(filter)),
  orders: { createdAt: 'createdAt' },
});

/** Null means "any"; an empty list means "none". */
export interface AttachedFilter<Status extends string> {
  status: readonly Status[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

function attached({
  ownerId,
  status,
  request,
  createdAt,
}: AttachedFilter<string> & Own): RawBuilder<SqlBool> {
  const parts = [sql`true`];
  if (ownerId !== null) parts.push(sql`"ownerId" = ${ownerId}`);
  if (status) parts.push(sql`"status" in ${anyOf(status)}`);
  if (request) parts.push(sql`"requestId" in ${anyOf(request)}`);
  if (createdAt.from !== null) parts.push(sql`"createdAt" >= ${createdAt.from}`);
  if (createdAt.until !== null) parts.push(sql`"createdAt" < ${createdAt.until}`);
  return sql`${sql.join(parts, sql` and `)}`;
}
