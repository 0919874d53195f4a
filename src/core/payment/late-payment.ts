/** Payments that did not complete their request: each is a case for a person (rules 2). */
import type { HistoryRow } from '../../db/schema.js';
import { actorName, CUSTOMER } from '../actor.js';
import type { HistoryWord } from '../history/history.js';

type Told = Pick<HistoryRow, 'what' | 'actor' | 'contractId' | 'detail'>;

const LATE: readonly string[] = ['payment.old_session_paid', 'payment.paid_unsigned'] satisfies HistoryWord[];

/** Those that nobody has decided about, and that have not counted since. */
export function latePayments(history: readonly Told[]): Told[] {
  let open: Told[] = [];
  for (const told of history) {
    if (LATE.includes(told.what)) open.push(told);
    else open = openAfter(open, told);
  }
  return open;
}

function openAfter(open: Told[], { what, actor, detail }: Told): Told[] {
  const { paymentId, reason, from, to } = JSON.parse(detail);
  if (what === 'payment.received')
    return open.filter((told) => JSON.parse(told.detail).paymentId !== paymentId);
  // Completed by hand: one payment is accepted.
  if (what === 'request.moved' && to === 'COMPLETE' && reason !== undefined) return open.slice(0, -1);
  const isDecided =
    what === 'request.settled' ||
    (what === 'request.moved' && from === 'CANCELED') ||
    // The customer only opens the link.
    (what === 'payment.renewed' && actor !== actorName(CUSTOMER));
  return isDecided ? [] : open;
}
