/** The job that creates a contract's payment session, after the signature and for each renewal. */
import { requireContract, setPaymentGeneration } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, HistoryRow, PaymentRow, RequestRow } from '../../db/schema.js';
import { findCurrentPayment } from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import { paymentKey } from '../installation/identity.js';
import type { JobKind, JobOf } from '../jobs/kind.js';
import { SECOND } from '../jobs/retry-policy.js';
import { keepDueAt } from '../requests/due-date.js';
import { isDecided, isOtherPriceTold, paymentsTold } from './payment-case.js';

interface Payload {
  requestId: number;
  contractId: number;
}

export type PaymentJob = JobOf<'create-payment-session', Payload>;

export const paymentJob: JobKind<'create-payment-session', Payload> = {
  name: 'create-payment-session',
  waitsMs: [1 * SECOND, 2 * SECOND, 4 * SECOND],
  slots: 8,
  /** One job per contract, and so one session. */
  uniqueKey: ({ contractId }) => paymentJobKey(contractId),
  load: async () => ({ run: (await import('./create-payment-session.js')).createPaymentSession }),
  prepareReplay: ({ db }, { contractId }) => raiseGeneration(db, contractId),
};

export function paymentJobKey(contractId: number): string {
  return `payment:${contractId}`;
}

/**
 * The payment provider repeats what it has stored for a key, even a refusal or an ended session; a person's replay
 * uses a new one.
 */
export function raiseGeneration(db: Db, contractId: number): void {
  const contract = requireContract(db, { id: contractId });
  if (!findStanding(db, contract)) nextGeneration(db, contract);
}

/** The session because of which no other is made: it is open, or its payment counts. */
export function findStanding(db: Db, contract: ContractRow): PaymentRow | undefined {
  const current = findCurrentPayment(db, { contractId: contract.id });
  if (!current || current.status === 'expired') return undefined;
  return isUncountedHere(db, current, contract) ? undefined : current;
}

export function isUncountedHere(db: Db, payment: PaymentRow, { requestId }: ContractRow): boolean {
  return isUncounted(payment, requireRequest(db, { id: requestId }), paymentsTold(db, requestId));
}

/**
 * Paid while the request named another session, or with another amount, which is a case for a person, or somebody has decided
 * about it: another page may be made.
 */
export function isUncounted(
  { status, paymentId }: Pick<PaymentRow, 'status' | 'paymentId'>,
  request: Pick<RequestRow, 'paymentId'>,
  history: readonly HistoryRow[],
): boolean {
  if (status !== 'paid') return false;
  const isOthers = request.paymentId !== null && request.paymentId !== paymentId;
  return isOthers || isOtherPriceTold(history, paymentId) || isDecided(history, paymentId);
}

/** The next session is made with another key, and counts instead of those before. */
export function nextGeneration(db: Db, contract: ContractRow): ContractRow {
  const next = contract.paymentGeneration + 1;
  setPaymentGeneration(db, {
    id: contract.id,
    paymentGeneration: next,
    paymentKey: paymentKey(db, contract.key, next),
  });
  keepDueAt(db, contract.requestId);
  return requireContract(db, { id: contract.id });
}
