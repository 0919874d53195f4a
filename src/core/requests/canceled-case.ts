/**
 * A signature or payment that came after its request was canceled (rules 2): never applied, always a case for a
 * person. The next decision about the request settles it: canceling again with a reason, or reopening.
 */
import type { HistoryRow } from '../../db/schema.js';
import { latePayments } from '../payment/payment-case.js';
import type { HistoryWord } from '../history/history.js';

export type CanceledCase = 'canceled_signed' | 'canceled_paid';

const CASES: Partial<Record<HistoryWord, CanceledCase>> = {
  'contract.canceled_signed': 'canceled_signed',
  'payment.canceled_paid': 'canceled_paid',
};

const DECISIONS: readonly string[] = ['request.moved', 'request.settled'] satisfies HistoryWord[];

/** Of several the newest; undefined when none waits for a decision, or the request is not canceled. */
export function caseOfCanceled(history: readonly HistoryRow[]): CanceledCase | undefined {
  const decided = history.findLastIndex(({ what }) => DECISIONS.includes(what));
  const open = history.slice(decided + 1).findLast(({ what }) => what in CASES);
  if (open) return CASES[open.what as HistoryWord];
  // A payment that did not count before it was canceled must be refunded, too.
  const moved = history.findLast(({ what }) => what === 'request.moved');
  const isCanceled = moved && JSON.parse(moved.detail).to === 'CANCELED';
  return isCanceled && latePayments(history).length > 0 ? 'canceled_paid' : undefined;
}
