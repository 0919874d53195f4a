/**
 * An administrator's actions on a request (rules 6): start its signature, with its own PDF if wanted, reset it,
 * complete, cancel and reopen it.
 */
import { Hono } from 'hono';
import { z } from 'zod';
import { receiveSuppliedPdf, removeSupplied, type PdfFile } from '../../core/contracts/contract-files.js';
import { PDF_BYTES_MAX } from '../../core/contracts/whole-pdf.js';
import type { Actor } from '../../core/actor.js';
import type { Context } from '../../core/context.js';
import type { ContractRow } from '../../core/contracts/contracts.js';
import type { Keep } from '../../core/calls/idempotency.js';
import { parseInput, words } from '../../core/calls/input.js';
import { giveUpPayment } from '../../core/payment/give-up-payment.js';
import { cancelRequest } from '../../core/requests/cancel-request.js';
import { completeRequest } from '../../core/requests/complete-request.js';
import { reopenRequest } from '../../core/requests/reopen-request.js';
import { getRequestOf } from '../../core/requests/requests.js';
import { settleRequest } from '../../core/requests/settle-request.js';
import { resetSignature } from '../../core/signature/reset-signature.js';
import { startSignature } from '../../core/signature/start-signature.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { checkContentType, JSON_BYTES_MAX, JSON_TYPES, readBody, readOptionalJsonObject } from '../body.js';
import { once, sendCreatedOnce } from '../create-once.js';
import { documented } from '../docs/notes.js';
import { created, shown } from '../docs/operation.js';
import { bareType } from '../media-types.js';
import { authenticated, negotiated } from '../middleware.js';
import { idParam } from '../iri.js';
import type { Call, Env, Parts } from '../parts.js';
import { sendItem } from '../respond.js';
import { MULTIPART, readFormFile } from '../upload.js';
import { CONTRACT } from './contracts.js';
import { REQUEST } from './requests.js';

const ITEM = '/api/requests/:id{[0-9]+}';

const START = documented({
  title: 'Starts the signature of a request',
  about: 'Creates the contract, or takes the PDF of the form, and lets the provider send it to the customer.',
  group: 'Request',
  isForAdministrators: true,
  takes: {
    schema: z.object({
      file: z.file().optional().describe('The contract, instead of the one that the service makes'),
    }),
    mediaTypes: [MULTIPART],
    isOptional: true,
    refuses: [413, 415, 422],
  },
  returns: created(CONTRACT),
  refuses: [409, 503],
});

const REASON = words({ lengthMax: 1_000, isMultiline: true }).meta({
  description: 'Why, for the history',
  examples: ['Paid in cash on 2 March'],
});
/** A decision with an optional reason. */
const Decision = z.object({ reason: REASON.optional() });
/** A decision that needs a reason. */
const ReasonedDecision = z.object({ reason: REASON });

const Cancellation = z.object({
  reason: REASON,
  notify: z.boolean().optional().meta({ description: 'Notify the customer by e-mail' }),
});

const Settlement = z.object({
  reason: REASON,
  payments: z.array(z.string()).optional().meta({ description: 'Only these payments, by their paymentIds' }),
  signature: z
    .boolean()
    .optional()
    .meta({ description: 'Only the signature, or with `payments` the signature too' }),
});

const RESET = documented({
  title: 'Resets the signature of a request',
  about: 'Withdraws the contract and sends a new one; refused once the customer has signed.',
  group: 'Request',
  isForAdministrators: true,
  takes: { schema: Decision, mediaTypes: JSON_TYPES, isOptional: true },
  returns: created(CONTRACT),
  refuses: [409, 422, 503],
});

const COMPLETE = documented({
  title: 'Completes a request that was paid in another way',
  about: 'Its payment link is closed; a request that is already complete stays as it is. Needs a reason.',
  isForAdministrators: true,
  takes: { schema: ReasonedDecision, mediaTypes: JSON_TYPES },
  returns: shown(REQUEST),
  refuses: [409, 422, 503],
});

const GIVE_UP = documented({
  title: 'Stops waiting for money that is on its way',
  about:
    'The customer can then pay again. The payment provider is still asked about the money; if it arrives after all, it counts if the request still waits for a payment, and is a case otherwise. Needs a reason.',
  isForAdministrators: true,
  takes: { schema: ReasonedDecision, mediaTypes: JSON_TYPES },
  returns: shown(REQUEST),
  refuses: [409, 422],
});

const CANCEL = documented({
  title: 'Cancels a request',
  about:
    'Withdraws its contract at the signature provider and closes its payment link; `notify` tells the customer by mail. A canceled request stays as it is. Needs a reason.',
  isForAdministrators: true,
  takes: { schema: Cancellation, mediaTypes: JSON_TYPES },
  returns: shown(REQUEST),
  refuses: [409, 422, 503],
});

const REOPEN = documented({
  title: 'Reopens a canceled request',
  about:
    'It is `new` again; its contract stays expired, and a new start creates the next one. Needs a reason.',
  isForAdministrators: true,
  takes: { schema: ReasonedDecision, mediaTypes: JSON_TYPES },
  returns: shown(REQUEST),
  refuses: [422],
});

const SETTLE = documented({
  title: 'Settles a case',
  about:
    'Records that a signature or payment that does not count has been dealt with. Refused when there is nothing to settle. Without `payments` and `signature`, everything that is waiting is settled. The status does not change. Needs a reason.',
  isForAdministrators: true,
  takes: { schema: Settlement, mediaTypes: JSON_TYPES },
  returns: shown(REQUEST),
  refuses: [422],
});

export function signatureRoutes(parts: Parts) {
  const { ctx } = parts;
  const member = authenticated(parts);
  /** The request of the call: 404 when its caller cannot see it, 403 when not an administrator. */
  const targetOf = (c: Call) => {
    const user = c.get('user');
    const { request } = getRequestOf(ctx, user, idParam(c));
    mustBeAdmin(user);
    return { id: request.id, actor: actorOf(user) };
  };
  /** Does what an administrator has decided, and answers with the request. */
  const decided =
    <Wish extends object>(
      schema: z.ZodType<Wish>,
      act: (ctx: Context, id: number, wish: Wish & { actor: Actor }) => Promise<unknown>,
    ) =>
    async (c: Call) => {
      const { id, actor } = targetOf(c);
      await act(ctx, id, { ...parseInput(schema, await readOptionalJsonObject(c)), actor });
      return sendItem(c, REQUEST.item(getRequestOf(ctx, c.get('user'), id)));
    };
  return new Hono<Env>()
    .post(`${ITEM}/signature`, START, member, negotiated(), once(), async (c) => {
      const { id, actor } = targetOf(c);
      const pdf = await suppliedPdf(c, ctx);
      try {
        const make = (keep: Keep<ContractRow>) => startSignature(ctx, id, { actor, keep, pdf });
        const body = pdf ? { sha256: pdf.sha256 } : {};
        return await sendCreatedOnce(c, parts, { body, toItem: CONTRACT.item, make });
      } finally {
        if (pdf) await removeSupplied(pdf);
      }
    })
    .post(`${ITEM}/signature/reset`, RESET, member, negotiated(), once(), async (c) => {
      const { id, actor } = targetOf(c);
      const body = await readOptionalJsonObject(c);
      const { reason } = parseInput(Decision, body);
      const make = (keep: Keep<ContractRow>) => resetSignature(ctx, id, { actor, keep, reason });
      return sendCreatedOnce(c, parts, { body, toItem: CONTRACT.item, make });
    })
    .post(`${ITEM}/complete`, COMPLETE, member, negotiated(), decided(ReasonedDecision, completeRequest))
    .post(`${ITEM}/payment/give-up`, GIVE_UP, member, negotiated(), decided(ReasonedDecision, giveUpPayment))
    .post(`${ITEM}/cancel`, CANCEL, member, negotiated(), decided(Cancellation, cancelRequest))
    .post(`${ITEM}/reopen`, REOPEN, member, negotiated(), decided(ReasonedDecision, reopenRequest))
    .post(`${ITEM}/settle`, SETTLE, member, negotiated(), decided(Settlement, settleRequest));
}

/** A document sent in any other way than as a form's file is refused, or the customer would get the wrong one. */
async function suppliedPdf(c: Call, ctx: Context): Promise<PdfFile | undefined> {
  const contentType = c.req.header('Content-Type');
  if (contentType !== undefined && bareType(contentType) === MULTIPART) {
    return readFormFile(c, PDF_BYTES_MAX, {
      take: (file) => receiveSuppliedPdf(ctx, file),
      drop: removeSupplied,
    });
  }
  if ((await readBody(c, JSON_BYTES_MAX)).length > 0) checkContentType(c, [MULTIPART, ...JSON_TYPES]);
  return undefined;
}
