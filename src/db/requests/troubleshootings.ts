/** Troubleshootings: lookup, pages, changes. */
import { sql } from 'kysely';
import { fits, type AttachedFilter, type AttachedPage } from './attached-lists.js';
import { first, required, run, sqlite, type Db } from '../db.js';
import type { TroubleshootingRow, TroubleshootingStatus } from '../schema.js';
import { deleteBy, newRow, rowsBy, setById } from '../table.js';

export const findTroubleshooting = first(rowsBy('troubleshootings', 'id'));

export type TroubleshootingWords = Pick<TroubleshootingRow, 'description' | 'status'>;

export const insertTroubleshooting = required(
  newRow('troubleshootings', ['requestId', 'ownerId', 'description', 'status'], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`returning *`,
  }),
);

/** The troubleshooting as it is then. */
export const updateTroubleshooting = required(
  setById('troubleshootings', ['description', 'status'], { stamps: ['updatedAt'], end: sql`returning *` }),
);

export const deleteTroubleshootingRow = run(deleteBy('troubleshootings', 'id'));

/** In the order of their creation. */
export function listTroubleshootings(
  db: Db,
  { filter, direction, limit, offset }: AttachedPage<TroubleshootingStatus>,
): TroubleshootingRow[] {
  const ordered = filtered(filter).selectAll().orderBy('createdAt', direction).orderBy('id', direction);
  return db.list(ordered.limit(limit).offset(offset));
}

export function countTroubleshootings(db: Db, filter: AttachedFilter<TroubleshootingStatus>): number {
  return db.count(filtered(filter));
}

function filtered(filter: AttachedFilter<TroubleshootingStatus>) {
  const all = sqlite.selectFrom('troubleshootings');
  const condition = fits(filter);
  return condition ? all.where(condition) : all;
}
