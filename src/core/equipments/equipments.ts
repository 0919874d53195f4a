/** Equipments (spec 2, 4.4): create, get, list. A serial number is unique per owner. */
import {
  countEquipments,
  findEquipment,
  insertEquipment,
  listEquipments as listEquipmentRows,
} from '../../db/equipments.js';
import type { EquipmentRow, UserRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import { words } from '../input.js';
import type { Listing, PageOf } from '../listing.js';
import { maySee, ownerScope } from '../users/rights.js';

export type { EquipmentRow };

export const EQUIPMENT_FIELDS = {
  name: words({ lengthMax: 255 }),
  model: words({ lengthMax: 255 }),
  serialNumber: words({ lengthMax: 255 }),
};

export interface EquipmentInput {
  name: string;
  model: string;
  serialNumber: string;
}

/** The new equipment of this user. */
export async function createEquipment(
  ctx: Context,
  user: UserRow,
  input: EquipmentInput,
): Promise<EquipmentRow> {
  const { name, model, serialNumber } = input;
  const now = iso(ctx.clock.now());
  const row = await ctx.writer.write((db) =>
    insertEquipment(db, { ownerId: user.id, name, model, serialNumber, now }),
  );
  if (!row) throw invalid({ serialNumber: 'This value is already used.' });
  return row;
}

/** Throws `not_found` for one that is not there, and for one of somebody else. */
export function getEquipment(ctx: Context, user: UserRow, id: number): EquipmentRow {
  const equipment = findEquipment(ctx.db, id);
  if (!equipment || !maySee(user, equipment.ownerId)) throw notFound('not_found', 'Not Found');
  return equipment;
}

export function listEquipments(ctx: Context, user: UserRow, page: PageOf): Listing<EquipmentRow> {
  const ownerId = ownerScope(user);
  return {
    total: countEquipments(ctx.db, ownerId),
    rows: listEquipmentRows(ctx.db, { ownerId, ...page }),
  };
}
