/** The job that creates a contract's payment session, after the signature and for each renewal. */
import { requireContract, setPaymentGeneration } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow, PaymentRow } from '../../db/schema.js';
import { findCurrentPayment } from '../../db/payments/payments.js';
import { paymentKey } from '../installation/identity.js';
import type { JobKind, JobOf } from '../jobs/kind.js';
import { SECOND } from '../jobs/retry-policy.js';

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
  const current = findCurrentPayment(db, { contractId });
  if (!current || current.status === 'expired' || isReplaced(current, contract)) nextGeneration(db, contract);
}

/** A renewal that was ordered counts instead of a session that is no longer open. */
export function isReplaced(
  { status, generation }: Pick<PaymentRow, 'status' | 'generation'>,
  { paymentGeneration }: Pick<ContractRow, 'paymentGeneration'>,
): boolean {
  return status !== 'open' && generation < paymentGeneration;
}

/** The next session is made with another key, and counts instead of those before. */
export function nextGeneration(db: Db, contract: ContractRow): ContractRow {
  const next = contract.paymentGeneration + 1;
  setPaymentGeneration(db, {
    id: contract.id,
    paymentGeneration: next,
    paymentKey: paymentKey(db, contract.key, next),
  });
  return requireContract(db, { id: contract.id });
}
