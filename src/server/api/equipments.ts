/** /api/equipments (rules 6). */
import { z } from 'zod';
import {
  changeEquipment,
  createEquipment,
  deleteEquipment,
  EQUIPMENT_FIELDS,
  getEquipment,
  type EquipmentRow,
} from '../../core/equipments/equipments.js';
import { EQUIPMENTS } from '../../core/resources/equipments.js';
import { ID, link, TIME } from './docs/fields.js';
import { iriField, iriOf } from './iri.js';
import type { Parts } from '../parts.js';
import { declareResource, resourceRoutes } from './resource.js';

const EQUIPMENT = declareResource({
  type: 'Equipment',
  name: 'equipments',
  about: 'What is maintained.',
  fields: { id: ID, ...EQUIPMENT_FIELDS, owner: link('users'), createdAt: TIME },
  shows: (row: EquipmentRow) => ({ ...row, owner: iriOf('users', row.ownerId) }),
  noun: EQUIPMENTS,
});

const Written = z.object(EQUIPMENT_FIELDS);

export function equipmentRoutes(parts: Parts) {
  const owner = iriField('users', parts.ctx.config.baseUrl).optional();
  return resourceRoutes(parts, EQUIPMENT, {
    list: 'Lists equipments',
    create: {
      title: 'Adds a piece of equipment',
      about: 'An administrator names its `owner`, the customer; by default it belongs to whoever adds it.',
      takes: Written.extend({ owner }),
      administratorsOnly: ['owner'],
      run: (ctx, user, { owner: ownerId, ...input }, keep) =>
        createEquipment(ctx, user, { ...input, ownerId }, keep),
    },
    show: { title: 'Shows a piece of equipment', run: getEquipment },
    change: { title: 'Changes a piece of equipment', takes: Written.partial(), run: changeEquipment },
    replace: { title: 'Replaces a piece of equipment', takes: Written, run: changeEquipment },
    remove: {
      title: 'Removes a piece of equipment',
      about: 'Not while a request uses it.',
      refuses: [422],
      run: deleteEquipment,
    },
  });
}
