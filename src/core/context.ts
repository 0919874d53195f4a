/** What a use-case works with. Only types, so that everything may name them: `open-context.ts` wires the parts together. */
import type { UnitWriter } from '../db/writer.js';
import type { SlidingWindow } from './calls/sliding-window.js';
import type { Clock } from './clock.js';
import type { ProvenFiles } from './contracts/proven-files.js';
import type { HttpClientOptions } from './http/client.js';
import type { Send } from './http/send.js';
import type { Data, DataOptions } from './installation/data.js';
import type { DataFiles } from './installation/data-files.js';
import type { Role } from './installation/process.js';
import type { Jobs } from './jobs/kind.js';
import type { Log } from './log/log.js';
import type { MailTransport, MailTransportOptions } from './mail/transport.js';
import type { PaymentProvider } from './payment/provider.js';
import type { SignatureProvider } from './signature/provider.js';
import type { Metrics } from './status/metrics.js';
import type { Readiness } from './status/readiness.js';
import type { Outbound, OutboundOptions } from './webhooks/outbound.js';

/** Everything a use-case works with. `db` is for reading; changes go through `writer`. */
export interface Context extends Data {
  readonly log: Log;
  /** The name under which this process holds locks, jobs and files. */
  readonly holder: string;
  readonly writer: UnitWriter;
  readonly provider: SignatureProvider;
  readonly payment: PaymentProvider;
  readonly mail: MailTransport;
  readonly jobs: Jobs;
  readonly files: DataFiles;
  readonly readiness: Readiness;
  /** Signs access tokens: the setting, else one made once and kept in `keys/` with mode 0600. Read when it is first needed. */
  readonly jwtSecret: () => string;
  readonly provenFiles: ProvenFiles;
  readonly outbound: Outbound;
  /** Forged webhook deliveries, by address. */
  readonly forgeries: SlidingWindow;
  /** How long a webhook's caller waits for the work to finish. */
  readonly webhookPatienceMs: number;
  beforeClose(work: () => Promise<void>): void;
  /** Stops what runs and closes everything; safe to call twice. */
  close(): Promise<void>;
}

/** The ways out of the process; the simulator takes their place. */
export interface WaysOut {
  /** Sends calls to providers and deliveries to receivers. */
  send?: Send;
  openMail?: (options: MailTransportOptions) => MailTransport;
  /** Overrides name resolution and time-out of outbound webhooks. */
  outbound?: OutboundOptions;
}

export interface ContextOptions extends DataOptions, WaysOut {
  clock?: Clock;
  /** `daemon`: it holds the daemon's lock. */
  role?: Role;
  log?: Log;
  /** Overrides the time limits of provider calls (30 s each, 60 s in all) and the pause between repeats. */
  providerWaits?: Pick<HttpClientOptions, 'callTimeoutMs' | 'totalTimeoutMs' | 'repeatAfterMs'>;
  webhookPatienceMs?: number;
  metrics?: Metrics;
  /** On abort, running calls, mails and deliveries are given up. */
  cut?: AbortSignal;
}
