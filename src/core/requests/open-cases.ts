/**
 * A signature or payment that does not count for its request (rules 2). It is never applied, and always a case for a
 * person, until somebody decides.
 */
import type { ContractRow, HistoryRow, RequestRow } from '../../db/schema.js';
import { idsOf, undecidedPayments } from '../payment/payment-case.js';
import { mayStillCount } from '../payment/settle-session.js';

export type OpenCase = 'canceled_signed' | 'canceled_paid' | 'paid_twice' | 'earlier_contract_paid';

/** A request with its current contract and its history. */
interface Known {
  request: RequestRow;
  contract: ContractRow | undefined;
  history: readonly HistoryRow[];
}

/** Those that somebody can settle. */
export function openCases(known: Known): OpenCase[] {
  const paid = paymentsToSettle(known).length > 0 ? paidCase(known.request) : undefined;
  return [isSignatureToSettle(known) && 'canceled_signed', paid].filter((each): each is OpenCase => !!each);
}

function paidCase({ status }: RequestRow): OpenCase {
  if (status === 'COMPLETE') return 'paid_twice';
  return status === 'CANCELED' ? 'canceled_paid' : 'earlier_contract_paid';
}

/** The contract was signed after the cancellation. Any later move decides, and so does settling, unless it was about payments. */
export function isSignatureToSettle({ history }: Known): boolean {
  const decided = history.findLastIndex(
    ({ what, detail }) =>
      what === 'request.moved' || (what === 'request.settled' && JSON.parse(detail).signature !== false),
  );
  return history.slice(decided + 1).some(({ what }) => what === 'contract.canceled_signed');
}

/** The ids of payments that do not count. While the request waits for its payment, completing or renewing decides instead. */
export function paymentsToSettle(known: Known): string[] {
  if (known.request.status === 'WAITING_PAYMENT') return [];
  return idsOf(undecidedPayments(known.history).filter((told) => !countsOnceSigned(known, told)));
}

/** A payment has come that counts once the signature is known. */
export function isPaidUnsigned(known: Known): boolean {
  if (known.request.status === 'WAITING_PAYMENT') return false;
  return undecidedPayments(known.history).some((told) => countsOnceSigned(known, told));
}

function countsOnceSigned({ request, contract }: Known, { what, contractId }: HistoryRow): boolean {
  if (!contract || !mayStillCount(request, contract)) return false;
  return what === 'payment.paid_unsigned' && contractId === contract.id;
}
