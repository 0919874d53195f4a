/** Equipments (rules 1, 6): create, get, list, change, delete. A serial number is unique per owner. */
import {
  deleteEquipmentRow,
  findEquipment,
  findEquipmentBySerialNumber,
  insertEquipment,
  updateEquipment,
} from '../../db/equipments/equipments.js';
import { isEquipmentInUse } from '../../db/requests/requests.js';
import type { EquipmentRow } from '../../db/schema.js';
import { invalid, refused } from '../errors.js';
import type { Given } from '../calls/input.js';
import { changeOne, createOne, deleteOne, type GetOne } from '../calls/owned.js';
import { seenBy } from '../users/rights.js';

export type { EquipmentRow };

export interface EquipmentInput {
  name: string;
  model: string;
  serialNumber: string;
}

/** Throws `not_found` also for somebody else's. */
export const getEquipment: GetOne<EquipmentRow> = ({ db }, user, id) =>
  seenBy(user, findEquipment(db, { id }));

export const createEquipment = createOne<EquipmentRow, EquipmentInput>((tx, user, input) => {
  const { db, now } = tx;
  const { name, model, serialNumber } = input;
  const row = insertEquipment(db, { ownerId: user.id, name, model, serialNumber, now });
  if (!row) throw invalid({ serialNumber: 'This value is already used.' });
  tx.record('equipment.created', null, { equipmentId: row.id });
  return row;
});

/** Returns the changed equipment; members that are not given stay. */
export const changeEquipment = changeOne<EquipmentRow, Given<EquipmentInput>>(
  getEquipment,
  (tx, equipment, wanted) => {
    const { db, now } = tx;
    const { id, ownerId } = equipment;
    const { name = equipment.name, model = equipment.model, serialNumber = equipment.serialNumber } = wanted;
    const same = findEquipmentBySerialNumber(db, { ownerId, serialNumber });
    if (same && same.id !== id) throw invalid({ serialNumber: 'This value is already used.' });
    tx.record('equipment.changed', null, { equipmentId: id });
    return updateEquipment(db, { id, name, model, serialNumber, now });
  },
);

/** Refuses with `in_use` while a request is about it. */
export const deleteEquipment = deleteOne(getEquipment, (tx, { id }) => {
  if (isEquipmentInUse(tx.db, { equipmentId: id }))
    throw refused('in_use', 'A request is about this equipment.');
  deleteEquipmentRow(tx.db, { id });
  tx.record('equipment.deleted', null, { equipmentId: id });
});
