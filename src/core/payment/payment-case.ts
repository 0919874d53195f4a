/** Payments that did not complete their request: each is a case for a person (rules 2), and meanwhile nobody is asked to pay. */
import type { Db } from '../../db/db.js';
import { listHistory } from '../../db/history/history.js';
import type { ContractRow, HistoryRow } from '../../db/schema.js';
import { actorName, CUSTOMER } from '../actor.js';
import type { Advice } from '../commands.js';
import { refused, type AppError } from '../errors.js';
import type { HistoryWord } from '../history/history.js';
import { busyWith } from '../lock.js';

type Told = Pick<HistoryRow, 'what' | 'actor' | 'contractId' | 'detail'>;

const LATE: readonly string[] = [
  'payment.old_session_paid',
  'payment.paid_unsigned',
  'payment.canceled_paid',
] satisfies HistoryWord[];

/** How the history tells of them. */
export const PAYMENT_CASES: readonly string[] = [...LATE, 'payment.other_price' satisfies HistoryWord];

/** Those of its contract's price that nobody has decided about, and that have not counted since. */
export function latePayments(history: readonly Told[]): Told[] {
  return undecidedPayments(history).filter(({ what }) => LATE.includes(what));
}

/** Payments that nobody has decided about, those with another amount or currency among them. */
export function undecidedPayments(history: readonly Told[]): Told[] {
  let open: Told[] = [];
  for (const told of history) {
    if (PAYMENT_CASES.includes(told.what)) open.push(told);
    else open = openAfter(open, told);
  }
  return open;
}

function openAfter(open: Told[], { what, actor, detail }: Told): Told[] {
  const { paymentId, reason, to } = JSON.parse(detail);
  if (what === 'payment.received')
    return open.filter((told) => JSON.parse(told.detail).paymentId !== paymentId);
  // Completed by hand: one payment is accepted.
  if (what === 'request.moved' && to === 'COMPLETE' && reason !== undefined) return open.slice(0, -1);
  const isDecided =
    what === 'request.settled' ||
    // The customer only opens the link.
    (what === 'payment.renewed' && actor !== actorName(CUSTOMER));
  return isDecided ? [] : open;
}

/** Money has come, of any amount, and a person must look at it first: a customer who is asked again might pay twice. */
export function isInReview(db: Db, { requestId }: ContractRow): boolean {
  return countUndecided(db, requestId) > 0;
}

/** Refuses when more payments are undecided than the person who decides knew of. */
export function mustKnowPayments(db: Db, { requestId, known }: { requestId: number; known: number }): void {
  if (countUndecided(db, requestId) > known)
    throw busyWith('Another payment of this request has just been reported.');
}

export function countUndecided(db: Db, requestId: number): number {
  return undecidedPayments(listHistory(db, { requestId })).length;
}

export function mustBeLookedAt(hint: Advice): AppError {
  return refused(
    'already_paid',
    'The customer has paid, and a person must look at that payment first.',
    hint,
  );
}
