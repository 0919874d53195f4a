/** The job that completes a signature when the webhook's caller cannot wait. */
import type { JobKind } from '../jobs/kind.js';
import { PATIENT } from '../jobs/retry-policy.js';
import type { SignatureAnswer } from './decide.js';

/**
 * completed: this call moved it. repeat: it was signed before. late: signed after the last moment, or without proof
 * of being in time. not_signable: the request does not wait for this contract. foreign: the signed document is
 * somebody else's. ended: closed unsigned there, or unknown there. not_confirmed: it is open there.
 */
export const COMPLETIONS = [
  'completed',
  'repeat',
  'late',
  'not_signable',
  'foreign',
  'ended',
  'not_confirmed',
] as const;

export type Completion = (typeof COMPLETIONS)[number];

export function completionOf(answer: SignatureAnswer): Completion {
  switch (answer) {
    case 'signed':
      return 'completed';
    case 'repeat':
    case 'late':
    case 'foreign':
      return answer;
    case 'not_waiting':
    case 'not_sent':
      return 'not_signable';
    case 'unavailable':
    case 'unconfirmed':
    case 'ongoing':
    case 'ongoing_but_closed':
    case 'other':
      return 'not_confirmed';
    case 'not_found':
    case 'declined':
    case 'canceled':
    case 'rejected':
    case 'deleted':
    case 'expired':
    case 'signer_error':
      return 'ended';
  }
}

interface Payload {
  contractId: number;
  /** When the customer signed, according to the webhook; null when it does not say. */
  provedAt: string | null;
}

export const completionJob: JobKind<'complete-signature', Payload> = {
  name: 'complete-signature',
  waitsMs: PATIENT,
  slots: 32,
  /** One job per contract, however many events ask for it. */
  uniqueKey: ({ contractId }) => `complete:${contractId}`,
  async load() {
    const { settleBy } = await import('./reconcile.js');
    return {
      run: (ctx, { payload: { contractId, provedAt: signedAt } }) =>
        settleBy(ctx, contractId, { heard: { signedAt } }),
    };
  },
};
