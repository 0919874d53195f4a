/** The job that creates a contract's payment session, after the signature and for each renewal. */
import { requireContract, setPaymentGeneration } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import type { ContractRow } from '../../db/schema.js';
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
  const newest = findCurrentPayment(db, { contractId });
  if (newest && newest.generation >= contract.paymentGeneration && newest.status !== 'expired') return;
  nextGeneration(db, contract);
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
