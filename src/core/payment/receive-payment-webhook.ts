/**
 * Inbound payment webhook (rules 3): "paid" moves the request to COMPLETE once, in whatever order and however often events
 * arrive.
 */
import { requireContract } from '../../db/contracts/contracts.js';
import { findInboxEvent, insertInboxEvent } from '../../db/inbox/inbox.js';
import { findPayment, requirePayment } from '../../db/payments/payments.js';
import type { ContractRow, InboxState } from '../../db/schema.js';
import { WEBHOOK } from '../actor.js';
import { change, type Change } from '../change.js';
import type { Context } from '../context.js';
import { ofContract } from '../history/history.js';
import { reject, rejectForged, type InboundDelivery } from '../inbox/rejections.js';
import { answerAbout, answerOf, isPaidStatus, type Answer } from './answers.js';
import { troubleOf } from './apply.js';
import { keptIn } from './decide.js';
import { contractOfSession } from './observe.js';
import { ourPayments } from './our-payments.js';
import { paymentJob } from './payment-job.js';
import { decideIn, type Reconciled } from './reconcile.js';
import { toSession, type PaymentSession, MOMENT, SESSION } from './session.js';
import { isOursByName, tellUnknownPayment } from './unknown-payments.js';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { THIN_EVENT } from './thin-events.js';

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
  if (typeof event === 'string') return reject(ctx, 'payment', delivery, 400, event);
  // Repeats cost no write.
  if (!findInboxEvent(ctx.db, { source: 'payment', eventKey: event.id })) {
    await change(ctx, { actor: WEBHOOK }, (tx) => storeAndAct(ctx, tx, event, delivery.rawBody));
  }
  return { status: 200 };
}

function storeAndAct(ctx: Context, tx: Change, event: PaymentEvent, rawBody: Buffer): void {
  const { db, now } = tx;
  const { contractId, outcome } = isAboutSession(event) ? actOnEvent(ctx, tx, event) : NOT_USED;
  // Stored once, also if it has arrived twice at once.
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
  outcome: PaymentOutcome;
}

/** The inbox state for each outcome. */
export const PAYMENT_STATES = {
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
  unknown_payment: 'refused',
} as const satisfies Record<string, InboxState>;

const UNKNOWN: Acted = { contractId: null, outcome: 'unknown_session' };

type PaymentOutcome = keyof typeof PAYMENT_STATES;

/** An event is an answer of the provider that nobody has asked for. Idempotent. */
function actOnEvent(ctx: Context, tx: Change, event: SessionEvent): Acted {
  const { db } = tx;
  const session = toSession(event.data.object);
  const { paymentId } = session;
  const known = findPayment(db, { paymentId });
  // Unknown after a lost answer or a restore.
  const contract = known ? requireContract(db, { id: known.contractId }) : contractOfSession(db, session);
  const answer = answerOfEvent(event, session);
  if (!contract) {
    if (answer?.theirs !== 'paid' || !isOursByName(db, session)) return UNKNOWN;
    tellUnknownPayment(tx, session);
    return { contractId: null, outcome: 'unknown_payment' };
  }
  const { id: contractId, requestId } = contract;
  if (!answer) return { contractId, outcome: 'not_used' };
  const answers = new Map([[paymentId, { ...answer, contractId }]]);
  const { effects } = decideIn(tx, ctx, requestId, answers, {}).decision;
  // Other pages are closed, which the provider has to be asked for.
  if (effects.some((each) => each.do === 'close'))
    tx.enqueueAgain(paymentJob, { requestId, contractId, closesOnly: true }, ofContract(contract));
  return { contractId, outcome: outcomeOf(tx, contract, paymentId, { effects, answers }) };
}

/** What has become of a session by what the provider says. */
export function outcomeOf(
  { db }: Change,
  contract: ContractRow,
  paymentId: string,
  { effects, answers }: Pick<Reconciled, 'effects' | 'answers'>,
): PaymentOutcome {
  const kept = keptIn(effects).find((each) => each.paymentId === paymentId);
  if (!kept) return findPayment(db, { paymentId }) ? 'repeat' : 'not_used';
  const { state } = kept;
  if (state === 'paid') return 'paid';
  if (state === 'pending') return 'not_paid_yet';
  if (state !== 'case')
    return answerAbout(answers, paymentId).theirs === 'refused' ? 'payment_failed' : 'session_expired';
  const trouble = troubleOf(ourPayments(db, contract.requestId), contract, requirePayment(db, { paymentId }));
  return trouble === 'canceled_paid' ? 'old_session_paid' : trouble;
}

/** Undefined: it says nothing of the money. */
function answerOfEvent({ type, created }: SessionEvent, session: PaymentSession): Answer | undefined {
  const theirs = theirsOf(type, isPaidStatus(session.paymentStatus));
  return theirs && { ...answerOf(session), theirs, since: created };
}

function theirsOf(type: string, isPaid: boolean): Answer['theirs'] | undefined {
  switch (type) {
    case 'checkout.session.completed':
      return isPaid ? 'paid' : 'pending';
    case 'checkout.session.async_payment_succeeded':
      return 'paid';
    case 'checkout.session.async_payment_failed':
      return 'refused';
    case 'checkout.session.expired':
      return 'over';
    default:
      return undefined;
  }
}

// Inbound payment webhooks: the `Stripe-Signature` scheme, and the members of an event that matter to us.

export const PAYMENT_SIGNATURE_HEADER = 'Stripe-Signature';

const TOLERANCE_MS = 300_000;

/** True when the header's timestamp is near `now` and one of its v1 digests matches one of the secrets. */
export function isGenuinePayment(
  rawBody: Buffer,
  header: string | undefined,
  secrets: readonly string[],
  now: Date,
): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='));
  const stamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const digests = parts.filter(([name]) => name === 'v1').map(([, digest]) => digest ?? '');
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(Number(stamp) * 1000 - now.getTime()) > TOLERANCE_MS)
    return false;
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${stamp}.`).update(rawBody).digest();
    return digests.some(
      (digest) => /^[0-9a-f]{64}$/.test(digest) && timingSafeEqual(Buffer.from(digest, 'hex'), expected),
    );
  });
}

export const PAYMENT_EVENT = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .meta({ examples: ['evt_1'] }),
  type: z
    .string()
    .min(1)
    .max(200)
    .meta({ examples: ['checkout.session.completed'] }),
  created: MOMENT,
  data: z.object({ object: SESSION }),
});

type SessionEvent = z.infer<typeof PAYMENT_EVENT>;

/** Other events, of arbitrary form, when the endpoint subscribes to all. */
const ANY_EVENT = PAYMENT_EVENT.pick({ id: true, type: true });

export type PaymentEvent = SessionEvent | z.infer<typeof ANY_EVENT>;

export function isAboutSession(event: PaymentEvent): event is SessionEvent {
  return event.type.startsWith('checkout.session.');
}

/** It names what it is about, and says nothing of it. */
const THIN = z.object({ object: z.literal('v2.core.event') });

/** Or why it cannot be used. */
export function parsePaymentEvent(rawBody: Buffer): PaymentEvent | typeof THIN_EVENT | 'unusable_body' {
  try {
    const body: unknown = JSON.parse(rawBody.toString('utf8'));
    if (THIN.safeParse(body).success) return THIN_EVENT;
    const event = ANY_EVENT.parse(body);
    return isAboutSession(event) ? PAYMENT_EVENT.parse(body) : event;
  } catch {
    return 'unusable_body';
  }
}
