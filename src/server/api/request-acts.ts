/** The acts on a request, for administrators (rules 6): a route for each, as it is declared. */
import { Hono } from 'hono';
import { z } from 'zod';
import { removeSupplied, type PdfFile } from '../../core/contracts/contract-files.js';
import type { Context } from '../../core/context.js';
import type { ContractRow } from '../../core/contracts/contracts.js';
import type { Keep } from '../../core/calls/idempotency.js';
import { actInput, askedOf } from '../../core/requests/act-input.js';
import { ACTS, type Act, type Asked } from '../../core/requests/acts.js';
import { getRequestOf } from '../../core/requests/requests.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { JSON_TYPES, readOptionalJsonObject } from '../http/body.js';
import { CHECK_ANSWER, sendCheck } from './check-signature.js';
import { once, sendCreatedOnce } from './create-once.js';
import { documented } from './docs/notes.js';
import { created, shown, type Body, type Operation } from './docs/operation.js';
import { bareType } from '../http/media-types.js';
import { authenticated, negotiated } from './middleware.js';
import { idParam } from './iri.js';
import type { Call, Env, Parts } from '../parts.js';
import { sendItem } from './respond.js';
import { MULTIPART, readPdfForm } from '../http/upload.js';
import { CONTRACT } from './contracts.js';
import { REQUEST } from './requests.js';

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
          const same = pdf ? { ...body, sha256: pdf.sha256 } : body;
          return await sendCreatedOnce(c, parts, { body: same, toItem: CONTRACT.item, make });
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
        await act.run(ctx, request, { ...askedOf(act, await readOptionalJsonObject(c)), ...by });
        return sendItem(c, REQUEST.item(getRequestOf(ctx, c.get('user'), request.id)));
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
  return { body: Object.fromEntries(fields), pdf };
}
