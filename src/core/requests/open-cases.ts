/**
 * A signature or payment that does not count for its request (rules 2). It is never applied, and always a case for a
 * person, until somebody decides.
 */
import type { ContractRow, HistoryRow, RequestRow } from '../../db/schema.js';
import { undecidedPayments } from '../payment/payment-case.js';
import { mayStillCount } from '../payment/settle-session.js';
import type { HistoryWord } from '../history/history.js';

export type OpenCase = 'canceled_signed' | 'canceled_paid' | 'paid_twice' | 'earlier_contract_paid';

/** A request with its current contract and its history. */
interface Known {
  request: RequestRow;
  contract: ContractRow | undefined;
  history: readonly HistoryRow[];
}

const DECISIONS: readonly string[] = ['request.moved', 'request.settled'] satisfies HistoryWord[];

/** The cases that somebody can settle. While the request waits for its payment, a person completes it or renews the link instead. */
export function openCases(known: Known): OpenCase[] {
  const { history } = known;
  const decided = history.findLastIndex(({ what }) => DECISIONS.includes(what));
  const isSigned = history.slice(decided + 1).some(({ what }) => what === 'contract.canceled_signed');
  return [isSigned && 'canceled_signed', paidCase(known)].filter((each): each is OpenCase => !!each);
}

function paidCase(known: Known): OpenCase | undefined {
  if (undecidedPayments(known.history).length === 0) return undefined;
  switch (known.request.status) {
    case 'COMPLETE':
      return 'paid_twice';
    case 'CANCELED':
      return 'canceled_paid';
    case 'WAITING_PAYMENT':
      return undefined;
    case 'new':
    case 'in_progress':
    case 'WAITING_SIGNATURE':
      return isPaidUnsigned(known) ? undefined : 'earlier_contract_paid';
  }
}

/** A payment has arrived that will count once the signature is known. */
export function isPaidUnsigned({ request, contract, history }: Known): boolean {
  if (!contract || request.status === 'WAITING_PAYMENT' || !mayStillCount(request, contract)) return false;
  return undecidedPayments(history).some(
    ({ what, contractId }) => what === 'payment.paid_unsigned' && contractId === contract.id,
  );
}
