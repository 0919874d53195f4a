/** Equipments: lookups and creation. */
import { query, sqlite, type Db } from './db.js';
import type { EquipmentRow } from './schema.js';

const byId = query((p: { id: number }) =>
  sqlite.selectFrom('equipments').selectAll().where('id', '=', p.id),
);

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

/** Undefined when the owner has an equipment of that serial number already. */
export function insertEquipment(db: Db, equipment: NewEquipment): EquipmentRow | undefined {
  return db.first(insertion, equipment);
}
