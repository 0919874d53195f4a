/** What core tells those who measure it. The daemon counts (server/metrics.ts); the command line does not. */
import type { JobKind } from '../db/schema.js';
import type { ProviderFailure } from './http/provider-error.js';

export interface Metrics {
  /** One call to a provider has ended; several where it was repeated. */
  providerCalled(call: { provider: string; outcome: 'ok' | ProviderFailure; seconds: number }): void;
  /** One try of a job has ended. `available`: it failed and will be tried again. */
  jobTried(trial: {
    kind: JobKind;
    outcome: 'completed' | 'available' | 'failed' | 'lost';
    seconds: number;
  }): void;
}

export const NOT_MEASURED: Metrics = { providerCalled: () => undefined, jobTried: () => undefined };
