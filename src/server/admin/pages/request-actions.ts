/** Actions on a request: each asks for confirmation, then shows the result. Core decides whether it is allowed. */
import { html } from 'hono/html';
import type { Actor } from '../../../core/actor.js';
import type { Context } from '../../../core/context.js';
import { readCaseFile, type CaseFile } from '../../../core/explain/case-file.js';
import { checkPayment } from '../../../core/payment/check-payment.js';
import { giveUpPayment } from '../../../core/payment/give-up-payment.js';
import { acceptedPayment, paymentWords } from '../../../core/payment/payment-cases.js';
import { renewPaymentSession } from '../../../core/payment/renew-payment-session.js';
import {
  allowedActions,
  REQUEST_ACTIONS,
  type RequestAction,
} from '../../../core/requests/allowed-actions.js';
import { fateOfLinks, isLinkAction } from '../../../core/requests/old-links.js';
import { remindRequest } from '../../../core/reminders/remind-request.js';
import { cancelRequest } from '../../../core/requests/cancel-request.js';
import { completeRequest } from '../../../core/requests/complete-request.js';
import { reopenRequest } from '../../../core/requests/reopen-request.js';
import { getRequest } from '../../../core/requests/requests.js';
import { settleRequest } from '../../../core/requests/settle-request.js';
import { findSignedSecond } from '../../../core/signature/unknown-signatures.js';
import { acceptLate } from '../../../core/signature/accept-late.js';
import { checkSignature } from '../../../core/signature/check-signature.js';
import { lateSignedAt } from '../../../core/signature/told.js';
import { resetSignature } from '../../../core/signature/reset-signature.js';
import { startSignature } from '../../../core/signature/start-signature.js';
import { formatFullMoment } from '../../../core/texts/format.js';
import type { PageKey } from '../texts.js';
import { isBlank } from '../../../core/texts/plain.js';
import type { Parts } from '../../parts.js';
import { checkbox, hiddenField, reasonField } from '../components.js';
import type { PageCall } from '../page-call.js';
import { Pages } from '../pages.js';
import { orRefusal, type Outcome } from '../outcome.js';
import { actionLabel, nameOf, type Markup, type View } from '../view.js';

const TAKES_NO_REASON: readonly RequestAction[] = ['check-signature', 'check-payment'];
const NEEDS_REASON: readonly RequestAction[] = [
  'accept-late',
  'give-up-payment',
  'complete',
  'cancel',
  'reopen',
  'settle',
];
const DANGEROUS: readonly RequestAction[] = ['reset-signature', 'complete', 'cancel'];
const ABOUT_ONE_CONTRACT: readonly RequestAction[] = ['accept-late', 'reset-signature'];

interface How {
  actor: Actor;
  reason?: string;
  /** The contract shown in the form. */
  contractId?: number;
  /** The customer gets a mail. */
  notify: boolean;
}

type Deed = (ctx: Context, id: number, how: How) => Promise<Outcome>;

const DEEDS: Record<RequestAction, Deed> = {
  'start-signature': saying('admin.done.start-signature', startSignature),
  'check-signature': checkSignature,
  'accept-late': saying('admin.done.accept-late', (ctx, id, { actor, reason = '', contractId }) => {
    const current = contractId ?? readCaseFile(ctx, getRequest(ctx, id)).contract?.id ?? 0;
    return acceptLate(ctx, current, { actor, reason });
  }),
  'reset-signature': saying('admin.done.reset-signature', resetSignature),
  'check-payment': checkPayment,
  'renew-payment': saying('admin.done.renew-payment', renewPaymentSession),
  'give-up-payment': saying('admin.done.give-up-payment', (ctx, id, { actor, reason = '' }) =>
    giveUpPayment(ctx, id, { actor, reason }),
  ),
  complete: saying('admin.done.complete', (ctx, id, { actor, reason = '' }) =>
    completeRequest(ctx, id, { actor, reason }),
  ),
  remind: saying('admin.done.remind', (ctx, id, { actor, reason }) =>
    remindRequest(ctx, id, { actor, reason }),
  ),
  cancel: saying('admin.done.cancel', (ctx, id, { reason = '', ...how }) =>
    cancelRequest(ctx, id, { ...how, reason }),
  ),
  reopen: saying('admin.done.reopen', (ctx, id, { actor, reason = '' }) =>
    reopenRequest(ctx, id, { actor, reason }),
  ),
  settle: saying('admin.done.settle', (ctx, id, { actor, reason = '' }) =>
    settleRequest(ctx, id, { actor, reason }),
  ),
};

function saying(key: PageKey, act: (ctx: Context, id: number, how: How) => Promise<unknown>): Deed {
  return async (...call) => {
    await act(...call);
    return { type: 'success', key };
  };
}

export function requestActions(parts: Parts) {
  const pages = new Pages(parts, 'requests');
  for (const action of REQUEST_ACTIONS) {
    const path = `/admin/requests/:id{[0-9]+}/${action}`;
    pages.get(path, (call) => ask(call, action)).post(path, (call) => act(call, action));
  }
  return pages;
}

async function act(call: PageCall, action: RequestAction): Promise<Response> {
  const { ctx, id, actor, view } = call;
  const reason = call.reason;
  const back = `/admin/requests/${id}`;
  if (NEEDS_REASON.includes(action) && isBlank(reason)) {
    return call.goTo(`${back}/${action}`, { type: 'danger', message: view.t('admin.error.reason') });
  }
  const contractId = Number(call.field('contract'));
  const notify = call.form.has('notify');
  const how = { actor, notify, ...(reason && { reason }), ...(contractId > 0 && { contractId }) };
  return call.goTo(back, await orRefusal(view, () => DEEDS[action](ctx, id, how)));
}

/** An action that is no longer allowed redirects to the request's page. */
function ask(call: PageCall, action: RequestAction): Promise<Response> {
  const { ctx, view } = call;
  const { t } = view;
  const request = getRequest(ctx, call.id);
  const back = `/admin/requests/${request.id}`;
  if (!allowedActions(ctx, request).includes(action)) {
    return call.goTo(back, { type: 'info', message: t('admin.error.not_now') });
  }
  const file = readCaseFile(ctx, request);
  const isDecision = decidesPayments(file, action);
  const question = t(questionOf(ctx, file, action), {
    reference: request.reference,
    title: request.title,
    customer: nameOf(file.customer) || file.customer.username,
    ...(action === 'accept-late' && lateTimes(ctx, view, file)),
    ...(isDecision && undecidedWords(view, file)),
  });
  const links = isLinkAction(action) ? fateOfLinks(ctx, request, action) : [];
  return call.ask({
    action: `${back}/${action}`,
    text: [question, ...links].join(' '),
    yes: actionLabel(view, action),
    back,
    isDanger: DANGEROUS.includes(action),
    fields: [
      TAKES_NO_REASON.includes(action)
        ? html``
        : reasonField(view, { isRequired: isDecision || NEEDS_REASON.includes(action) }),
      ABOUT_ONE_CONTRACT.includes(action) ? contractField(file.contract) : html``,
      action === 'cancel' ? checkbox('notify', t('admin.field.notify')) : html``,
    ],
  });
}

function questionOf({ db }: Context, file: CaseFile, action: RequestAction): PageKey {
  if (action === 'accept-late' && findSignedSecond(db, file.request.id)) return 'admin.ask.accept-second';
  if (!decidesPayments(file, action)) return `admin.ask.${action}`;
  return action === 'complete' ? 'admin.ask.complete-accepting' : 'admin.ask.renew-settling';
}

/** Payments that do not count are accepted by one, settled by the other. */
function decidesPayments({ payments }: CaseFile, action: RequestAction): boolean {
  return ['complete', 'renew-payment'].includes(action) && payments.some(({ state }) => state === 'case');
}

function undecidedWords({ locale }: View, file: CaseFile) {
  const undecided = file.payments.filter(({ state }) => state === 'case');
  const accepted = acceptedPayment(file, undecided);
  return {
    payments: paymentWords(locale, undecided),
    paid: paymentWords(locale, accepted ? [accepted] : []),
  };
}

/** When it was signed, and the last moment to sign. */
function lateTimes({ db }: Context, view: View, { contract }: CaseFile) {
  const written = (at: string | null | undefined) => (at ? formatFullMoment(view, at) : '–');
  const signedAt = contract && lateSignedAt(db, contract);
  return { signed: written(signedAt), last: written(contract?.expiredAt) };
}

/** A form submitted twice resets once: by then the contract is another one. */
function contractField(contract: CaseFile['contract']): Markup {
  return contract ? hiddenField('contract', contract.id) : html``;
}
