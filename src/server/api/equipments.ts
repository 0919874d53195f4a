/** /api/equipments (spec 4.4). */
import { Hono } from 'hono';
import { z } from 'zod';
import {
  createEquipment,
  EQUIPMENT_FIELDS,
  getEquipment,
  listEquipments,
  type EquipmentRow,
} from '../../core/equipments/equipments.js';
import { parseInput } from '../../core/input.js';
import { JSON_TYPES, readJsonObject } from '../body.js';
import { collection, item } from '../hydra.js';
import { idParam, iriOf } from '../iri.js';
import { authenticated, consumes, negotiated } from '../middleware.js';
import { parsePagination } from '../pagination.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendCreated, sendItem, sendJson } from '../respond.js';

const PATH = '/api/equipments';
const NewEquipment = z.object(EQUIPMENT_FIELDS);

export function equipmentRoutes(parts: Parts) {
  const { ctx } = parts;
  const member = authenticated(parts);
  return new Hono<Env>()
    .get(PATH, member, negotiated(), (c) => {
      const query = queryOf(c);
      const pagination = parsePagination(query);
      const page = listEquipments(ctx, c.get('user'), pagination);
      return sendJson(c, collection({ type: 'Equipment', path: PATH, query, pagination }, page, toItem));
    })
    .post(PATH, member, consumes(JSON_TYPES), negotiated(), async (c) => {
      const input = parseInput(NewEquipment, await readJsonObject(c));
      return sendCreated(c, toItem(await createEquipment(ctx, c.get('user'), input)));
    })
    .get(`${PATH}/:id{[0-9]+}`, member, negotiated(), (c) =>
      sendItem(c, toItem(getEquipment(ctx, c.get('user'), idParam(c)))),
    );
}

function toItem({ id, name, model, serialNumber }: EquipmentRow) {
  return item('Equipment', iriOf('equipments', id), { id, name, model, serialNumber });
}
