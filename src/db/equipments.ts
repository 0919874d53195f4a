/** Equipments: lookup, creation, pages. */
import type { SelectQueryBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { EquipmentRow, Schema } from './schema.js';
import { anyOf, rows, type Direction } from './sql.js';

const byId = query((p: { id: number }) => sqlite.selectFrom('equipments').selectAll().where('id', '=', p.id));

export function findEquipment(db: Db, id: number): EquipmentRow | undefined {
  return db.first(byId, { id });
}

export interface NewEquipment {
  ownerId: number;
  name: string;
  model: string;
  serialNumber: string;
  now: string;
}

const insertion = query((p: NewEquipment) =>
  sqlite
    .insertInto('equipments')
    .values({
      ownerId: p.ownerId,
      name: p.name,
      model: p.model,
      serialNumber: p.serialNumber,
      createdAt: p.now,
      updatedAt: p.now,
    })
    .onConflict((conflict) => conflict.columns(['ownerId', 'serialNumber']).doNothing())
    .returningAll(),
);

/** Undefined when the owner has an equipment with this serial number already. */
export function insertEquipment(db: Db, equipment: NewEquipment): EquipmentRow | undefined {
  return db.first(insertion, equipment);
}

const bySerialNumber = query((p: { ownerId: number; serialNumber: string }) =>
  sqlite
    .selectFrom('equipments')
    .selectAll()
    .where('ownerId', '=', p.ownerId)
    .where('serialNumber', '=', p.serialNumber),
);

export function findEquipmentBySerialNumber(
  db: Db,
  ownerId: number,
  serialNumber: string,
): EquipmentRow | undefined {
  return db.first(bySerialNumber, { ownerId, serialNumber });
}

const wording = query((p: { id: number; name: string; model: string; serialNumber: string; now: string }) =>
  sqlite
    .updateTable('equipments')
    .set({ name: p.name, model: p.model, serialNumber: p.serialNumber, updatedAt: p.now })
    .where('id', '=', p.id)
    .returningAll(),
);

/** The equipment as it is then. */
export function updateEquipment(
  db: Db,
  change: { id: number; name: string; model: string; serialNumber: string; now: string },
): EquipmentRow {
  return db.first(wording, change) as EquipmentRow;
}

const deletion = query((p: { id: number }) => sqlite.deleteFrom('equipments').where('id', '=', p.id));

export function deleteEquipmentRow(db: Db, id: number): void {
  db.run(deletion, { id });
}

/** Null stands for "any". */
export interface EquipmentFilter {
  ownerId: number | null;
  serialNumber: readonly string[] | null;
}

export interface EquipmentPage {
  filter: EquipmentFilter;
  /** Undefined: of their ids. */
  order: { by: 'name'; direction: Direction } | undefined;
  limit: number;
  offset: number;
}

export function listEquipments(db: Db, { filter, order, limit, offset }: EquipmentPage): EquipmentRow[] {
  const all = sqlite.selectFrom('equipments').selectAll().limit(rows(limit)).offset(rows(offset));
  const some = where(all, filter);
  if (!order) return db.list(some.orderBy('id'));
  return db.list(some.orderBy(order.by, order.direction).orderBy('id', order.direction));
}

export function countEquipments(db: Db, filter: EquipmentFilter): number {
  const all = sqlite.selectFrom('equipments').select((eb) => eb.fn.countAll<number>().as('count'));
  return db.list(where(all, filter))[0]?.count ?? 0;
}

function where<O>(
  all: SelectQueryBuilder<Schema, 'equipments', O>,
  { ownerId, serialNumber }: EquipmentFilter,
): SelectQueryBuilder<Schema, 'equipments', O> {
  let some = all;
  if (ownerId !== null) some = some.where('ownerId', '=', ownerId);
  if (serialNumber) some = some.where('serialNumber', 'in', anyOf<string>(JSON.stringify(serialNumber)));
  return some;
}
