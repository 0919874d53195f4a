/** The job that completes a signature in place of a webhook whose caller could not be kept waiting. */
import type { ContractRow } from '../../db/schema.js';
import type { NewWork } from '../jobs/queue.js';

/** One job a contract, however many events ask for it. */
export function completionJob(
  { id: contractId, requestId }: ContractRow,
  { provedAt, now }: { provedAt: string | null; now: string },
): NewWork<'complete-signature'> & { uniqueKey: string } {
  return {
    kind: 'complete-signature',
    payload: { contractId, provedAt },
    uniqueKey: `complete:${contractId}`,
    now,
    requestId,
    contractId,
  };
}
