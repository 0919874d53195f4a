/** Equipments: lookup, creation, pages. */
import { listOf, ownersIn, type Own } from '../page.js';
import { sql } from 'kysely';
import { all, first, required, run, sqlite } from '../db.js';
import type { EquipmentRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { deleteBy, newRow, rowsBy, rowsIn, setById } from '../table.js';

const byId = rowsBy('equipments', 'id');
export const findEquipment = first(byId);
export const requireEquipment = required(byId);
export const listEquipmentsByIds = all(rowsIn('equipments', 'id', 'ids'));

/** Undefined when the owner has an equipment with this serial number already. */
export const insertEquipment = first(
  newRow('equipments', ['ownerId', 'name', 'model', 'serialNumber'], {
    stamps: ['createdAt', 'updatedAt'],
    end: sql`on conflict ("ownerId", "serialNumber") do nothing returning *`,
  }),
);

export const listEquipmentsOf = all(rowsBy('equipments', 'ownerId'));
export const listEquipmentsBySerialNumber = all(rowsBy('equipments', 'serialNumber'));
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
  owner: readonly number[] | null;
  serialNumber: readonly string[] | null;
}

export interface ListedEquipment extends EquipmentRow {
  /** The owner's e-mail address. */
  owner: string;
}

export const { page: listEquipments, walk: walkEquipments } = listOf({
  rows: ({ serialNumber, ...filter }: EquipmentFilter & Partial<Own>) => {
    const owner = sql<string>`(select u."username" from "users" u where u."id" = "ownerId")`;
    const owners = ownersIn(filter);
    let some = sqlite.selectFrom('equipments').selectAll().select(owner.as('owner'));
    if (owners) some = some.where('ownerId', 'in', anyOf(owners));
    if (serialNumber) some = some.where('serialNumber', 'in', anyOf(serialNumber));
    return some;
  },
  orders: { createdAt: 'id', name: 'name' },
});
