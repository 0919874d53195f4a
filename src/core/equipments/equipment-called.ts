/** The equipment that somebody names by its number or serial number. */
import { see } from '../commands.js';
import { findEquipment, listEquipmentsBySerialNumber } from '../../db/equipments/equipments.js';
import type { EquipmentRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import type { Context } from '../context.js';
import { invalid, notFound } from '../errors.js';
import { nameOrAddress } from '../users/names.js';

/** Throws `not_found`, and `invalid` where it could be several. */
export function equipmentCalled({ db }: Pick<Context, 'db'>, typed: string): EquipmentRow {
  const byId = /^[1-9]\d{0,14}$/.test(typed) ? findEquipment(db, { id: Number(typed) }) : undefined;
  const bySerial = listEquipmentsBySerialNumber(db, { serialNumber: typed });
  const found = [...(byId ? [byId] : []), ...bySerial.filter(({ id }) => id !== byId?.id)];
  const [only, ...others] = found;
  if (!only) throw notFound('not_found', `There is no equipment ${typed}.`, see('equipments list'));
  if (others.length === 0) return only;
  const list = found.map(
    ({ id, name, ownerId }) => `${id} (${name}, ${nameOrAddress(requireUser(db, { id: ownerId }))})`,
  );
  throw invalid({
    equipment: `Several are called ${typed}. Give the number of one of them: ${list.join(', ')}.`,
  });
}
