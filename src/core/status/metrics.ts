/** What core reports to metrics. The daemon counts it (server/metrics.ts); the command line does not. */
import type { ProviderFailure } from '../http/provider-error.js';

export interface Metrics {
  /** A call to a provider has ended; each repeat counts. */
  providerCalled(call: { provider: string; outcome: 'ok' | ProviderFailure; seconds: number }): void;
  /** An attempt of a job has ended. `available`: it failed and will be retried. */
  jobTried(trial: {
    kind: string;
    outcome: 'completed' | 'available' | 'failed' | 'lost';
    seconds: number;
  }): void;
}

export const NOT_MEASURED: Metrics = { providerCalled: () => undefined, jobTried: () => undefined };
