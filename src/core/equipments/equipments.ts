/** Equipments (spec 2, 4.4): create, get, list, change, delete. A serial number is unique per owner. */
import type { Db } from '../../db/db.js';
import {
  countEquipments,
  deleteEquipmentRow,
  findEquipment,
  findEquipmentBySerialNumber,
  insertEquipment,
  listEquipments as listEquipmentRows,
  updateEquipment,
} from '../../db/equipments.js';
import { isEquipmentInUse } from '../../db/requests.js';
import type { EquipmentRow, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid, notFound, refused } from '../errors.js';
import { record, type HistoryWord } from '../history.js';
import type { Keep } from '../idempotency.js';
import { words, type Given } from '../input.js';
import type { Listing, Order, PageOf } from '../listing.js';
import type { Precondition } from '../precondition.js';
import { actorOf, maySee, ownerScope } from '../users/rights.js';

export type { EquipmentRow };

export const EQUIPMENT_FIELDS = {
  name: words({ lengthMax: 255 }).meta({ examples: ['Boiler'] }),
  model: words({ lengthMax: 255 }).meta({ examples: ['B-200'] }),
  serialNumber: words({ lengthMax: 255 }).meta({
    description: 'Unique among the equipments of its owner',
    examples: ['SN-4711'],
  }),
};

export interface EquipmentInput {
  name: string;
  model: string;
  serialNumber: string;
}

/** The new equipment of this user. */
export function createEquipment(
  ctx: Context,
  user: UserRow,
  input: EquipmentInput,
  keep?: Keep<EquipmentRow>,
): Promise<EquipmentRow> {
  const { name, model, serialNumber } = input;
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const row = insertEquipment(db, { ownerId: user.id, name, model, serialNumber, now });
    if (!row) throw invalid({ serialNumber: 'This value is already used.' });
    recordEquipment(db, { at: now, by: user, what: 'equipment.created', id: row.id });
    keep?.(db, row);
    return row;
  });
}

/** The equipment as it is then; what is not given stays. */
export function changeEquipment(
  ctx: Context,
  user: UserRow,
  id: number,
  change: Given<EquipmentInput>,
  precondition?: Precondition<EquipmentRow>,
): Promise<EquipmentRow> {
  const now = iso(ctx.clock.now());
  return ctx.writer.write((db) => {
    const equipment = getEquipment({ db }, user, id);
    precondition?.(equipment);
    const serialNumber = change.serialNumber ?? equipment.serialNumber;
    const same = findEquipmentBySerialNumber(db, equipment.ownerId, serialNumber);
    if (same && same.id !== id) throw invalid({ serialNumber: 'This value is already used.' });
    const { name = equipment.name, model = equipment.model } = change;
    recordEquipment(db, { at: now, by: user, what: 'equipment.changed', id });
    return updateEquipment(db, { id, name, model, serialNumber, now });
  });
}

/** Refuses with `in_use` while a request is about it. */
export function deleteEquipment(
  ctx: Context,
  user: UserRow,
  id: number,
  precondition?: Precondition<EquipmentRow>,
): Promise<void> {
  return ctx.writer.write((db) => {
    const equipment = getEquipment({ db }, user, id);
    precondition?.(equipment);
    if (isEquipmentInUse(db, id)) throw refused('in_use', 'A request is about this equipment.');
    deleteEquipmentRow(db, id);
    recordEquipment(db, { at: iso(ctx.clock.now()), by: user, what: 'equipment.deleted', id });
  });
}

type Deed = Extract<HistoryWord, `equipment.${string}`>;

function recordEquipment(
  db: Db,
  { at, by, what, id }: { at: string; by: UserRow; what: Deed; id: number },
): void {
  record(db, { at, actor: actorOf(by), what, requestId: null, detail: { equipmentId: id } });
}

/** Throws `not_found` for one that is not there, and for one of somebody else. */
export function getEquipment({ db }: Pick<Context, 'db'>, user: UserRow, id: number): EquipmentRow {
  const equipment = findEquipment(db, id);
  if (!equipment || !maySee(user, equipment.ownerId)) throw notFound('not_found', 'Not Found');
  return equipment;
}

export interface EquipmentsAsked extends PageOf {
  /** Null: any. */
  filter: { serialNumber: string[] | null };
  order: Order<'name'> | undefined;
}

/** In the order of their ids when no other is asked for. */
export function listEquipments(
  ctx: Context,
  user: UserRow,
  { filter, order, limit, offset }: EquipmentsAsked,
): Listing<EquipmentRow> {
  const some = { ...filter, ownerId: ownerScope(user) };
  return {
    total: countEquipments(ctx.db, some),
    rows: listEquipmentRows(ctx.db, { filter: some, order, limit, offset }),
  };
}
