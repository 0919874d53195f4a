/** Inbound payment webhook: "paid" moves the request to COMPLETE, once, whatever order and number the events come in. */
import { findContract, findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findInboxEvent, insertInboxEvent } from '../../db/inbox.js';
import { findPayment, insertPayment, settlePayment } from '../../db/payments.js';
import { findRequest, moveRequest, setPaymentLink } from '../../db/requests.js';
import type { ContractRow, InboxState, PaymentRow, RequestRow } from '../../db/schema.js';
import { WEBHOOK } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { record } from '../history.js';
import { enqueue } from '../jobs/queue.js';
import { REQUEST_MOVES } from '../lifecycle.js';
import { reject, type InboundDelivery } from '../signature/receive-webhook.js';
import { isGenuinePayment, parsePaymentEvent, type PaymentEvent } from './payment-event.js';

/** 404 while no secret is configured: the endpoint is not there. */
export async function receivePaymentWebhook(
  ctx: Context,
  delivery: InboundDelivery,
): Promise<{ status: 200 | 400 | 404 }> {
  const { paymentWebhookSecrets } = ctx.config;
  if (paymentWebhookSecrets.length === 0) return { status: 404 };
  if (!isGenuinePayment(delivery.rawBody, delivery.signature, paymentWebhookSecrets, ctx.clock.now())) {
    return reject(
      ctx,
      'payment',
      delivery,
      400,
      delivery.signature ? 'wrong_signature' : 'missing_signature',
    );
  }
  const event = parsePaymentEvent(delivery.rawBody);
  if (!event) return reject(ctx, 'payment', delivery, 400, 'unusable_body');
  // A repeat costs no write.
  if (!findInboxEvent(ctx.db, 'payment', event.id)) {
    await ctx.writer.write((db) => storeAndAct(ctx, db, event, delivery.rawBody));
  }
  return { status: 200 };
}

function storeAndAct(ctx: Context, db: Db, event: PaymentEvent, rawBody: Buffer): void {
  // Asked again: the same event may have come twice at once.
  if (findInboxEvent(db, 'payment', event.id)) return;
  const now = iso(ctx.clock.now());
  const payment = findPayment(db, event.data.object.id) ?? adopt(db, event, now);
  const outcome = payment ? act(db, event, payment, now) : 'unknown_session';
  insertInboxEvent(db, {
    source: 'payment',
    eventKey: event.id,
    eventName: event.type,
    subjectId: event.data.object.id,
    contractId: payment?.contractId ?? null,
    body: rawBody,
    state: STATES[outcome],
    outcome,
    receivedAt: now,
    finishedAt: now,
  });
}

type Outcome =
  | 'paid'
  | 'repeat'
  | 'old_session_paid'
  | 'not_paid_yet'
  | 'payment_failed'
  | 'session_expired'
  | 'not_used'
  | 'unknown_session';

const STATES: Readonly<Record<Outcome, InboxState>> = {
  paid: 'done',
  repeat: 'ignored',
  old_session_paid: 'refused',
  not_paid_yet: 'done',
  payment_failed: 'done',
  session_expired: 'done',
  not_used: 'ignored',
  unknown_session: 'ignored',
};

/** A session whose answer we never got, but which names our contract and its exact price, is ours. */
function adopt(db: Db, event: PaymentEvent, now: string): PaymentRow | undefined {
  const { id, client_reference_id: requestId, metadata, amount_total: amount, currency } = event.data.object;
  const contract = findContract(db, Number(metadata?.['contract_id']) || 0);
  if (!contract || String(contract.requestId) !== requestId) return undefined;
  if (amount !== contract.amount || currency !== contract.currency) return undefined;
  insertPayment(db, {
    contractId: contract.id,
    generation: contract.paymentGeneration,
    paymentId: id,
    paymentUrl: null,
    status: 'open',
    amount: contract.amount,
    currency: contract.currency,
    createdAt: now,
    expiresAt: null,
  });
  return findPayment(db, id);
}

function act(db: Db, event: PaymentEvent, payment: PaymentRow, now: string): Outcome {
  const isPaid = ['paid', 'no_payment_required'].includes(event.data.object.payment_status ?? '');
  switch (event.type) {
    case 'checkout.session.completed':
      return isPaid ? paid(db, payment, now) : 'not_paid_yet';
    case 'checkout.session.async_payment_succeeded':
      return paid(db, payment, now);
    case 'checkout.session.async_payment_failed':
      return failed(db, payment, now);
    case 'checkout.session.expired':
      return expired(db, payment, now);
    default:
      return 'not_used';
  }
}

function paid(db: Db, payment: PaymentRow, now: string): Outcome {
  if (payment.status === 'paid') return 'repeat';
  const contract = findContract(db, payment.contractId) as ContractRow;
  const request = findRequest(db, contract.requestId) as RequestRow;
  settlePayment(db, { id: payment.id, status: 'paid', paidAt: now });
  const about = { at: now, actor: WEBHOOK, requestId: request.id, contractId: contract.id };
  const isCurrent =
    findCurrentContract(db, request.id)?.id === contract.id &&
    (request.paymentId === null || request.paymentId === payment.paymentId);
  if (!isCurrent || !moveRequest(db, request.id, REQUEST_MOVES.paid, now)) {
    record(db, { ...about, what: 'payment.old_session_paid', detail: { paymentId: payment.paymentId } });
    tellAdministrator(db, { contract, payment, trouble: 'old_session_paid', now });
    return 'old_session_paid';
  }
  // The session of a lost answer becomes known only now.
  if (request.paymentId === null) {
    setPaymentLink(db, { id: request.id, paymentId: payment.paymentId, paymentUrl: null, now });
  }
  record(db, {
    ...about,
    what: 'payment.received',
    detail: { paymentId: payment.paymentId, amount: payment.amount, currency: payment.currency },
  });
  record(db, {
    ...about,
    what: 'request.moved',
    detail: { from: request.status, to: REQUEST_MOVES.paid.to },
  });
  return 'paid';
}

/** The bank refused in the end: this session takes no second try. */
function failed(db: Db, payment: PaymentRow, now: string): Outcome {
  if (payment.status === 'paid') return 'repeat';
  const contract = endSession(db, payment, { now, what: 'payment.failed' });
  tellAdministrator(db, { contract, payment, trouble: 'payment_failed', now });
  return 'payment_failed';
}

function expired(db: Db, payment: PaymentRow, now: string): Outcome {
  if (payment.status !== 'open') return 'repeat';
  endSession(db, payment, { now, what: 'payment.session_expired' });
  return 'session_expired';
}

/** The customer can no longer pay there; a new session is made on demand. */
function endSession(
  db: Db,
  payment: PaymentRow,
  { now, what }: { now: string; what: 'payment.failed' | 'payment.session_expired' },
): ContractRow {
  const { paymentId } = payment;
  const contract = findContract(db, payment.contractId) as ContractRow;
  const { id: contractId, requestId } = contract;
  settlePayment(db, { id: payment.id, status: 'expired', paidAt: null });
  if (findRequest(db, requestId)?.paymentId === paymentId) {
    setPaymentLink(db, { id: requestId, paymentId, paymentUrl: null, now });
  }
  record(db, { at: now, actor: WEBHOOK, what, requestId, contractId, detail: { paymentId } });
  return contract;
}

function tellAdministrator(
  db: Db,
  {
    contract,
    payment,
    trouble,
    now,
  }: {
    contract: ContractRow;
    payment: PaymentRow;
    trouble: 'payment_failed' | 'old_session_paid';
    now: string;
  },
): void {
  enqueue(db, {
    kind: 'send-mail',
    payload: {
      mail: 'payment-trouble',
      contractId: contract.id,
      trouble,
      paymentId: payment.paymentId,
      detail: null,
    },
    uniqueKey: `mail:${trouble}:${payment.paymentId}`,
    now,
    requestId: contract.requestId,
    contractId: contract.id,
  });
}
