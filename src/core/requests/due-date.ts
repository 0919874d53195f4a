/**
 * From when on the office has to look at a request, unless something happens before: the end of the time to sign, money that
 * has been on its way for too long; at once where a contract is over, a payment is missing, or the signature provider would
 * refuse the customer. What is wrong then, and whether anything is, the findings say (core/explain).
 */
import { findCurrentContract } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { findCurrentPayment } from '../../db/payments/payments.js';
import { findRequest, setDueAt } from '../../db/requests/requests.js';
import type { ContractRow, PaymentRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import { addDays, iso } from '../clock.js';
import { isRefusedSigner } from '../users/signer-fields.js';

/** Longer than any bank takes, even for a direct debit. */
const PENDING_DAYS_MAX = 14;

/** When money that has been on its way since then has taken too long. */
export function pendingTooLongAt(pendingSince: string): string {
  return iso(addDays(new Date(pendingSince), PENDING_DAYS_MAX));
}

/** The session is no longer open, and a renewal was ordered to replace it. */
export function isReplaced({ status, generation }: PaymentRow, { paymentGeneration }: ContractRow): boolean {
  return status !== 'open' && generation < paymentGeneration;
}

interface Standing {
  request: Pick<RequestRow, 'status' | 'statusSince'>;
  customer: UserRow;
  /** Those that count. */
  contract: ContractRow | undefined;
  payment: PaymentRow | undefined;
}

/** Null: it needs nobody. */
export function dueAt({
  request: { status, statusSince },
  customer,
  contract,
  payment,
}: Standing): string | null {
  switch (status) {
    case 'new':
    case 'in_progress':
      return contract || isRefusedSigner(customer) ? statusSince : null;
    case 'WAITING_SIGNATURE': {
      if (contract?.status !== 'PENDING' || contract.sending !== 'sent') return statusSince;
      const { failedSigningAt, signerEmail, expiredAt } = contract;
      if (failedSigningAt !== null) return failedSigningAt;
      const isElsewhere =
        signerEmail !== null && signerEmail.toLowerCase() !== customer.username.toLowerCase();
      return isElsewhere ? statusSince : expiredAt;
    }
    case 'WAITING_PAYMENT': {
      if (!contract || !payment || isReplaced(payment, contract)) return statusSince;
      return payment.pendingSince && pendingTooLongAt(payment.pendingSince);
    }
    case 'COMPLETE':
    case 'CANCELED':
      return null;
  }
}

/** The due date of a request as it stands. */
export function dueAtOf(db: Db, request: RequestRow): string | null {
  const customer = requireUser(db, { id: request.ownerId });
  const contract = findCurrentContract(db, { requestId: request.id });
  const payment = contract && findCurrentPayment(db, { contractId: contract.id });
  return dueAt({ request, customer, contract, payment });
}

/** Call in the transaction that changes what it follows from, after that; a `Change` does it for what its history is about. */
export function keepDueAt(db: Db, requestId: number): void {
  const request = findRequest(db, { id: requestId });
  if (!request) return;
  const due = dueAtOf(db, request);
  if (due !== request.dueAt) setDueAt(db, { id: requestId, dueAt: due });
}
