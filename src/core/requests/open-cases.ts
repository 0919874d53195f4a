/**
 * A signature or payment that does not count for its request (rules 2). It is never applied, and always a case for a
 * person, until somebody decides.
 */
import type { CaseRow, PaymentRow, RequestRow } from '../../db/schema.js';
import type { OurPayments } from '../payment/our-payments.js';
import { isWaitingForSignature } from '../payment/payment-cases.js';

export type OpenCase = 'canceled_signed' | 'canceled_paid' | 'paid_twice' | 'earlier_contract_paid';

/** Those that somebody can settle. */
export function openCases(known: OurPayments & { cases: readonly CaseRow[] }): OpenCase[] {
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
export function paymentsToSettle(ours: OurPayments): PaymentRow[] {
  return ours.payments.filter((each) => each.state === 'case' && !isWaitingForSignature(ours, each));
}

/** A payment has come that counts once the signature is known. */
export function isPaidUnsigned(ours: OurPayments): boolean {
  return ours.payments.some((each) => each.state === 'case' && isWaitingForSignature(ours, each));
}
