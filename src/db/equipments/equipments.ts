/** Equipments: lookup, creation, pages. */
import { pageOf, type Page, type Part } from '../page.js';
import { sql } from 'kysely';
import { first, required, run, sqlite, type Db } from '../db.js';
import type { EquipmentRow } from '../schema.js';
import { anyOf, type Direction } from '../sql.js';
import { deleteBy, newRow, rowsBy, setById } from '../table.js';

const byId = rowsBy('equipments', 'id');
export const findEquipment = first(byId);
export const requireEquipment = required(byId);

/** Undefined when the owner has an equipment with this serial number already. */
export const insertEquipment = first(
  newRow('equipments', ['ownerId', 'name', 'model', 'serialNumber'], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`on conflict ("ownerId", "serialNumber") do nothing returning *`,
  }),
);

export const findEquipmentBySerialNumber = first(rowsBy('equipments', 'ownerId', 'serialNumber'));

export const updateEquipment = required(
  setById('equipments', ['name', 'model', 'serialNumber'], {
    stamps: ['updatedAt'],
    end: sql`returning *`,
  }),
);

export const deleteEquipmentRow = run(deleteBy('equipments', 'id'));

/** Null means "any". */
export interface EquipmentFilter {
  ownerId: number | null;
  serialNumber: readonly string[] | null;
}

/** By id when there is no order. */
export function listEquipments(
  db: Db,
  { filter, order, ...part }: Part & { filter: EquipmentFilter; order: Order | undefined; offset: number },
): Page<EquipmentRow> {
  const some = filtered(filter);
  return pageOf(db, some, some.selectAll(), { ...part, ...order });
}

type Order = { by: 'name'; direction: Direction };

function filtered({ ownerId, serialNumber }: EquipmentFilter) {
  let some = sqlite.selectFrom('equipments');
  if (ownerId !== null) some = some.where('ownerId', '=', ownerId);
  if (serialNumber) some = some.where('serialNumber', 'in', anyOf(serialNumber));
  return some;
}
