/** What is attached to requests: offers, of which one sets the price, and troubleshootings. */
import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { all, first, required, run, sqlite, type Db } from '../db.js';
import { pageOf, partOf, type Page, type Part } from '../page.js';
import type { OfferRow, Schema, TroubleshootingRow } from '../schema.js';
import { anyOf, type TimeRange } from '../sql.js';
import { deleteBy, newestBy, newRow, rowsBy, setById } from '../table.js';

export const findOffer = first(rowsBy('offers', 'id'));

/** Of a request, the newest first. */
export const listNewestOffers = all(newestBy('offers', 'requestId'));

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

export const listOffers = listAttached('offers');
export const walkOffers = walkAttached('offers');

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

export const listTroubleshootings = listAttached('troubleshootings');
export const walkTroubleshootings = walkAttached('troubleshootings');

/** Null means "any"; an empty list means "none". */
export interface AttachedFilter<Status extends string> {
  ownerId: number | null;
  status: readonly Status[] | null;
  request: readonly number[] | null;
  createdAt: TimeRange;
}

type Attached = 'offers' | 'troubleshootings';
type AttachedPart<T extends Attached> = Part & { filter: AttachedFilter<Schema[T]['status']> };

/** In the order of their creation. */
function listAttached<T extends Attached>(table: T) {
  return (db: Db, { filter, ...part }: AttachedPart<T> & { offset: number }): Page<Selectable<Schema[T]>> => {
    const some = attached(table, filter);
    const { total, rows } = pageOf(db, some, some.selectAll(), { ...part, by: 'createdAt' });
    return { total, rows: rows as Selectable<Schema[T]>[] };
  };
}

function walkAttached<T extends Attached>(table: T) {
  return (db: Db, { filter, ...part }: AttachedPart<T>) =>
    db.list(partOf(attached(table, filter).selectAll(), { ...part, by: 'createdAt' })) as Selectable<
      Schema[T]
    >[];
}

function attached(table: Attached, filter: AttachedFilter<string>) {
  const all = sqlite.selectFrom<Attached>(table);
  const [first, ...more] = conditionsOf(filter);
  return first ? all.where(sql<SqlBool>`${sql.join([first, ...more], sql` and `)}`) : all;
}

function conditionsOf({
  ownerId,
  status,
  request,
  createdAt,
}: AttachedFilter<string>): RawBuilder<unknown>[] {
  const parts = [];
  if (ownerId !== null) parts.push(sql`"ownerId" = ${ownerId}`);
  if (status) parts.push(sql`"status" in ${anyOf(status)}`);
  if (request) parts.push(sql`"requestId" in ${anyOf(request)}`);
  if (createdAt.from !== null) parts.push(sql`"createdAt" >= ${createdAt.from}`);
  if (createdAt.until !== null) parts.push(sql`"createdAt" < ${createdAt.until}`);
  return parts;
}
