/** Inbound payment webhook: "paid" moves the request to COMPLETE, once, whatever order and number the events come in. */
import { findContract, findContractByKey } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { findInboxEvent, insertInboxEvent } from '../../db/inbox.js';
import { findPayment, insertPayment } from '../../db/payments.js';
import { findRequest } from '../../db/requests.js';
import type { ContractRow, InboxState, PaymentRow, UserRow } from '../../db/schema.js';
import { findUser } from '../../db/users.js';
import { WEBHOOK } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { CLOCK_TOLERANCE_MS, isOwnName, keyOfOwnName } from '../identity.js';
import { reject, rejectForged, type InboundDelivery } from '../rejections.js';
import {
  isAboutSession,
  isGenuinePayment,
  parsePaymentEvent,
  type PaymentEvent,
  type SessionEvent,
} from './payment-event.js';
import {
  isPaidStatus,
  sessionExpired,
  sessionFailed,
  sessionPaid,
  sessionPending,
  type SessionOutcome,
  type Settling,
} from './settle-session.js';

/** 404 while no secret is configured: the endpoint is not there. */
export async function receivePaymentWebhook(
  ctx: Context,
  delivery: InboundDelivery,
): Promise<{ status: 200 | 400 | 404 | 429 }> {
  const { paymentWebhookSecrets } = ctx.config;
  if (paymentWebhookSecrets.length === 0) return { status: 404 };
  if (!isGenuinePayment(delivery.rawBody, delivery.signature, paymentWebhookSecrets, ctx.clock.now())) {
    return rejectForged(ctx, 'payment', delivery, 400);
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
  const { payment, outcome } = isAboutSession(event) ? act(db, event, now) : NOT_USED;
  insertInboxEvent(db, {
    source: 'payment',
    eventKey: event.id,
    eventName: event.type,
    subjectId: isAboutSession(event) ? event.data.object.id : event.id,
    contractId: payment?.contractId ?? null,
    body: rawBody,
    state: PAYMENT_STATES[outcome],
    outcome,
    receivedAt: now,
    finishedAt: now,
  });
}

const NOT_USED: Acted = { payment: undefined, outcome: 'not_used' };

interface Acted {
  payment: PaymentRow | undefined;
  outcome: Outcome;
}

function act(db: Db, event: SessionEvent, now: string): Acted {
  const payment = findPayment(db, event.data.object.id) ?? adopt(db, event, now);
  const outcome = payment ? actOnPayment(db, event, payment, { actor: WEBHOOK, now }) : 'unknown_session';
  return { payment, outcome };
}

type Outcome = SessionOutcome | 'not_used' | 'unknown_session';

/** The state of an inbox event by what came of it. */
export const PAYMENT_STATES: Readonly<Record<Outcome, InboxState>> = {
  paid: 'done',
  repeat: 'ignored',
  old_session_paid: 'refused',
  not_paid_yet: 'done',
  payment_failed: 'done',
  session_expired: 'done',
  not_used: 'ignored',
  unknown_session: 'ignored',
};

/** A session whose answer we never got is ours when it names our contract as nobody else can, and its exact price. */
function adopt(db: Db, { data: { object } }: SessionEvent, now: string): PaymentRow | undefined {
  const { id, client_reference_id: name, amount_total: amount, currency } = object;
  const contract = findNamed(db, name) ?? findOldNamed(db, object);
  if (!contract || amount !== contract.amount || currency !== contract.currency) return undefined;
  const session = {
    contractId: contract.id,
    paymentId: id,
    paymentUrl: null,
    status: 'open' as const,
    amount: contract.amount,
    currency: contract.currency,
    createdAt: now,
    expiresAt: null,
  };
  // When a restore has forgotten it, and another one was made since, it is older than that one.
  for (let generation = contract.paymentGeneration; !insertPayment(db, { ...session, generation });)
    generation -= 1;
  return findPayment(db, id);
}

function findNamed(db: Db, name: string | null | undefined): ContractRow | undefined {
  const key = name && keyOfOwnName(db, name);
  return key ? findContractByKey(db, key) : undefined;
}

/**
 * Sessions of older versions name row ids, which other installations have as well: only those of a contract from then
 * count, made after it and for its customer.
 */
function findOldNamed(db: Db, session: SessionEvent['data']['object']): ContractRow | undefined {
  const contract = findContract(db, Number(session.metadata?.['contract_id']) || 0);
  const request = contract && findRequest(db, contract.requestId);
  if (!contract || !request || isOwnName(contract.externalId)) return undefined;
  const customer = findUser(db, request.ownerId) as UserRow;
  const isOurs =
    session.client_reference_id === String(request.id) &&
    session.customer_email?.toLowerCase() === customer.username.toLowerCase() &&
    isNotBefore(session.created, contract.createdAt);
  return isOurs ? contract : undefined;
}

function isNotBefore(seconds: number | null | undefined, time: string): boolean {
  return seconds != null && seconds * 1000 + CLOCK_TOLERANCE_MS >= Date.parse(time);
}

/** What an event means for a session of ours; doing it twice changes nothing. */
export function actOnPayment(db: Db, event: SessionEvent, payment: PaymentRow, by: Settling): Outcome {
  const isPaid = isPaidStatus(event.data.object.payment_status);
  switch (event.type) {
    case 'checkout.session.completed':
      return isPaid
        ? sessionPaid(db, payment, by)
        : sessionPending(db, payment, { ...by, since: happenedAt(event) });
    case 'checkout.session.async_payment_succeeded':
      return sessionPaid(db, payment, by);
    case 'checkout.session.async_payment_failed':
      return sessionFailed(db, payment, by);
    case 'checkout.session.expired':
      return sessionExpired(db, payment, by);
    default:
      return 'not_used';
  }
}

function happenedAt({ created }: SessionEvent): string | undefined {
  return created == null ? undefined : iso(new Date(created * 1000));
}
