/** /api/requests (rules 6). */
import { z } from 'zod';
import { AMOUNT, choice } from '../../core/calls/input.js';
import { isBeforeSending, REQUEST_STATUSES } from '../../core/lifecycle.js';
import { pick } from '../../core/pick.js';
import { changeRequest, type RequestChange } from '../../core/requests/change-request.js';
import { deleteRequest } from '../../core/requests/delete-request.js';
import { createRequest, REQUEST_WORDS } from '../../core/requests/enter-request.js';
import { getRequestOf, type RequestView } from '../../core/requests/requests.js';
import { REQUESTS } from '../../core/resources/requests.js';
import { address, ID, link, TIME } from './docs/fields.js';
import { iriField, iriOf, idParam } from './iri.js';
import type { Parts, Call, Env } from '../parts.js';
import { declareResource, resourceRoutes, type Change } from './resource.js';
import { Hono } from 'hono';
import { removeSupplied, type PdfFile } from '../../core/contracts/contract-files.js';
import type { Context } from '../../core/context.js';
import type { ContractRow } from '../../core/contracts/contracts.js';
import { contractView } from '../../core/contracts/list-contracts.js';
import type { Keep } from '../../core/calls/idempotency.js';
import { actInput, askedOf } from '../../core/requests/act-input.js';
import { ACTS, type Act, type Asked } from '../../core/requests/acts.js';
import { fullName } from '../../core/users/names.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { JSON_TYPES, readOptionalJsonObject } from '../http/body.js';
import { CHECK_ANSWER, sendCheck } from './check-signature.js';
import { documented, created, shown, type Body, type Operation } from './docs/operation.js';
import { bareType } from '../http/media-types.js';
import { authenticated, negotiated } from './middleware.js';
import { once, sendCreatedOnce, sendItem } from './respond.js';
import { MULTIPART, readPdfForm } from '../http/upload.js';
import { CONTRACT } from './contracts.js';

const OWN_PRICE = AMOUNT.meta({ description: 'Its own price in minor units, whatever was offered' });

const REQUEST = declareResource({
  type: 'Request',
  name: 'requests',
  about: 'A request for maintenance, on its way to a signed and paid contract.',
  fields: {
    id: ID,
    reference: z.string().meta({ examples: ['REQ-2026-000001'] }),
    ...REQUEST_WORDS,
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
      .meta({
        description:
          'The price of its contract once that has been sent, before that its own price; in minor units',
        examples: [12_000],
      }),
    currency: z
      .string()
      .optional()
      .meta({ examples: ['eur'] }),
    customer: z.string().meta({ description: 'E-mail address', examples: ['anna@example.org'] }),
    name: z.string().meta({ description: 'Of the customer', examples: ['Anna Weber'] }),
    phone: z
      .string()
      .optional()
      .meta({ description: 'Of the customer', examples: ['+33612345678'] }),
    statusSince: TIME,
    renews: link('requests').optional().describe('The request whose contract it renews'),
    renewedBy: link('requests').optional().describe('The request that renews its contract'),
  },
  shows: ({ request, customer, contract, renewal }: RequestView) => ({
    ...request,
    customer: customer.username,
    name: fullName(customer),
    phone: customer.phone,
    equipment: iriOf('equipments', request.equipmentId),
    contract: contract && iriOf('contracts', contract.id),
    renews: request.renewsId === null ? null : iriOf('requests', request.renewsId),
    renewedBy: renewal && iriOf('requests', renewal.id),
    // One that was not sent says nothing yet: what is read here can be written back, and changes nothing.
    ...pick(isBeforeSending(request) ? request : (contract ?? request), 'amount', 'currency'),
  }),
  noun: REQUESTS,
});

type Patch = Omit<RequestChange, 'equipmentId'> & { equipment?: number | undefined };

const CHANGE = {
  about:
    'Its text can be changed until its contract has been sent; its price and its status only by an administrator, the status only from `new` to `in_progress`.',
  administratorsOnly: ['status', 'amount'],
  refuses: [409, 503],
  run: (ctx, user, id, { equipment, ...change }, precondition) =>
    changeRequest(ctx, user, id, { ...change, equipmentId: equipment }, precondition),
} satisfies Omit<Change<RequestView, Patch>, 'title' | 'takes'>;

export function requestRoutes(parts: Parts) {
  const { baseUrl } = parts.ctx.config;
  const New = z.object({ ...REQUEST_WORDS, equipment: iriField('equipments', baseUrl) });
  const entered = { owner: iriField('users', baseUrl).optional(), amount: OWN_PRICE.optional() };
  const written = { status: choice(REQUEST_STATUSES).optional(), amount: OWN_PRICE.nullish() };
  return resourceRoutes(parts, REQUEST, {
    list: 'Lists requests',
    create: {
      title: 'Asks for maintenance',
      about:
        'It belongs to the owner of the equipment. An administrator may name that `owner`, so that nobody else’s is taken, and its price.',
      takes: New.extend(entered),
      administratorsOnly: ['owner', 'amount'],
      run: (ctx, user, { equipment, owner, ...input }, keep) =>
        createRequest(ctx, user, { ...input, equipmentId: equipment, ownerId: owner }, keep),
    },
    show: { title: 'Shows a request', run: getRequestOf },
    change: { ...CHANGE, title: 'Changes a request', takes: New.partial().extend(written) },
    replace: { ...CHANGE, title: 'Replaces a request', takes: New.extend(written) },
    remove: {
      title: 'Removes a request',
      about: 'Only while nothing has been sent for signature.',
      refuses: [409, 422, 503],
      run: deleteRequest,
    },
  });
}

// The acts on a request, for administrators (rules 6): a route for each, as it is declared.

export function requestActRoutes(parts: Parts) {
  const { ctx } = parts;
  const member = authenticated(parts);
  const routes = new Hono<Env>();
  /** The request of the call: 404 when its caller cannot see it, 403 when not an administrator. */
  const targetOf = (c: Call) => {
    const user = c.get('user');
    const { request } = getRequestOf(ctx, user, idParam(c));
    mustBeAdmin(user);
    return { request, by: { actor: actorOf(user) } };
  };
  for (const act of ACTS) {
    const path = `/api/requests/:id{[0-9]+}/${act.path}`;
    const about = documented(operationOf(act));
    if (act.answers === 'contract') {
      routes.post(path, about, member, negotiated(), once(), async (c) => {
        const { request, by } = targetOf(c);
        const { body, pdf } = await bodyOf(c, ctx, act);
        try {
          const asked: Asked = { ...askedOf(act, body), ...by, pdf };
          const make = async (keep: Keep<ContractRow>) =>
            (await act.run(ctx, request, { ...asked, keep })).contract as ContractRow;
          const toItem = (contract: ContractRow) => CONTRACT.item(contractView(ctx.db, contract));
          const same = pdf ? { ...body, sha256: pdf.sha256 } : body;
          return await sendCreatedOnce(c, parts, { body: same, toItem, make });
        } finally {
          if (pdf) await removeSupplied(pdf);
        }
      });
    } else if (act.answers === 'check') {
      routes.post(path, about, member, async (c) => {
        const { request, by } = targetOf(c);
        return sendCheck(c, parts, await act.run(ctx, request, by));
      });
    } else {
      routes.post(path, about, member, negotiated(), async (c) => {
        const { request, by } = targetOf(c);
        const asked = { ...askedOf(act, await readOptionalJsonObject(c)), ...by };
        const { made } = await act.run(ctx, request, asked);
        return sendItem(c, REQUEST.item(getRequestOf(ctx, c.get('user'), (made ?? request).id)));
      });
    }
  }
  return routes;
}

function operationOf(act: Act): Operation {
  const { title, about, answers, reason, refuses, options } = act;
  const returns = { contract: created(CONTRACT), check: CHECK_ANSWER, request: shown(REQUEST) }[answers];
  const takes = { schema: actInput(act), mediaTypes: JSON_TYPES, isOptional: reason !== 'required' };
  return {
    title,
    about: `${about[0]?.toUpperCase()}${about.slice(1)}.${reason === 'required' ? ' Needs a reason.' : ''}`,
    ...(answers === 'request' ? {} : { group: 'Request' }),
    isForAdministrators: true,
    ...(answers === 'check' ? {} : { takes: options?.['pdf'] ? withFile(takes) : takes }),
    returns,
    refuses,
  };
}

function withFile(takes: { schema: z.ZodObject; isOptional: boolean }): Body {
  const file = z.file().optional().describe('The contract, instead of the one that the service makes');
  return {
    ...takes,
    schema: takes.schema.extend({ file }),
    mediaTypes: [MULTIPART],
    refuses: [413, 415, 422],
  };
}

/** A document sent in any other way than as a form's file is refused, or the customer would get the wrong one. */
async function bodyOf(
  c: Call,
  ctx: Context,
  { options }: Act,
): Promise<{ body: Record<string, unknown>; pdf?: PdfFile | undefined }> {
  const isForm = bareType(c.req.header('Content-Type') ?? '') === MULTIPART;
  if (!options?.['pdf'] || !isForm) return { body: await readOptionalJsonObject(c) };
  const { fields, pdf } = await readPdfForm(c, ctx);
  // A form has words only.
  const money = Object.entries(options).flatMap(([name, { kind }]) => (kind === 'money' ? [name] : []));
  const body = [...fields].map(([name, value]) =>
    money.includes(name) && /^\d+$/.test(value) ? [name, Number(value)] : [name, value],
  );
  return { body: Object.fromEntries(body) as Record<string, unknown>, pdf };
}
