/** What becomes of a payment session, whoever brings the news: the provider's webhook, or a question of ours. */
import { findContract, findCurrentContract } from '../../db/contracts.js';
import type { Db } from '../../db/db.js';
import { setPaymentPending, settlePayment } from '../../db/payments.js';
import { findRequest, moveRequest, setPaymentLink } from '../../db/requests.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { publishEvent } from '../events.js';
import { record } from '../history.js';
import { enqueue } from '../jobs/queue.js';
import { REQUEST_MOVES } from '../lifecycle.js';

export type SessionOutcome =
  | 'paid'
  | 'repeat'
  | 'old_session_paid'
  | 'not_paid_yet'
  | 'payment_failed'
  | 'session_expired';

export interface Settling {
  actor: Actor;
  now: string;
}

/** True for the provider's words that mean: nothing is owed any more. */
export function isPaidStatus(paymentStatus: string | null | undefined): boolean {
  return paymentStatus === 'paid' || paymentStatus === 'no_payment_required';
}

/**
 * "Paid": the request is complete, once; a session that no longer counts is a case for a person. One that was paid before we
 * knew of the signature, since a backup came back in between, counts as soon as the request waits for it.
 */
export function sessionPaid(db: Db, payment: PaymentRow, { actor, now }: Settling): SessionOutcome {
  const contract = findContract(db, payment.contractId) as ContractRow;
  const request = findRequest(db, contract.requestId) as RequestRow;
  const isCurrent =
    findCurrentContract(db, request.id)?.id === contract.id &&
    (request.paymentId === null || request.paymentId === payment.paymentId);
  const isMoved = isCurrent && moveRequest(db, request.id, REQUEST_MOVES.paid, now);
  if (payment.status !== 'paid') settlePayment(db, { id: payment.id, status: 'paid', paidAt: now });
  else if (!isMoved) return 'repeat';
  const about = { at: now, actor, requestId: request.id, contractId: contract.id };
  if (!isMoved) {
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
  publishEvent(db, { event: 'request.updated', about: { ...request, status: REQUEST_MOVES.paid.to }, now });
  return 'paid';
}

/** The customer has paid by a means that takes days, at `since` as far as is known; until then no other link is made. */
export function sessionPending(
  db: Db,
  payment: PaymentRow,
  { actor, now, since = now }: Settling & { since?: string | undefined },
): SessionOutcome {
  if (setPaymentPending(db, { id: payment.id, pendingSince: since })) {
    const { id: contractId, requestId } = findContract(db, payment.contractId) as ContractRow;
    const detail = { paymentId: payment.paymentId };
    record(db, { at: now, actor, what: 'payment.pending', requestId, contractId, detail });
  }
  return 'not_paid_yet';
}

/** The bank refused in the end: this session takes no second try. */
export function sessionFailed(db: Db, payment: PaymentRow, { actor, now }: Settling): SessionOutcome {
  if (payment.status === 'paid') return 'repeat';
  endSession(db, payment, { actor, now, what: 'payment.failed' });
  const contract = findContract(db, payment.contractId) as ContractRow;
  tellAdministrator(db, { contract, payment, trouble: 'payment_failed', now });
  return 'payment_failed';
}

/** The time to pay there is over. */
export function sessionExpired(db: Db, payment: PaymentRow, { actor, now }: Settling): SessionOutcome {
  if (payment.status !== 'open') return 'repeat';
  endSession(db, payment, { actor, now, what: 'payment.session_expired' });
  return 'session_expired';
}

/** We have closed it at the provider, since it is needed no more. True: those who listen to the request were told. */
export function sessionClosed(db: Db, payment: PaymentRow, { actor, now }: Settling): boolean {
  return payment.status === 'open' && endSession(db, payment, { actor, now, what: 'payment.session_closed' });
}

/** The customer can no longer pay there; a new session is made on demand. True: the request has lost its link by that. */
function endSession(
  db: Db,
  payment: PaymentRow,
  {
    actor,
    now,
    what,
  }: Settling & { what: 'payment.failed' | 'payment.session_expired' | 'payment.session_closed' },
): boolean {
  const { paymentId } = payment;
  const { id: contractId, requestId } = findContract(db, payment.contractId) as ContractRow;
  settlePayment(db, { id: payment.id, status: 'expired', paidAt: null });
  record(db, { at: now, actor, what, requestId, contractId, detail: { paymentId } });
  const request = findRequest(db, requestId) as RequestRow;
  if (request.paymentId !== paymentId) return false;
  setPaymentLink(db, { id: requestId, paymentId, paymentUrl: null, now });
  publishEvent(db, { event: 'request.updated', about: request, now });
  return true;
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
