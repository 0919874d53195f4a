/** The job that creates a contract's payment session, after the signature and for each renewal. */
import type { JobKind, JobOf } from '../jobs/kind.js';
import { SECOND_MS } from '../clock.js';

interface Payload {
  requestId: number;
  contractId: number;
  /** It makes no page: others than the one that counts are to be closed. */
  closesOnly?: true;
}

export type PaymentJob = JobOf<'create-payment-session', Payload>;

export const paymentJob: JobKind<'create-payment-session', Payload> = {
  name: 'create-payment-session',
  waitsMs: [1 * SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS],
  slots: 8,
  /** One job per contract, and so one session. */
  uniqueKey: ({ contractId, closesOnly }) => `${paymentJobKey(contractId)}${closesOnly ? ':close' : ''}`,
  load: async () => ({ run: (await import('./create-payment-session.js')).createPaymentSession }),
};

export function paymentJobKey(contractId: number): string {
  return `payment:${contractId}`;
}
