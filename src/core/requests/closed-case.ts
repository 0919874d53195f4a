/**
 * A signature or payment that does not count for a closed request, canceled or complete (rules 2). It is never
 * applied, and always a case for a person, until somebody decides.
 */
import type { HistoryRow } from '../../db/schema.js';
import { undecidedPayments } from '../payment/payment-case.js';
import type { HistoryWord } from '../history/history.js';

export type ClosedCase = 'canceled_signed' | 'canceled_paid' | 'paid_twice';

const DECISIONS: readonly string[] = ['request.moved', 'request.settled'] satisfies HistoryWord[];

/** Those that wait for a decision; none when the request is not closed. */
export function closedCases(history: readonly HistoryRow[]): ClosedCase[] {
  const decided = history.findLastIndex(({ what }) => DECISIONS.includes(what));
  const isSigned = history.slice(decided + 1).some(({ what }) => what === 'contract.canceled_signed');
  const paid = undecidedPayments(history).length > 0 && whenPaid(history);
  return [isSigned && 'canceled_signed', paid].filter((each): each is ClosedCase => !!each);
}

function whenPaid(history: readonly HistoryRow[]): ClosedCase | undefined {
  const moved = history.findLast(({ what }) => what === 'request.moved');
  const to = moved && JSON.parse(moved.detail).to;
  if (to === 'COMPLETE') return 'paid_twice';
  return to === 'CANCELED' ? 'canceled_paid' : undefined;
}
