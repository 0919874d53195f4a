/** /api/requests (rules 6). */
import { z } from 'zod';
import { choice, words } from '../../core/calls/input.js';
import { REQUEST_STATUSES } from '../../core/lifecycle.js';
import { changeRequest, type RequestChange } from '../../core/requests/change-request.js';
import { deleteRequest } from '../../core/requests/delete-request.js';
import { createRequest, getRequestOf, type RequestView } from '../../core/requests/requests.js';
import { REQUESTS } from '../../core/resources/requests.js';
import { address, ID, link, TIME } from './docs/fields.js';
import { iriField, iriOf } from './iri.js';
import type { Parts } from '../parts.js';
import { askedBy, declareResource, listOf, resourceRoutes, type Change } from './resource.js';

const WORDS = {
  title: words({ lengthMax: 255 }).meta({
    description: 'What is wrong, in a line',
    examples: ['Boiler is cold'],
  }),
  description: words({ lengthMax: 5_000, isMultiline: true }).meta({
    examples: ['No warm water since Monday.'],
  }),
};

export const REQUEST = declareResource({
  type: 'Request',
  name: 'requests',
  about: 'A request for maintenance, on its way to a signed and paid contract.',
  fields: {
    id: ID,
    reference: z.string().meta({ examples: ['REQ-2026-000001'] }),
    ...WORDS,
    equipment: link('equipments'),
    status: z.enum(REQUEST_STATUSES),
    createdAt: TIME,
    updatedAt: TIME,
    paymentUrl: address('https://pay.example.org/c/cs_1').optional().describe('Where the customer pays'),
    paymentId: z.string().optional(),
    contract: link('contracts').optional().describe('The contract that counts'),
    amount: z
      .int()
      .optional()
      .meta({ description: 'Of that contract, in minor units', examples: [12_000] }),
    currency: z
      .string()
      .optional()
      .meta({ examples: ['eur'] }),
  },
  shows: ({ request, contract }: RequestView) => ({
    ...request,
    equipment: iriOf('equipments', request.equipmentId),
    contract: contract && iriOf('contracts', contract.id),
    amount: contract?.amount,
    currency: contract?.currency,
  }),
  ...askedBy(REQUESTS),
});

type Patch = Omit<RequestChange, 'equipmentId'> & { equipment?: number | undefined };

const CHANGE = {
  about:
    'Its text can be changed until its contract has been sent; its status only by an administrator, and only from `new` to `in_progress`.',
  administratorsOnly: ['status'],
  refuses: [409, 503],
  run: (ctx, user, id, { equipment, ...change }, precondition) =>
    changeRequest(ctx, user, id, { ...change, equipmentId: equipment }, precondition),
} satisfies Omit<Change<RequestView, Patch>, 'title' | 'takes'>;

export function requestRoutes(parts: Parts) {
  const New = z.object({ ...WORDS, equipment: iriField('equipments', parts.ctx.config.baseUrl) });
  const status = choice(REQUEST_STATUSES).optional();
  return resourceRoutes(parts, REQUEST, {
    list: listOf(REQUESTS, 'Lists requests'),
    create: {
      title: 'Asks for maintenance',
      takes: New,
      run: (ctx, user, { equipment, ...words }, keep) =>
        createRequest(ctx, user, { ...words, equipmentId: equipment }, keep),
    },
    show: { title: 'Shows a request', run: getRequestOf },
    change: { ...CHANGE, title: 'Changes a request', takes: New.partial().extend({ status }) },
    replace: { ...CHANGE, title: 'Replaces a request', takes: New.extend({ status }) },
    remove: {
      title: 'Removes a request',
      about: 'Only while nothing has been sent for signature.',
      refuses: [409, 422, 503],
      run: deleteRequest,
    },
  });
}
