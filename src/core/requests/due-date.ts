/**
 * From when on the office has to look at a request, unless something happens before: the end of the time to sign, money that
 * has been on its way for too long; at once where a contract is over, a payment is missing, or the signature provider would
 * refuse the customer. What is wrong then, and whether anything is, the findings say (core/explain).
 */
import type { Db } from '../../db/db.js';
import { findRequest, setDueAt } from '../../db/requests/requests.js';
import type { ContractRow, RequestRow, UserRow } from '../../db/schema.js';
import { requireUser } from '../../db/users/users.js';
import type { PaymentStanding } from '../payment/decide.js';
import { ourPayments, pendingPayments, refusedSince, standingOfPayments } from '../payment/our-payments.js';
import { pendingTooLongAt } from './too-long.js';
import { isRefusedSigner } from '../users/signer-fields.js';

interface Standing {
  request: Pick<RequestRow, 'status' | 'statusSince' | 'payToken'>;
  customer: UserRow;
  contract: ContractRow | undefined;
  payment: PaymentStanding;
  /** Since when money of that contract has been on its way, or was refused by the bank. */
  pendingSince: string | null;
  refusedAt: string | null;
}

/** Null: it needs nobody. */
export function dueAt({
  request: { status, statusSince, payToken },
  customer,
  contract,
  payment,
  pendingSince,
  refusedAt,
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
    case 'WAITING_PAYMENT':
      // Without a link the customer cannot pay; with one, it leads to a new page. A payment that does not count is a case.
      if (payment === 'no_page') return payToken === null ? statusSince : refusedAt;
      return payment === 'on_its_way' && pendingSince !== null ? pendingTooLongAt(pendingSince) : null;
    case 'COMPLETE':
    case 'CANCELED':
      return null;
  }
}

/** The due date of a request as it stands. */
export function dueAtOf(db: Db, request: RequestRow): string | null {
  const customer = requireUser(db, { id: request.ownerId });
  const ours = { ...ourPayments(db, request.id), request };
  return dueAt({
    request,
    customer,
    contract: ours.contract,
    payment: standingOfPayments(ours),
    pendingSince: pendingPayments(ours)[0]?.pendingSince ?? null,
    refusedAt: refusedSince(ours) ?? null,
  });
}

/** Call in the transaction that changes what it follows from, after that; a `Change` does it for what its history is about. */
export function keepDueAt(db: Db, requestId: number): void {
  const request = findRequest(db, { id: requestId });
  if (!request) return;
  const due = dueAtOf(db, request);
  if (due !== request.dueAt) setDueAt(db, { id: requestId, dueAt: due });
}
