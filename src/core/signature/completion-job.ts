/** The jobs that ask the provider what a webhook has told of: only its answer counts, and the caller cannot wait (rules 3). */
import type { JobKind } from '../jobs/kind.js';
import { PATIENT } from '../jobs/retry-policy.js';

interface Payload {
  contractId: number;
}

interface SignedPayload extends Payload {
  /** When the customer signed, according to the webhook; null when it does not say. */
  provedAt: string | null;
}

export const completionJob: JobKind<'complete-signature', SignedPayload> = {
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

/** For the end of which a webhook has told. */
export const endJob: JobKind<'confirm-end', Payload> = {
  name: 'confirm-end',
  waitsMs: PATIENT,
  slots: 8,
  /** One job per contract, however many events ask for it. */
  uniqueKey: ({ contractId }) => `end:${contractId}`,
  async load() {
    const { settleBy } = await import('./reconcile.js');
    return { run: (ctx, { payload }) => settleBy(ctx, payload.contractId, {}) };
  },
};
