/**
 * A signature or payment that does not count for its request (rules 2). It is never applied, and always a case for a
 * person, until somebody decides.
 */
import type { CaseRow, ContractRow, HistoryRow, RequestRow } from '../../db/schema.js';
import type { HistoryWord } from '../history/history.js';
import { PAYMENT_WORDS, undecidedPayments } from '../payment/payment-case.js';
import { mayStillCount } from '../payment/settle-session.js';

export type OpenCase = 'canceled_signed' | 'canceled_paid' | 'paid_twice' | 'earlier_contract_paid';

/** What tells of such cases, and what decides about them. */
export const SETTLING_WORDS = PAYMENT_WORDS satisfies readonly HistoryWord[];

/** A request with its current contract and its history under those words. */
interface Known {
  request: RequestRow;
  contract: ContractRow | undefined;
  history: readonly HistoryRow[];
}

/** Those that somebody can settle. */
export function openCases(known: Known & { cases: readonly CaseRow[] }): OpenCase[] {
  const paid = paymentsToSettle(known).length > 0 ? paidCase(known.request) : undefined;
  // The contract was signed after the cancellation.
  const isSigned = known.cases.some(({ kind }) => kind === 'canceled_signed');
  return [isSigned && 'canceled_signed', paid].filter((each): each is OpenCase => !!each);
}

/** While the request waits for its payment, the finding about that says it. */
function paidCase({ status }: RequestRow): OpenCase | undefined {
  if (status === 'WAITING_PAYMENT') return undefined;
  if (status === 'COMPLETE') return 'paid_twice';
  return status === 'CANCELED' ? 'canceled_paid' : 'earlier_contract_paid';
}

/** Payments that do not count. */
export function paymentsToSettle(known: Known): HistoryRow[] {
  return undecidedPayments(known.history).filter((told) => !countsOnceSigned(known, told));
}

/** A payment has come that counts once the signature is known. */
export function isPaidUnsigned(known: Known): boolean {
  return undecidedPayments(known.history).some((told) => countsOnceSigned(known, told));
}

function countsOnceSigned({ request, contract }: Known, { what, contractId }: HistoryRow): boolean {
  if (request.status === 'WAITING_PAYMENT' || !contract || !mayStillCount(request, contract)) return false;
  return what === 'payment.paid_unsigned' && contractId === contract.id;
}
