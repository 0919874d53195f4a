/** Equipments (rules 1, 6): create, get, list, change, delete. A serial number is unique per owner. */
import { z } from 'zod';
import {
  deleteEquipmentRow,
  findEquipment,
  findEquipmentBySerialNumber,
  listEquipmentsOf,
  insertEquipment,
  requireEquipment,
  updateEquipment,
} from '../../db/equipments/equipments.js';
import { isEquipmentInUse } from '../../db/requests/requests.js';
import type { EquipmentRow } from '../../db/schema.js';
import { findUser } from '../../db/users/users.js';
import type { Db } from '../../db/db.js';
import { attempt, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { invalid, refused } from '../errors.js';
import { parseInput, words, type Given } from '../calls/input.js';
import { changeOne, createOne, deleteOne, type GetOne } from '../calls/owned.js';
import { seenBy } from '../users/rights.js';

export type { EquipmentRow };

export interface EquipmentInput {
  name: string;
  model: string;
  serialNumber: string;
}

export interface NewEquipment extends EquipmentInput {
  /** The customer for whom an administrator enters it; by default whoever enters it. */
  ownerId?: number | undefined;
}

/** What somebody types of an equipment, by its rules. */
export const EQUIPMENT_FIELDS = {
  name: words({ lengthMax: 255 }).meta({ examples: ['Boiler'] }),
  model: words({ lengthMax: 255 }).meta({ examples: ['B-200'] }),
  serialNumber: words({ lengthMax: 255 }).meta({
    description: 'Unique among the equipment of its owner',
    examples: ['SN-4711'],
  }),
};

/** Throws `not_found` also for somebody else's. */
export const getEquipment: GetOne<EquipmentRow> = ({ db }, user, id) =>
  seenBy(user, findEquipment(db, { id }));

export const createEquipment = createOne<EquipmentRow, NewEquipment>((tx, user, input) =>
  addEquipment(tx, { ...input, ownerId: input.ownerId ?? user.id }),
);

/** Throws `invalid` for a customer who is not there, and a serial number that the customer has already. */
export function addEquipment(
  tx: Change,
  { ownerId, name, model, serialNumber }: EquipmentInput & { ownerId: number },
): EquipmentRow {
  const { db, now } = tx;
  mustBeOwner(db, ownerId);
  const row = insertEquipment(db, { ownerId, name, model, serialNumber, now });
  if (!row) throw invalid({ serialNumber: 'This value is already used.' });
  tx.record('equipment.created', null, { equipmentId: row.id, reason: tx.reason });
  return row;
}

/** Whoever is erased owns nothing new. */
function mustBeOwner(db: Db, ownerId: number): void {
  const owner = findUser(db, { id: ownerId });
  if (!owner || owner.erasedAt !== null) throw invalid({ owner: 'There is no such user.' });
}

/** At the command line and on pages: what an administrator enters for a customer. */
export function enterEquipment(
  ctx: Context,
  { ownerId, ...typed }: EquipmentInput & { ownerId: number },
  by: Try,
): Promise<EquipmentRow> {
  const input = parseInput(z.object(EQUIPMENT_FIELDS), typed);
  return attempt(ctx, by, (tx) => addEquipment(tx, { ...input, ownerId }));
}

/** The same for a correction of one that is there. */
export function editEquipment(
  ctx: Context,
  id: number,
  typed: Given<EquipmentInput>,
  by: Try,
): Promise<EquipmentRow> {
  const wanted = parseInput(z.object(EQUIPMENT_FIELDS).partial(), typed);
  return attempt(ctx, by, (tx) => correctEquipment(tx, requireEquipment(tx.db, { id }), wanted));
}

/** Returns the changed equipment; members that are not given stay. */
export const changeEquipment = changeOne<EquipmentRow, Given<EquipmentInput>>(getEquipment, correctEquipment);

function correctEquipment(tx: Change, equipment: EquipmentRow, wanted: Given<EquipmentInput>): EquipmentRow {
  const { db, now } = tx;
  const { id, ownerId } = equipment;
  const { name = equipment.name, model = equipment.model, serialNumber = equipment.serialNumber } = wanted;
  const same = findEquipmentBySerialNumber(db, { ownerId, serialNumber });
  if (same && same.id !== id) throw invalid({ serialNumber: 'This value is already used.' });
  if (same && name === equipment.name && model === equipment.model) return equipment;
  tx.record('equipment.changed', null, { equipmentId: id, reason: tx.reason });
  return updateEquipment(db, { id, name, model, serialNumber, now });
}

/** Refuses with `in_use` while a request is about it. */
export const deleteEquipment = deleteOne(getEquipment, (tx, { id }) => {
  if (isEquipmentInUse(tx.db, { equipmentId: id }))
    throw refused('in_use', 'A request is about this equipment.');
  deleteEquipmentRow(tx.db, { id });
  tx.record('equipment.deleted', null, { equipmentId: id });
});

export function equipmentsOf({ db }: Pick<Context, 'db'>, ownerId: number): EquipmentRow[] {
  return listEquipmentsOf(db, { ownerId });
}
