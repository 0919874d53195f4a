/** Inbound payment webhook: "paid" moves the request to COMPLETE, once, whatever order and number the events come in. */
import type { Db } from '../../db/db.js';
import { findInboxEvent, insertInboxEvent } from '../../db/inbox.js';
import { findPayment } from '../../db/payments.js';
import type { InboxState, PaymentRow } from '../../db/schema.js';
import { WEBHOOK } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { reject, rejectForged, type InboundDelivery } from '../rejections.js';
import { tellOtherPrice } from './other-price.js';
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
  const { contractId, outcome } = isAboutSession(event) ? act(db, event, now) : NOT_USED;
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

function act(db: Db, event: SessionEvent, now: string): Acted {
  const { object } = event.data;
  const by = { actor: WEBHOOK, now };
  const known = findPayment(db, object.id);
  if (known) return { contractId: known.contractId, outcome: actOnPayment(db, event, known, by) };

  // Its answer was lost, or a restore has forgotten it.
  const contract = contractOfSession(db, object);
  if (!contract) return { contractId: null, outcome: 'unknown_session' };
  const { id: contractId } = contract;
  if (!hasPriceOf(contract, object)) {
    if (!isPaidStatus(object.payment_status)) return { contractId, outcome: 'not_used' };
    tellOtherPrice(db, contract, object, by);
    return { contractId, outcome: 'other_price' };
  }
  const session = { paymentId: object.id, paymentUrl: null, expiresAt: null };
  return { contractId, outcome: actOnPayment(db, event, adoptSession(db, contract, session, now), by) };
}

type Outcome = SessionOutcome | 'not_used' | 'other_price' | 'unknown_session';

/** The state of an inbox event by what came of it. */
export const PAYMENT_STATES: Readonly<Record<Outcome, InboxState>> = {
  paid: 'done',
  repeat: 'ignored',
  old_session_paid: 'refused',
  not_paid_yet: 'done',
  payment_failed: 'done',
  session_expired: 'done',
  not_used: 'ignored',
  other_price: 'refused',
  unknown_session: 'ignored',
};

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
