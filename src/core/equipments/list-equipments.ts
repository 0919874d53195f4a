/** The list of equipments, beside their owners. */
import { listEquipments, walkEquipments } from '../../db/equipments/equipments.js';
import type { EquipmentReads } from '../resources/equipments.js';

type Wanted = Omit<Parameters<EquipmentReads['walk']>[1], 'past' | 'limit'>;

export const page: EquipmentReads['page'] = ({ db }, { limit, offset, ...wanted }) =>
  listEquipments(db, { ...inDb(wanted), limit, offset });

export const walk: EquipmentReads['walk'] = ({ db }, { past, limit, ...wanted }) =>
  walkEquipments(db, { ...inDb(wanted), past, limit });

function inDb({ filter, order: { by, direction }, ownerId }: Wanted) {
  const owner = ownerId === null ? filter.owner : [ownerId];
  return { filter: { ...filter, owner }, by: by === 'createdAt' ? 'id' : by, direction } as const;
}
