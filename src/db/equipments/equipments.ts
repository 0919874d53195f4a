/** Equipments: lookup, creation, pages. */
import { first, required, run, sqlite, type Db } from '../db.js';
import type { EquipmentRow } from '../schema.js';
import { anyOf, rows, type Direction } from '../sql.js';

const byId = (p: { id: number }) => sqlite.selectFrom('equipments').selectAll().where('id', '=', p.id);
export const findEquipment = first(byId);
export const requireEquipment = required(byId);

export type NewEquipment = Pick<EquipmentRow, 'ownerId' | 'name' | 'model' | 'serialNumber'> & {
  now: string;
};

/** Undefined when the owner has an equipment with this serial number already. */
export const insertEquipment = first(({ ownerId, name, model, serialNumber, now }: NewEquipment) =>
  sqlite
    .insertInto('equipments')
    .values({ ownerId, name, model, serialNumber, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.columns(['ownerId', 'serialNumber']).doNothing())
    .returningAll(),
);

export const findEquipmentBySerialNumber = first((p: { ownerId: number; serialNumber: string }) =>
  sqlite
    .selectFrom('equipments')
    .selectAll()
    .where('ownerId', '=', p.ownerId)
    .where('serialNumber', '=', p.serialNumber),
);

/** Returns the changed equipment. */
export const updateEquipment = required(
  (p: { id: number; name: string; model: string; serialNumber: string; now: string }) =>
    sqlite
      .updateTable('equipments')
      .set({ name: p.name, model: p.model, serialNumber: p.serialNumber, updatedAt: p.now })
      .where('id', '=', p.id)
      .returningAll(),
);

export const deleteEquipmentRow = run((p: { id: number }) =>
  sqlite.deleteFrom('equipments').where('id', '=', p.id),
);

/** Null stands for "any". */
export interface EquipmentFilter {
  ownerId: number | null;
  serialNumber: readonly string[] | null;
}

export interface EquipmentPage {
  filter: EquipmentFilter;
  /** By id when undefined. */
  order: { by: 'name'; direction: Direction } | undefined;
  limit: number;
  offset: number;
}

export function listEquipments(db: Db, { filter, order, limit, offset }: EquipmentPage): EquipmentRow[] {
  const some = filtered(filter).selectAll().limit(rows(limit)).offset(rows(offset));
  if (!order) return db.list(some.orderBy('id'));
  return db.list(some.orderBy(order.by, order.direction).orderBy('id', order.direction));
}

export function countEquipments(db: Db, filter: EquipmentFilter): number {
  return db.count(filtered(filter));
}

function filtered({ ownerId, serialNumber }: EquipmentFilter) {
  let some = sqlite.selectFrom('equipments');
  if (ownerId !== null) some = some.where('ownerId', '=', ownerId);
  if (serialNumber) some = some.where('serialNumber', 'in', anyOf(serialNumber));
  return some;
}
