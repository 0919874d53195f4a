/**
 * A signature or payment that came although its request was closed: canceled, or complete already (rules 2). It is never
 * applied, and always a case for a person, until somebody decides.
 */
import type { HistoryRow } from '../../db/schema.js';
import { undecidedPayments } from '../payment/payment-case.js';
import type { HistoryWord } from '../history/history.js';

export type ClosedCase = 'canceled_signed' | 'canceled_paid' | 'paid_twice';

const CASES: Partial<Record<HistoryWord, ClosedCase>> = {
  'contract.canceled_signed': 'canceled_signed',
  'payment.canceled_paid': 'canceled_paid',
};

const DECISIONS: readonly string[] = ['request.moved', 'request.settled'] satisfies HistoryWord[];

/** Of several the newest; undefined when none waits for a decision, or the request is not closed. */
export function closedCase(history: readonly HistoryRow[]): ClosedCase | undefined {
  const decided = history.findLastIndex(({ what }) => DECISIONS.includes(what));
  const open = history.slice(decided + 1).findLast(({ what }) => what in CASES);
  if (open) return CASES[open.what as HistoryWord];
  if (undecidedPayments(history).length === 0) return undefined;
  const moved = history.findLast(({ what }) => what === 'request.moved');
  const to = moved && JSON.parse(moved.detail).to;
  if (to === 'COMPLETE') return 'paid_twice';
  // A payment that did not count before it was canceled must be refunded, too.
  return to === 'CANCELED' ? 'canceled_paid' : undefined;
}
