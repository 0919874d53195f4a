/** The job that brings the signer of a signature under way into line with the customer's name and address. */
import type { Db } from '../../db/db.js';
import { findJobByKey, setJobPayload } from '../../db/jobs/jobs.js';
import type { JobKind, JobOf } from '../jobs/kind.js';
import { PATIENT } from '../jobs/retry-policy.js';

interface Payload {
  contractId: number;
  /** Addresses that the provider may have, although no answer has said so. */
  tried?: readonly string[];
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

/** Besides the customer's address and the one that the provider is known to have. */
export function triedAddresses(db: Db, contractId: number): readonly string[] {
  const job = findJobByKey(db, { uniqueKey: signerJob.uniqueKey({ contractId }, '') });
  const { tried = [] }: Partial<Payload> = job ? JSON.parse(job.payload) : {};
  return tried;
}

export function setTriedAddresses(db: Db, { id, payload }: SignerJob, tried: readonly string[]): void {
  const { contractId } = payload;
  setJobPayload(db, { id, payload: JSON.stringify({ contractId, tried }) });
}
