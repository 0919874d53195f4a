/** Troubleshootings: lookup, pages, changes. */
import { fits, type AttachedFilter, type AttachedPage } from './attached-lists.js';
import { query, sqlite, type Db } from './db.js';
import type { TroubleshootingRow, TroubleshootingStatus } from './schema.js';
import { rows } from './sql.js';

const byId = query((p: { id: number }) =>
  sqlite.selectFrom('troubleshootings').selectAll().where('id', '=', p.id),
);

export function findTroubleshooting(db: Db, id: number): TroubleshootingRow | undefined {
  return db.first(byId, { id });
}

export interface TroubleshootingWords {
  description: string;
  status: TroubleshootingStatus;
}

type NewTroubleshooting = TroubleshootingWords & { requestId: number; ownerId: number; now: string };

const insertion = query((p: NewTroubleshooting) =>
  sqlite
    .insertInto('troubleshootings')
    .values({
      requestId: p.requestId,
      ownerId: p.ownerId,
      description: p.description,
      status: p.status,
      createdAt: p.now,
      updatedAt: p.now,
    })
    .returningAll(),
);

export function insertTroubleshooting(db: Db, troubleshooting: NewTroubleshooting): TroubleshootingRow {
  return db.first(insertion, troubleshooting) as TroubleshootingRow;
}

const change = query((p: TroubleshootingWords & { id: number; now: string }) =>
  sqlite
    .updateTable('troubleshootings')
    .set({ description: p.description, status: p.status, updatedAt: p.now })
    .where('id', '=', p.id)
    .returningAll(),
);

/** The troubleshooting as it is then. */
export function updateTroubleshooting(
  db: Db,
  changed: TroubleshootingWords & { id: number; now: string },
): TroubleshootingRow {
  return db.first(change, changed) as TroubleshootingRow;
}

const deletion = query((p: { id: number }) => sqlite.deleteFrom('troubleshootings').where('id', '=', p.id));

export function deleteTroubleshootingRow(db: Db, id: number): void {
  db.run(deletion, { id });
}

/** In the order of their creation. */
export function listTroubleshootings(
  db: Db,
  { filter, direction, limit, offset }: AttachedPage<TroubleshootingStatus>,
): TroubleshootingRow[] {
  const all = sqlite.selectFrom('troubleshootings').selectAll();
  const condition = fits(filter);
  const some = condition ? all.where(condition) : all;
  const ordered = some.orderBy('createdAt', direction).orderBy('id', direction);
  return db.list(ordered.limit(rows(limit)).offset(rows(offset)));
}

export function countTroubleshootings(db: Db, filter: AttachedFilter<TroubleshootingStatus>): number {
  const all = sqlite.selectFrom('troubleshootings').select((eb) => eb.fn.countAll<number>().as('count'));
  const condition = fits(filter);
  return db.list(condition ? all.where(condition) : all)[0]?.count ?? 0;
}
