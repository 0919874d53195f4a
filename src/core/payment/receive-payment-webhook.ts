/** Inbound payment webhook: "paid" moves the request to COMPLETE, once, whatever order and number the events come in. */
import type { Db } from '../../db/db.js';
import { findInboxEvent, insertInboxEvent } from '../../db/inbox.js';
import { findPayment } from '../../db/payments.js';
import type { InboxState, PaymentRow } from '../../db/schema.js';
import { WEBHOOK } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { reject, rejectForged, type InboundDelivery } from '../rejections.js';
import { adoptSession, contractOfSession, hasPriceOf } from './our-session.js';
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

/** A session whose answer we never got, or that a restore has forgotten. */
function adopt(db: Db, { data: { object } }: SessionEvent, now: string): PaymentRow | undefined {
  const contract = contractOfSession(db, object);
  if (!contract || !hasPriceOf(contract, object)) return undefined;
  return adoptSession(db, contract, { paymentId: object.id, paymentUrl: null, expiresAt: null }, now);
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
