/** Equipments: lookup, creation, pages. */
import { pageOf, partOf, type Page, type Part } from '../page.js';
import { sql } from 'kysely';
import { all, first, required, run, sqlite, type Db } from '../db.js';
import type { EquipmentRow } from '../schema.js';
import { anyOf } from '../sql.js';
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

type EquipmentPart = Part<'name'> & { filter: EquipmentFilter };

export function listEquipments(
  db: Db,
  { filter, ...part }: EquipmentPart & { offset: number },
): Page<ListedEquipment> {
  return pageOf(db, filtered(filter), besideOwners(filter), part);
}

export function walkEquipments(db: Db, { filter, ...part }: EquipmentPart): ListedEquipment[] {
  return db.list(partOf(besideOwners(filter), part));
}

function besideOwners(filter: EquipmentFilter) {
  const owner = sql<string>`(select u."username" from "users" u where u."id" = "ownerId")`;
  return filtered(filter).selectAll().select(owner.as('owner'));
}

function filtered({ owner, serialNumber }: EquipmentFilter) {
  let some = sqlite.selectFrom('equipments');
  if (owner) some = some.where('ownerId', 'in', anyOf(owner));
  if (serialNumber) some = some.where('serialNumber', 'in', anyOf(serialNumber));
  return some;
}
