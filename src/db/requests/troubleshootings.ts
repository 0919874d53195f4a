/** Troubleshootings: lookup, pages, changes. */
import { fits, type AttachedFilter, type AttachedPage } from './attached-lists.js';
import { first, required, run, sqlite, type Db } from '../db.js';
import type { TroubleshootingRow, TroubleshootingStatus } from '../schema.js';
import { rows } from '../sql.js';

export const findTroubleshooting = first((p: { id: number }) =>
  sqlite.selectFrom('troubleshootings').selectAll().where('id', '=', p.id),
);

export type TroubleshootingWords = Pick<TroubleshootingRow, 'description' | 'status'>;

type NewTroubleshooting = TroubleshootingWords & { requestId: number; ownerId: number; now: string };

export const insertTroubleshooting = required(
  ({ requestId, ownerId, description, status, now }: NewTroubleshooting) =>
    sqlite
      .insertInto('troubleshootings')
      .values({ requestId, ownerId, description, status, createdAt: now, updatedAt: now })
      .returningAll(),
);

/** The troubleshooting as it is then. */
export const updateTroubleshooting = required((p: TroubleshootingWords & { id: number; now: string }) =>
  sqlite
    .updateTable('troubleshootings')
    .set({ description: p.description, status: p.status, updatedAt: p.now })
    .where('id', '=', p.id)
    .returningAll(),
);

export const deleteTroubleshootingRow = run((p: { id: number }) =>
  sqlite.deleteFrom('troubleshootings').where('id', '=', p.id),
);

/** In the order of their creation. */
export function listTroubleshootings(
  db: Db,
  { filter, direction, limit, offset }: AttachedPage<TroubleshootingStatus>,
): TroubleshootingRow[] {
  const ordered = filtered(filter).selectAll().orderBy('createdAt', direction).orderBy('id', direction);
  return db.list(ordered.limit(rows(limit)).offset(rows(offset)));
}

export function countTroubleshootings(db: Db, filter: AttachedFilter<TroubleshootingStatus>): number {
  return db.count(filtered(filter));
}

function filtered(filter: AttachedFilter<TroubleshootingStatus>) {
  const all = sqlite.selectFrom('troubleshootings');
  const condition = fits(filter);
  return condition ? all.where(condition) : all;
}
