/** Equipments, as their lists show them (rules 6). */
import type { ListedEquipment } from '../../db/equipments/equipments.js';
import { CREATED_AT, ID } from './fields.js';
import { asStored, readsOf, declare, ref, text } from './resource.js';

export const EQUIPMENTS = declare<ListedEquipment>()({
  noun: 'equipment',
  isCounted: true,
  lead: 'name',
  spare: ['createdAt', 'model', 'owner'],
  fields: {
    id: ID,
    name: { kind: 'text', label: 'list.equipment', to: ({ id }) => `/admin/equipments/${id}`, isLong: true },
    model: { kind: 'text', label: 'pdf.equipment.model', under: 'name', isLong: true },
    serialNumber: { kind: 'text', label: 'pdf.equipment.serial', fold: 'md' },
    owner: {
      kind: 'address',
      label: 'list.customer',
      to: ({ ownerId }) => `/admin/users/${ownerId}`,
      fold: 'md',
    },
    createdAt: CREATED_AT,
  },
  filters: {
    serialNumber: text({
      label: 'pdf.equipment.serial',
      about: 'with this serial number',
      example: 'SN-4711',
    }),
    owner: ref('users', { label: 'list.owner', about: 'of this customer' }),
  },
  orders: { createdAt: 'asc', name: 'asc' },
  readers: 'owner',
  load: async () => {
    const { listEquipments, walkEquipments } = await import('../../db/equipments/equipments.js');
    return readsOf(listEquipments, walkEquipments, asStored);
  },
});
