/** The job that proves the end of which a webhook has told: only the provider's answer counts (rules 3). */
import type { JobKind } from '../jobs/kind.js';
import { PATIENT } from '../jobs/retry-policy.js';

interface Payload {
  contractId: number;
}

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
