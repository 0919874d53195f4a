/** /api/equipments (rules 6). */
import { z } from 'zod';
import { words } from '../../core/calls/input.js';
import {
  changeEquipment,
  createEquipment,
  deleteEquipment,
  getEquipment,
  type EquipmentRow,
} from '../../core/equipments/equipments.js';
import { EQUIPMENTS } from '../../core/resources/equipments.js';
import { ID } from './docs/fields.js';
import type { Parts } from '../parts.js';
import { askedBy, declareResource, listOf, resourceRoutes } from './resource.js';

const WRITTEN = {
  name: words({ lengthMax: 255 }).meta({ examples: ['Boiler'] }),
  model: words({ lengthMax: 255 }).meta({ examples: ['B-200'] }),
  serialNumber: words({ lengthMax: 255 }).meta({
    description: 'Unique among the equipments of its owner',
    examples: ['SN-4711'],
  }),
};

const EQUIPMENT = declareResource({
  type: 'Equipment',
  name: 'equipments',
  about: 'What is maintained.',
  fields: { id: ID, ...WRITTEN },
  shows: (row: EquipmentRow) => row,
  ...askedBy(EQUIPMENTS),
});

const NewEquipment = z.object(WRITTEN);

export function equipmentRoutes(parts: Parts) {
  return resourceRoutes(parts, EQUIPMENT, {
    list: listOf(EQUIPMENTS, 'Lists equipments'),
    create: { title: 'Adds an equipment', takes: NewEquipment, run: createEquipment },
    show: { title: 'Shows an equipment', run: getEquipment },
    change: { title: 'Changes an equipment', takes: NewEquipment.partial(), run: changeEquipment },
    replace: { title: 'Replaces an equipment', takes: NewEquipment, run: changeEquipment },
    remove: {
      title: 'Removes an equipment',
      about: 'Not while a request uses it.',
      refuses: [422],
      run: deleteEquipment,
    },
  });
}
