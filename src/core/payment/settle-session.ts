/** Settles a payment session, whether the news comes from a webhook or a check. */
import { isCurrentContract, requireContract } from '../../db/contracts/contracts.js';
import {
  requireCurrentPayment,
  listOpenPaymentsOf,
  requirePayment,
  setPaymentPending,
  settlePayment,
} from '../../db/payments/payments.js';
import { requireRequest, setPaymentLink } from '../../db/requests/requests.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../db/schema.js';
import type { Change } from '../change.js';
import { ofContract } from '../history/history.js';
import { isBeforeSending, isOver, REQUEST_MOVES } from '../lifecycle.js';
import { mailJob } from '../mail/mail-job.js';
import { mailLink } from './link-mails.js';
import { givePayToken } from './pay-link.js';
import type { Money } from '../texts/format.js';
import { isDecided, isInReview, isOtherPriceTold, paymentsTold } from './payment-case.js';
import { isPriceOf } from './price.js';
import type { PaymentSession } from './provider.js';

export type SessionOutcome =
  | 'paid'
  | 'repeat'
  | 'old_session_paid'
  | 'other_price'
  | 'paid_unsigned'
  | 'not_paid_yet'
  | 'payment_failed'
  | 'session_expired';

/** Why a payment did not complete its request. `paid_unsigned`: it will, once the signature is known. */
type PaidTrouble = 'old_session_paid' | 'canceled_paid' | 'paid_unsigned' | 'other_price';

/**
 * Through this session so much was paid. The price completes the request, once. Another amount, or a session that was ended or
 * replaced, is a case for a person. One paid before we knew of the signature, after a restore, counts as soon as the request
 * waits for payment.
 */
export function sessionPaid(
  tx: Change,
  payment: PaymentRow,
  { amount, currency }: Money,
  { isClosing = false } = {},
): SessionOutcome {
  const { db, now } = tx;
  const contract = requireContract(db, { id: payment.contractId });
  const request = requireRequest(db, { id: contract.requestId });
  const { id, paymentId } = payment;
  const history = paymentsTold(db, request.id);
  const isTold = isOtherPriceTold(history, paymentId);
  const isPrice = isPriceOf(contract, { amount, currency }) && !isTold;
  const isTheRequests = request.paymentId === null || request.paymentId === paymentId;
  const isCurrent = isTheRequests || isOnlyPage(tx, payment);
  const counts = isPrice && isAwaited(db, contract) && !isDecided(history, paymentId) && isCurrent;
  if (payment.status !== 'paid') {
    const paid = { amount: amount ?? payment.amount, currency: currency ?? payment.currency };
    settlePayment(db, { id, status: 'paid', paidAt: now, givenUpAt: null, ...paid });
  } else if (!counts) return 'repeat';
  const about = ofContract(contract);
  if (!counts) {
    // Told before it was stored what was paid.
    if (isTold) return 'repeat';
    const trouble = isPrice ? troubleOf(tx, contract, isClosing) : 'other_price';
    tx.record(`payment.${trouble}`, about, { paymentId, amount, currency });
    const paid = trouble === 'other_price' ? { amount, currency } : undefined;
    tellAdministrator(tx, contract, payment, { trouble, paid });
    endLink(tx, contract, paymentId);
    return trouble === 'canceled_paid' ? 'old_session_paid' : trouble;
  }
  // Only now known, because a restore or a lost answer had hidden it.
  if (request.paymentId !== paymentId) {
    setPaymentLink(db, { id: request.id, paymentId, paymentUrl: null, now });
  }
  tx.record('payment.received', about, { paymentId, amount, currency });
  tx.moveRequest(request, REQUEST_MOVES.paid, { contractId: contract.id });
  tx.enqueue(mailJob, { mail: 'payment-received', contractId: contract.id, paymentId }, about);
  tx.enqueue(mailJob, { mail: 'admin-paid', contractId: contract.id, paymentId }, about);
  return 'paid';
}

function troubleOf(
  { db }: Change,
  contract: ContractRow,
  isClosing: boolean,
): Exclude<PaidTrouble, 'other_price'> {
  const request = requireRequest(db, { id: contract.requestId });
  if (request.status === 'CANCELED') return 'canceled_paid';
  const isEarly = request.status !== 'WAITING_PAYMENT' && mayStillCount(request, contract);
  return isEarly && !isClosing && isCurrentContract(db, contract) ? 'paid_unsigned' : 'old_session_paid';
}

/**
 * Whether a payment for the current contract can complete the request, now or after the signature, which a restore may have
 * hidden. A reopened request gets another contract.
 */
export function mayStillCount(request: RequestRow, { status }: ContractRow): boolean {
  if (isOver(request)) return false;
  return !(isBeforeSending(request) && status === 'EXPIRED');
}

/** The customer has paid by a method that takes days, since `since` if known; meanwhile no other link is made. */
export function sessionPending(tx: Change, payment: PaymentRow, since = tx.now): SessionOutcome {
  if (setPaymentPending(tx.db, { id: payment.id, pendingSince: since })) {
    const contract = requireContract(tx.db, { id: payment.contractId });
    tx.record('payment.pending', ofContract(contract), { paymentId: payment.paymentId });
    nameCurrent(tx, contract);
  }
  return 'not_paid_yet';
}

/** The bank has refused; the session cannot be paid again. */
export function sessionFailed(tx: Change, payment: PaymentRow): SessionOutcome {
  if (payment.status === 'paid') return 'repeat';
  const contract = endSession(tx, payment, 'payment.failed');
  // Nobody need act while another page works, or after another payment.
  const isAwaitedStill = isAwaited(tx.db, contract) && !hasOpenSession(tx.db, contract);
  if (isAwaitedStill) tellAdministrator(tx, contract, payment, { trouble: 'payment_failed' });
  return 'payment_failed';
}

/** Nothing more is expected of it. */
export function isEnded({ status, givenUpAt }: PaymentRow): boolean {
  return status !== 'open' && givenUpAt === null;
}

/** The session has expired. */
export function sessionExpired(tx: Change, payment: PaymentRow): SessionOutcome {
  if (isEnded(payment)) return 'repeat';
  endSession(tx, payment, 'payment.session_expired');
  return 'session_expired';
}

/** A person no longer waits for its money. The provider is still asked: if it arrives after all, that is a case. */
export function giveUpSession(tx: Change, payment: PaymentRow): void {
  if (payment.status !== 'open') return;
  sessionPending(tx, payment);
  endSession(tx, payment, 'payment.session_expired', tx.now);
}

/** We have closed it at the provider because it is no longer needed. */
function sessionClosed(tx: Change, payment: PaymentRow): void {
  if (payment.status === 'open') endSession(tx, payment, 'payment.session_closed');
}

/** Closed at the provider; paid, because the customer was faster; or given up with its money on its way. */
export type Closing = { closing: 'closed' | 'given_up' } | { closing: 'paid'; money: Money };

/** A session that was open when we asked the provider to close it. */
export type ClosedSession = Closing & { paymentId: string };

/** Records how the sessions ended; a webhook may have come meanwhile. */
export function settleClosed(tx: Change, closed: readonly ClosedSession[]): void {
  for (const one of closed) {
    const payment = requirePayment(tx.db, one);
    if (one.closing === 'paid') sessionPaid(tx, payment, one.money, { isClosing: true });
    else if (one.closing === 'closed') sessionClosed(tx, payment);
    else giveUpSession(tx, payment);
  }
}

/** The customer can no longer pay there. The request names the next session that counts, or loses the link: a new one is made on demand. */
function endSession(
  tx: Change,
  { id, contractId, paymentId, amount, currency }: PaymentRow,
  what: 'payment.failed' | 'payment.session_expired' | 'payment.session_closed',
  givenUpAt: string | null = null,
): ContractRow {
  const contract = requireContract(tx.db, { id: contractId });
  settlePayment(tx.db, { id, status: 'expired', paidAt: null, givenUpAt, amount, currency });
  tx.record(what, ofContract(contract), { paymentId });
  endLink(tx, contract, paymentId);
  return contract;
}

function endLink(tx: Change, contract: ContractRow, paymentId: string): void {
  const { db, now } = tx;
  const request = requireRequest(db, { id: contract.requestId });
  if (request.paymentId !== paymentId) return;
  setPaymentLink(db, { id: request.id, paymentId, paymentUrl: null, now });
  nameCurrent(tx, contract);
  tx.publish('request.updated', request);
}

/** The request names the session that counts, while it waits for a payment. The customer is not told: the lasting link leads there. */
export function nameCurrent({ db, now }: Change, contract: ContractRow): void {
  const current = requireCurrentPayment(db, { contractId: contract.id });
  if (current.status !== 'open' || !isAwaited(db, contract)) return;
  const { paymentId, pendingSince } = current;
  const request = requireRequest(db, { id: contract.requestId });
  // The next check finds that its time is over.
  if (isPast(current, now) || request.paymentId === paymentId) return;
  const isOffered = pendingSince === null && !isInReview(db, contract);
  const paymentUrl = isOffered ? current.paymentUrl : null;
  setPaymentLink(db, { id: request.id, paymentId, paymentUrl, now });
}

/**
 * Whether a payment through this open page counts although the request names another session: each session that takes
 * precedence is past its time or has its money on its way. Otherwise a person must look: the customer may pay twice.
 */
function isOnlyPage({ db, now }: Change, { id, contractId, status }: PaymentRow): boolean {
  const open = listOpenPaymentsOf(db, { contractId });
  const before = open.slice(
    0,
    open.findIndex((one) => one.id === id),
  );
  return status === 'open' && before.every((one) => one.pendingSince !== null || isPast(one, now));
}

function isPast({ pendingSince, expiresAt }: PaymentRow, now: string): boolean {
  return pendingSince === null && expiresAt !== null && expiresAt <= now;
}

function hasOpenSession(db: Db, { id: contractId }: ContractRow): boolean {
  return listOpenPaymentsOf(db, { contractId }).length > 0;
}

/** The request waits for the payment of this contract. */
export function isAwaited(db: Db, contract: ContractRow): boolean {
  const { status } = requireRequest(db, { id: contract.requestId });
  return status === 'WAITING_PAYMENT' && isCurrentContract(db, contract);
}

function tellAdministrator(
  tx: Change,
  contract: ContractRow,
  { paymentId }: PaymentRow,
  { trouble, paid }: { trouble: 'payment_failed' | PaidTrouble; paid?: Money | undefined },
): void {
  const order = { contractId: contract.id, trouble, paymentId, detail: null, ...(paid && { paid }) };
  tx.enqueue(mailJob, { mail: 'payment-trouble', ...order }, ofContract(contract));
}

/**
 * A session that was made or paid without our knowledge counts from now on: it is settled, or the customer gets its link.
 * `session_expired`: another one has to be made.
 */
export function takeUp(tx: Change, contract: ContractRow, payment: PaymentRow): string {
  const { db, now } = tx;
  const { paymentId, pendingSince } = payment;
  if (payment.status === 'paid') return sessionPaid(tx, payment, payment);
  if (payment.status === 'expired') return 'session_expired';
  const { id, status, payToken, paymentId: known } = requireRequest(db, { id: contract.requestId });
  if (status !== 'WAITING_PAYMENT') return 'not_waiting_payment';
  if (known === paymentId && payToken !== null) return 'exists';
  if (pendingSince === null) offerLink(tx, contract, payment);
  else setPaymentLink(db, { id, paymentId, paymentUrl: null, now });
  return 'exists';
}

/** Sends the customer the link of a session. False, with nothing sent, when the request no longer waits for the payment. */
export function offerLink(
  tx: Change,
  contract: ContractRow,
  { paymentId, paymentUrl }: Pick<PaymentSession, 'paymentId' | 'paymentUrl'>,
  { isQuiet = false } = {},
): boolean {
  const { db, now } = tx;
  const { requestId } = contract;
  const request = requireRequest(db, { id: requestId });
  if (request.status !== 'WAITING_PAYMENT') return false;
  // Asked now, the customer might pay twice; whoever decides about the other payment gives the link.
  if (isInReview(db, contract)) {
    setPaymentLink(db, { id: requestId, paymentId, paymentUrl: null, now });
    return true;
  }
  setPaymentLink(db, { id: requestId, paymentId, paymentUrl, now });
  givePayToken(tx, request);
  tx.publish('request.updated', request);
  if (!isQuiet) mailLink(tx, contract, paymentId);
  return true;
}
