/** The job that makes the payment session of a contract; owed by its signature, and again when a session is renewed. */
import type { NewWork } from '../jobs/queue.js';

/** One job a contract: owing it twice makes one session. */
export function paymentJobKey(contractId: number): string {
  return `payment:${contractId}`;
}

export function paymentJob(about: {
  requestId: number;
  contractId: number;
  now: string;
}): NewWork<'create-payment-session'> & { uniqueKey: string } {
  const { requestId, contractId } = about;
  return {
    kind: 'create-payment-session',
    payload: { requestId, contractId },
    uniqueKey: paymentJobKey(contractId),
    ...about,
  };
}
