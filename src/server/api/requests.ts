/** /api/requests (spec 4.3). */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Keep } from '../../core/idempotency.js';
import { parseInput, type Given } from '../../core/input.js';
import { REQUEST_STATUSES } from '../../core/lifecycle.js';
import { changeRequest, type RequestChange } from '../../core/requests/change-request.js';
import { deleteRequest } from '../../core/requests/delete-request.js';
import {
  createRequest,
  getRequestOf,
  listRequests,
  REQUEST_FIELDS,
  REQUEST_STATUS,
  type RequestView,
} from '../../core/requests/requests.js';
import { isAdmin } from '../../core/users/rights.js';
import { JSON_TYPES, PATCH_TYPES, readJsonObject } from '../body.js';
import { once, sendCreatedOnce } from '../create-once.js';
import { address, ID, link, TIME } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { created, listed, removed, shown, type Resource } from '../docs/operation.js';
import { item, shownTime } from '../hydra.js';
import { conditional, ifMatch } from '../if-match.js';
import { idParam, iriField, iriOf } from '../iri.js';
import { authenticated, consumes, negotiated, patchable } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendItem, sendNothing } from '../respond.js';
import { REQUESTS } from './collections.js';

const PATH = REQUESTS.path;
const ITEM = `${PATH}/:id{[0-9]+}` as const;

export const REQUEST: Resource = {
  type: 'Request',
  path: PATH,
  about: 'A request for maintenance, on its way to a signed and paid contract.',
  fields: z.object({
    id: ID,
    reference: z.string().meta({ examples: ['REQ-2026-000001'] }),
    ...REQUEST_FIELDS,
    equipment: link('equipments'),
    status: z.enum(REQUEST_STATUSES),
    createdAt: TIME,
    updatedAt: TIME,
    paymentUrl: address('https://pay.example.org/c/cs_1').optional().describe('Where the customer pays'),
    paymentId: z.string().optional(),
    contract: link('contracts').optional().describe('The contract that counts'),
  }),
};

/** What a request says, sent to the service at this address. */
const newRequest = (baseUrl: string) =>
  z.object({ ...REQUEST_FIELDS, equipment: iriField('equipments', baseUrl) });
/** Beside that it counts only from an administrator. */
const STATUS = { status: REQUEST_STATUS.optional() };
type RequestPatchInput = Given<z.infer<ReturnType<typeof newRequest>> & Pick<RequestChange, 'status'>>;

const CHANGE_OF_STATUS =
  'Its text can be changed until its contract has been sent; its status only by an administrator, and only from `new` to `in_progress`.';

const LIST = documented({ title: 'Lists requests', returns: listed(REQUEST, REQUESTS) });
const CREATE = documented({
  title: 'Asks for maintenance',
  takes: newRequest(''),
  returns: created(REQUEST),
});
const READ = documented({ title: 'Shows a request', returns: shown(REQUEST) });
const CHANGE = documented({
  title: 'Changes a request',
  about: CHANGE_OF_STATUS,
  takes: newRequest('').partial().extend(STATUS),
  returns: shown(REQUEST),
  refuses: [409, 503],
});
const REPLACE = documented({
  title: 'Replaces a request',
  about: CHANGE_OF_STATUS,
  takes: newRequest('').extend(STATUS),
  returns: shown(REQUEST),
  refuses: [409, 503],
});
const REMOVE = documented({
  title: 'Removes a request',
  about: 'Only while nothing has been sent to be signed.',
  returns: removed(REQUEST),
  refuses: [409, 422, 503],
});

export function requestRoutes(parts: Parts) {
  const { ctx } = parts;
  const { baseUrl } = ctx.config;
  const NewRequest = newRequest(baseUrl);
  const RequestPatch = NewRequest.partial();
  const member = authenticated(parts);
  return new Hono<Env>()
    .use(ITEM, patchable())
    .get(PATH, LIST, member, negotiated(), (c) =>
      parts.pages.send(c, () => {
        const asked = REQUESTS.ask(queryOf(c), baseUrl);
        return REQUESTS.answer(asked, listRequests(ctx, c.get('user'), asked), requestItem);
      }),
    )
    .post(PATH, CREATE, member, consumes(JSON_TYPES), negotiated(), once(), async (c) => {
      const body = await readJsonObject(c);
      const { equipment, ...words } = parseInput(NewRequest, body);
      const input = { ...words, equipmentId: equipment };
      const make = (keep: Keep<RequestView>) => createRequest(ctx, c.get('user'), input, keep);
      return sendCreatedOnce(c, parts, { body, toItem: requestItem, make });
    })
    .get(ITEM, READ, member, negotiated(), (c) =>
      sendItem(c, requestItem(getRequestOf(ctx, c.get('user'), idParam(c)))),
    )
    .patch(ITEM, CHANGE, member, consumes(PATCH_TYPES), negotiated(), conditional(), async (c) => {
      const user = c.get('user');
      const { request } = getRequestOf(ctx, user, idParam(c));
      const schema = isAdmin(user) ? RequestPatch.extend(STATUS) : RequestPatch;
      const change = changeOf(parseInput(schema, await readJsonObject(c, PATCH_TYPES)));
      return sendItem(
        c,
        requestItem(await changeRequest(ctx, user, request.id, change, ifMatch(c, requestItem))),
      );
    })
    .put(ITEM, REPLACE, member, consumes(JSON_TYPES), negotiated(), conditional(), async (c) => {
      const user = c.get('user');
      const { request } = getRequestOf(ctx, user, idParam(c));
      const schema = isAdmin(user) ? NewRequest.extend(STATUS) : NewRequest;
      const change = changeOf(parseInput(schema, await readJsonObject(c)));
      return sendItem(
        c,
        requestItem(await changeRequest(ctx, user, request.id, change, ifMatch(c, requestItem))),
      );
    })
    .delete(ITEM, REMOVE, member, conditional(), async (c) => {
      await deleteRequest(ctx, c.get('user'), idParam(c), ifMatch(c, requestItem));
      return sendNothing(c);
    });
}

function changeOf({ equipment, ...words }: RequestPatchInput): RequestChange {
  return { ...words, equipmentId: equipment };
}

export function requestItem({ request, contractId }: RequestView) {
  return item('Request', iriOf('requests', request.id), {
    id: request.id,
    reference: request.reference,
    title: request.title,
    description: request.description,
    equipment: iriOf('equipments', request.equipmentId),
    status: request.status,
    createdAt: shownTime(request.createdAt),
    updatedAt: shownTime(request.updatedAt),
    paymentUrl: request.paymentUrl,
    paymentId: request.paymentId,
    contract: contractId === undefined ? null : iriOf('contracts', contractId),
  });
}
