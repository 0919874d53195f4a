/** /api/equipments (spec 4.4). */
import { Hono } from 'hono';
import { z } from 'zod';
import {
  changeEquipment,
  createEquipment,
  deleteEquipment,
  EQUIPMENT_FIELDS,
  getEquipment,
  listEquipments,
  type EquipmentRow,
} from '../../core/equipments/equipments.js';
import type { Keep } from '../../core/idempotency.js';
import { parseInput } from '../../core/input.js';
import { JSON_TYPES, PATCH_TYPES, readJsonObject } from '../body.js';
import { once, sendCreatedOnce } from '../create-once.js';
import { ID } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { created, listed, removed, shown, type Resource } from '../docs/operation.js';
import { item } from '../hydra.js';
import { conditional, ifMatch } from '../if-match.js';
import { idParam, iriOf } from '../iri.js';
import { authenticated, consumes, negotiated, patchable } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendItem, sendNothing } from '../respond.js';
import { EQUIPMENTS } from './collections.js';

const PATH = EQUIPMENTS.path;
const ITEM = `${PATH}/:id{[0-9]+}` as const;

const EQUIPMENT: Resource = {
  type: 'Equipment',
  path: PATH,
  about: 'What is maintained.',
  fields: z.object({ id: ID, ...EQUIPMENT_FIELDS }),
};

const NewEquipment = z.object(EQUIPMENT_FIELDS);
const EquipmentPatch = NewEquipment.partial();

const LIST = documented({ title: 'Lists equipments', returns: listed(EQUIPMENT, EQUIPMENTS) });
const CREATE = documented({ title: 'Adds an equipment', takes: NewEquipment, returns: created(EQUIPMENT) });
const READ = documented({ title: 'Shows an equipment', returns: shown(EQUIPMENT) });
const CHANGE = documented({
  title: 'Changes an equipment',
  takes: EquipmentPatch,
  returns: shown(EQUIPMENT),
});
const REPLACE = documented({
  title: 'Replaces an equipment',
  takes: NewEquipment,
  returns: shown(EQUIPMENT),
});
const REMOVE = documented({
  title: 'Removes an equipment',
  about: 'Not while a request uses it.',
  returns: removed(EQUIPMENT),
  refuses: [422],
});

export function equipmentRoutes(parts: Parts) {
  const { ctx } = parts;
  const { baseUrl } = ctx.config;
  const member = authenticated(parts);
  return new Hono<Env>()
    .use(ITEM, patchable())
    .get(PATH, LIST, member, negotiated(), (c) =>
      parts.pages.send(c, () => {
        const asked = EQUIPMENTS.ask(queryOf(c), baseUrl);
        return EQUIPMENTS.answer(asked, listEquipments(ctx, c.get('user'), asked), toItem);
      }),
    )
    .post(PATH, CREATE, member, consumes(JSON_TYPES), negotiated(), once(), async (c) => {
      const body = await readJsonObject(c);
      const input = parseInput(NewEquipment, body);
      const make = (keep: Keep<EquipmentRow>) => createEquipment(ctx, c.get('user'), input, keep);
      return sendCreatedOnce(c, parts, { body, toItem, make });
    })
    .get(ITEM, READ, member, negotiated(), (c) =>
      sendItem(c, toItem(getEquipment(ctx, c.get('user'), idParam(c)))),
    )
    .patch(ITEM, CHANGE, member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const { id } = getEquipment(ctx, c.get('user'), idParam(c));
      const change = parseInput(EquipmentPatch, await readJsonObject(c, PATCH_TYPES));
      return sendItem(c, toItem(await changeEquipment(ctx, c.get('user'), id, change, ifMatch(c, toItem))));
    })
    .put(ITEM, REPLACE, member, consumes(JSON_TYPES), negotiated(), conditional(), async (c) => {
      const { id } = getEquipment(ctx, c.get('user'), idParam(c));
      const change = parseInput(NewEquipment, await readJsonObject(c));
      return sendItem(c, toItem(await changeEquipment(ctx, c.get('user'), id, change, ifMatch(c, toItem))));
    })
    .delete(ITEM, REMOVE, member, conditional(), async (c) => {
      await deleteEquipment(ctx, c.get('user'), idParam(c), ifMatch(c, toItem));
      return sendNothing(c);
    });
}

function toItem({ id, name, model, serialNumber }: EquipmentRow) {
  return item('Equipment', iriOf('equipments', id), { id, name, model, serialNumber });
}
