/** Troubleshootings: lookup, pages, changes. */
import { sql } from 'kysely';
import { pageOf, type Page } from '../page.js';
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
  { filter, direction, ...part }: AttachedPage<TroubleshootingStatus>,
): Page<TroubleshootingRow> {
  const some = filtered(filter);
  return pageOf(db, some, some.selectAll().orderBy('createdAt', direction).orderBy('id', direction), part);
}

function filtered(filter: AttachedFilter<TroubleshootingStatus>) {
  const all = sqlite.selectFrom('troubleshootings');
  const condition = fits(filter);
  return condition ? all.where(condition) : all;
}
