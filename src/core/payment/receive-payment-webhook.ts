/**
 * Inbound payment webhook (rules 3): "paid" moves the request to COMPLETE once, in whatever order and however often events
 * arrive.
 */
import { findInboxEvent, insertInboxEvent } from '../../db/inbox/inbox.js';
import { findPayment } from '../../db/payments/payments.js';
import type { InboxState, PaymentRow } from '../../db/schema.js';
import { WEBHOOK } from '../actor.js';
import { change, type Change } from '../change.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { reject, rejectForged, type InboundDelivery } from '../inbox/rejections.js';
import { adoptSession, contractOfSession, isOfInterest, isPaidStatus } from './our-session.js';
import {
  isAboutSession,
  isGenuinePayment,
  isThin,
  parsePaymentEvent,
  type PaymentEvent,
  type SessionEvent,
} from './payment-event.js';
import { moneyOf } from './price.js';
import { THIN_EVENT } from './thin-events.js';
import {
  sessionExpired,
  sessionFailed,
  sessionPaid,
  sessionPending,
  type SessionOutcome,
} from './settle-session.js';

/** 404 while no secret is configured. */
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
  if (!event) {
    const reason = isThin(delivery.rawBody) ? THIN_EVENT : 'unusable_body';
    return reject(ctx, 'payment', delivery, 400, reason);
  }
  // Repeats cost no write.
  if (!findInboxEvent(ctx.db, { source: 'payment', eventKey: event.id })) {
    await change(ctx, { actor: WEBHOOK }, (tx) => storeAndAct(tx, event, delivery.rawBody));
  }
  return { status: 200 };
}

function storeAndAct(tx: Change, event: PaymentEvent, rawBody: Buffer): void {
  const { db, now } = tx;
  // Check again: the same event may have arrived twice at once.
  if (findInboxEvent(db, { source: 'payment', eventKey: event.id })) return;
  const { contractId, outcome } = isAboutSession(event) ? act(tx, event) : NOT_USED;
  insertInboxEvent(db, {
    source: 'payment',
    eventKey: event.id,
    eventName: event.type,
    subjectId: isAboutSession(event) ? event.data.object.id : event.id,
    contractId,
    body: rawBody,
    state: PAYMENT_STATES[outcome],
    outcome,
    receivedAt: now,
    finishedAt: now,
  });
}

const NOT_USED: Acted = { contractId: null, outcome: 'not_used' };

interface Acted {
  contractId: number | null;
  outcome: Outcome;
}

function act(tx: Change, event: SessionEvent): Acted {
  const { db } = tx;
  const { object } = event.data;
  const known = findPayment(db, { paymentId: object.id });
  if (known) return { contractId: known.contractId, outcome: actOnPayment(tx, event, known) };

  // Unknown after a lost answer or a restore.
  const contract = contractOfSession(db, object);
  if (!contract) return { contractId: null, outcome: 'unknown_session' };
  const { id: contractId } = contract;
  const session = {
    paymentId: object.id,
    paymentUrl: null,
    expiresAt: momentOf(object.expires_at),
    paymentStatus: object.payment_status ?? null,
    money: moneyOf(object),
  };
  if (!isOfInterest(contract, session)) return { contractId, outcome: 'not_used' };
  return { contractId, outcome: actOnPayment(tx, event, adoptSession(db, contractId, session, tx.now)) };
}

type Outcome = SessionOutcome | 'not_used' | 'unknown_session';

/** The inbox state for each outcome. */
export const PAYMENT_STATES: Readonly<Record<Outcome, InboxState>> = {
  paid: 'done',
  repeat: 'ignored',
  old_session_paid: 'refused',
  paid_unsigned: 'done',
  not_paid_yet: 'done',
  payment_failed: 'done',
  session_expired: 'done',
  not_used: 'ignored',
  other_price: 'refused',
  unknown_session: 'ignored',
};

/** Applies an event to one of our sessions; idempotent. */
export function actOnPayment(tx: Change, event: SessionEvent, payment: PaymentRow): Outcome {
  const { object } = event.data;
  const isPaid = isPaidStatus(object.payment_status);
  switch (event.type) {
    case 'checkout.session.completed':
      return isPaid
        ? sessionPaid(tx, payment, moneyOf(object))
        : sessionPending(tx, payment, happenedAt(event));
    case 'checkout.session.async_payment_succeeded':
      return sessionPaid(tx, payment, moneyOf(object));
    case 'checkout.session.async_payment_failed':
      return sessionFailed(tx, payment);
    case 'checkout.session.expired':
      return sessionExpired(tx, payment);
    default:
      return 'not_used';
  }
}

function happenedAt({ created }: SessionEvent): string | undefined {
  return momentOf(created) ?? undefined;
}

function momentOf(seconds: number | null | undefined): string | null {
  return seconds == null ? null : iso(new Date(seconds * 1000));
}
