/** Payments that came through a page that no longer counts: each is a case for a person (rules 2). */
import type { HistoryRow } from '../../db/schema.js';

type Told = Pick<HistoryRow, 'what' | 'at' | 'detail'>;

/** Those that nobody has decided about: whoever cancels the request does. */
export function latePayments(history: readonly Told[]): Told[] {
  const canceled = history.findLastIndex(
    ({ what, detail }) => what === 'request.moved' && JSON.parse(detail).to === 'CANCELED',
  );
  return history.slice(canceled + 1).filter(({ what }) => what === 'payment.old_session_paid');
}

export function hasLatePayment(history: readonly Told[]): boolean {
  return latePayments(history).length > 0;
}
