/** What staff does to a request: each action asks first, then tells how it went. Core decides whether it may be done. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Actor } from '../../../core/actor.js';
import type { Context } from '../../../core/context.js';
import { openCase, type CaseFile } from '../../../core/explain/case-file.js';
import { checkPayment } from '../../../core/payment/check-payment.js';
import { renewPaymentSession } from '../../../core/payment/renew-payment-session.js';
import {
  allowedActions,
  REQUEST_ACTIONS,
  type RequestAction,
} from '../../../core/requests/allowed-actions.js';
import { completeRequest } from '../../../core/requests/complete-request.js';
import { getRequest } from '../../../core/requests/get-request.js';
import { acceptLate } from '../../../core/signature/accept-late.js';
import { checkSignature } from '../../../core/signature/check-signature.js';
import { findLateSignature } from '../../../core/signature/late-signature.js';
import { resetSignature } from '../../../core/signature/reset-signature.js';
import { startSignature } from '../../../core/signature/start-signature.js';
import { formatFullMoment } from '../../../core/texts/format.js';
import type { TextKey } from '../../../core/texts/index.js';
import { isBlank } from '../../../core/texts/plain.js';
import { actorOf } from '../../../core/users/rights.js';
import { idParam } from '../../iri.js';
import type { Env, Parts } from '../../parts.js';
import { confirmation, reasonField } from '../confirm.js';
import { goTo, sendPage, viewOf } from '../respond.js';
import { orRefusal, type Outcome } from '../outcome.js';
import { actionLabel, type Markup, type View } from '../view.js';
import { guardedForm, type Call } from '../visit.js';

const PATH = `/admin/requests/:id{[0-9]+}/:action{${REQUEST_ACTIONS.join('|')}}` as const;
const REASON_LENGTH_MAX = 500;
const NEEDS_REASON: readonly RequestAction[] = ['accept-late', 'complete'];
const ABOUT_ONE_CONTRACT: readonly RequestAction[] = ['accept-late', 'reset-signature'];

interface How {
  actor: Actor;
  reason?: string;
  /** The one that the form was about. */
  contractId?: number;
}

const DEEDS: Record<RequestAction, (ctx: Context, id: number, how: How) => Promise<Outcome>> = {
  'start-signature': async (ctx, id, how) => {
    await startSignature(ctx, id, how);
    return done('start-signature');
  },
  'check-signature': (ctx, id, how) => checkSignature(ctx, id, how),
  'accept-late': async (ctx, id, { actor, reason = '', contractId }) => {
    const current = contractId ?? openCase(ctx, getRequest(ctx, id)).contract?.id ?? 0;
    await acceptLate(ctx, current, { actor, reason });
    return done('accept-late');
  },
  'reset-signature': async (ctx, id, how) => {
    await resetSignature(ctx, id, how);
    return done('reset-signature');
  },
  'check-payment': (ctx, id, how) => checkPayment(ctx, id, how),
  'renew-payment': async (ctx, id, how) => {
    await renewPaymentSession(ctx, id, how);
    return done('renew-payment');
  },
  complete: async (ctx, id, { actor, reason = '' }) => {
    await completeRequest(ctx, id, { actor, reason });
    return done('complete');
  },
};

function done(action: Exclude<RequestAction, `check-${string}`>): Outcome {
  return { type: 'success', key: `admin.done.${action}` };
}

export function requestActions(parts: Parts) {
  return new Hono<Env>()
    .get(PATH, (c) => ask(c, parts))
    .post(PATH, guardedForm(parts), async (c) => {
      const { ctx } = parts;
      const id = idParam(c);
      const action = c.req.param('action') as RequestAction;
      const reason = (c.get('form').get('reason') ?? '').trim().slice(0, REASON_LENGTH_MAX);
      const back = `/admin/requests/${id}`;
      if (NEEDS_REASON.includes(action) && isBlank(reason)) {
        return goTo(c, parts, `${back}/${action}`, {
          type: 'danger',
          message: viewOf(c, parts).t('admin.error.reason'),
        });
      }
      const contractId = Number(c.get('form').get('contract') ?? 0);
      const how = {
        actor: actorOf(c.get('visit').user),
        ...(reason && { reason }),
        ...(contractId > 0 && { contractId }),
      };
      const flash = await orRefusal(viewOf(c, parts), () => DEEDS[action](ctx, id, how));
      return goTo(c, parts, back, flash);
    });
}

/** An action that is not allowed (any more) leads back to the request, which shows those that are. */
function ask(c: Call, parts: Parts): Response | Promise<Response> {
  const view = viewOf(c, parts);
  const { t } = view;
  const request = getRequest(parts.ctx, idParam(c));
  const action = c.req.param('action') as RequestAction;
  const back = `/admin/requests/${request.id}`;
  if (!allowedActions(parts.ctx, request).includes(action)) {
    return goTo(c, parts, back, { type: 'info', message: t('admin.error.not_now') });
  }
  const file = openCase(parts.ctx, request);
  const isDanger = action === 'reset-signature' || action === 'complete';
  const fields = [
    action.startsWith('check-') ? html`` : reasonField(view, { isRequired: NEEDS_REASON.includes(action) }),
    ABOUT_ONE_CONTRACT.includes(action) ? contractField(file.contract) : html``,
  ];
  const body = confirmation(view, {
    action: `${back}/${action}`,
    text: t(`admin.ask.${action}` satisfies TextKey, {
      reference: request.reference,
      title: request.title,
      ...(action === 'accept-late' && lateTimes(parts.ctx, view, file)),
    }),
    yes: actionLabel(view, action),
    back,
    isDanger,
    fields,
  });
  return sendPage(c, parts, view, { title: actionLabel(view, action), section: 'requests', body });
}

/** When it was signed, and until when it could have been. */
function lateTimes({ db }: Context, view: View, { contract }: CaseFile) {
  const written = (at: string | null | undefined) => (at ? formatFullMoment(view, at) : '–');
  const signedAt = contract && findLateSignature(db, contract)?.signedAt;
  return { signed: written(signedAt), last: written(contract?.expiredAt) };
}

/** A form that is sent twice resets once: the second time the contract is another. */
function contractField(contract: CaseFile['contract']): Markup {
  return contract ? html`<input type="hidden" name="contract" value="${contract.id}" />` : html``;
}
