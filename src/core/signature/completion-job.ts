/** The job that completes a signature when the webhook's caller cannot wait. */
import { JOB } from '../actor.js';
import type { JobKind } from '../jobs/kind.js';
import { PATIENT } from '../jobs/retry-policy.js';

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
    const { prepareCompletion } = await import('./complete-signature.js');
    return {
      run: async (ctx, { payload }) => ({
        settle: await prepareCompletion(ctx, { ...payload, actor: JOB }),
      }),
    };
  },
};
