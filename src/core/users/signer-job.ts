/** The job that brings the signer of a signature under way into line with the customer's name and address. */
import type { JobKind, JobOf } from '../jobs/kind.js';
import { PATIENT } from '../jobs/retry-policy.js';

interface Payload {
  contractId: number;
}

export type SignerJob = JobOf<'correct-signer', Payload>;

/** What is right is read when it runs. */
export const signerJob: JobKind<'correct-signer', Payload> = {
  name: 'correct-signer',
  waitsMs: PATIENT,
  slots: 4,
  /** One job per contract, however often its customer is corrected. */
  uniqueKey: ({ contractId }) => `signer:${contractId}`,
  load: async () => ({ run: (await import('./correct-signers.js')).correctSigner }),
};
