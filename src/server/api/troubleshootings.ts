/** /api/troubleshootings (decisions 6): made and changed by the owner of the request and by administrators. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Keep } from '../../core/idempotency.js';
import { choice, parseInput, words } from '../../core/input.js';
import {
  changeTroubleshooting,
  createTroubleshooting,
  deleteTroubleshooting,
  getTroubleshooting,
  listTroubleshootings,
  TROUBLESHOOTING_STATUSES,
  type TroubleshootingRow,
} from '../../core/troubleshootings/troubleshootings.js';
import { JSON_TYPES, PATCH_TYPES, readJsonObject } from '../body.js';
import { once, sendCreatedOnce } from '../create-once.js';
import { ID, link, TIME } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { created, listed, removed, shown, type Resource } from '../docs/operation.js';
import { item, shownTime } from '../hydra.js';
import { conditional, ifMatch } from '../if-match.js';
import { idParam, iriField, iriOf } from '../iri.js';
import { authenticated, consumes, negotiated, patchable } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendItem, sendJson, sendNothing } from '../respond.js';
import { TROUBLESHOOTINGS } from './collections.js';

const PATH = TROUBLESHOOTINGS.path;
const ITEM = `${PATH}/:id{[0-9]+}` as const;

const DESCRIPTION = words({ lengthMax: 5_000, isMultiline: true }).meta({
  examples: ['It went out again in the night.'],
});

const TROUBLESHOOTING: Resource = {
  type: 'Troubleshooting',
  path: PATH,
  about: 'A report of trouble with what a request is about.',
  fields: z.object({
    id: ID,
    reference: z.string().meta({ examples: ['TRB-2026-000001'] }),
    request: link('requests'),
    description: DESCRIPTION,
    status: z.enum(TROUBLESHOOTING_STATUSES),
    createdAt: TIME,
    updatedAt: TIME,
  }),
};

/** Sent to the service at this address. */
const newTroubleshooting = (baseUrl: string) =>
  z.object({ request: iriField('requests', baseUrl), description: DESCRIPTION });
const TroubleshootingPatch = z
  .object({ description: DESCRIPTION, status: choice(TROUBLESHOOTING_STATUSES) })
  .partial();

const LIST = documented({
  title: 'Lists troubleshootings',
  returns: listed(TROUBLESHOOTING, TROUBLESHOOTINGS),
});
const CREATE = documented({
  title: 'Reports trouble',
  takes: newTroubleshooting(''),
  returns: created(TROUBLESHOOTING),
});
const READ = documented({ title: 'Shows a troubleshooting', returns: shown(TROUBLESHOOTING) });
const CHANGE = documented({
  title: 'Changes a troubleshooting',
  takes: TroubleshootingPatch,
  returns: shown(TROUBLESHOOTING),
});
const REMOVE = documented({ title: 'Removes a troubleshooting', returns: removed(TROUBLESHOOTING) });

export function troubleshootingRoutes(parts: Parts) {
  const { ctx } = parts;
  const { baseUrl } = ctx.config;
  const NewTroubleshooting = newTroubleshooting(baseUrl);
  const member = authenticated(parts);
  return new Hono<Env>()
    .use(ITEM, patchable())
    .get(PATH, LIST, member, negotiated(), (c) => {
      const asked = TROUBLESHOOTINGS.ask(queryOf(c), baseUrl);
      const page = listTroubleshootings(ctx, c.get('user'), asked);
      return sendJson(c, TROUBLESHOOTINGS.answer(asked, page, troubleshootingItem));
    })
    .post(PATH, CREATE, member, consumes(JSON_TYPES), negotiated(), once(), async (c) => {
      const body = await readJsonObject(c);
      const { request, description } = parseInput(NewTroubleshooting, body);
      const input = { requestId: request, description };
      const make = (keep: Keep<TroubleshootingRow>) => createTroubleshooting(ctx, c.get('user'), input, keep);
      return sendCreatedOnce(c, parts, { body, toItem: troubleshootingItem, make });
    })
    .get(ITEM, READ, member, negotiated(), (c) =>
      sendItem(c, troubleshootingItem(getTroubleshooting(ctx, c.get('user'), idParam(c)))),
    )
    .patch(ITEM, CHANGE, member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const { id } = getTroubleshooting(ctx, c.get('user'), idParam(c));
      const change = parseInput(TroubleshootingPatch, await readJsonObject(c, PATCH_TYPES));
      return sendItem(
        c,
        troubleshootingItem(
          await changeTroubleshooting(ctx, c.get('user'), id, change, ifMatch(c, troubleshootingItem)),
        ),
      );
    })
    .delete(ITEM, REMOVE, member, conditional(), async (c) => {
      await deleteTroubleshooting(ctx, c.get('user'), idParam(c), ifMatch(c, troubleshootingItem));
      return sendNothing(c);
    });
}

function troubleshootingItem(troubleshooting: TroubleshootingRow) {
  return item('Troubleshooting', iriOf('troubleshootings', troubleshooting.id), {
    id: troubleshooting.id,
    reference: troubleshooting.reference,
    request: iriOf('requests', troubleshooting.requestId),
    description: troubleshooting.description,
    status: troubleshooting.status,
    createdAt: shownTime(troubleshooting.createdAt),
    updatedAt: shownTime(troubleshooting.updatedAt),
  });
}
