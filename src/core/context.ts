/** The only place that wires the parts together; tests call the same function and replace what they need. */
import { Writer, type UnitWriter } from '../db/writer.js';
import { systemClock, type Clock } from './clock.js';
import { SILENT, type Log } from './log/log.js';
import type { Config } from './settings/config.js';
import { refuseWhileHeld } from './installation/hold.js';
import { DataFiles } from './installation/data-files.js';
import { openData, type Data, type DataOptions } from './installation/data.js';
import { holderName, type Role } from './installation/process.js';
import { SlidingWindow } from './calls/sliding-window.js';
import type { HttpClientOptions } from './http/client.js';
import type { Send } from './http/send.js';
import { kindOf } from './jobs/kinds.js';
import { JobRunner } from './jobs/runner.js';
import { NOT_MEASURED, type Metrics } from './status/metrics.js';
import { openMailTransport, type MailTransport, type MailTransportOptions } from './mail/transport.js';
import { once } from './once.js';
import { PaymentProvider } from './payment/provider.js';
import { secretFile } from './installation/secret-file.js';
import { SignatureProvider } from './signature/provider.js';
import { ProvenFiles } from './contracts/proven-files.js';
import { Readiness } from './status/readiness.js';
import { Outbound, type OutboundOptions } from './webhooks/outbound.js';

/** Everything a use-case works with. `db` is for reading; changes go through `writer`. */
export interface Context extends Data {
  readonly log: Log;
  /** The name under which this process holds locks, jobs and files. */
  readonly holder: string;
  readonly writer: UnitWriter;
  readonly provider: SignatureProvider;
  readonly payment: PaymentProvider;
  readonly mail: MailTransport;
  readonly jobs: JobRunner;
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

/** Below half a second: the real provider hangs up after one, but once announced a half (ADR 2). */
export const WEBHOOK_PATIENCE_MS = 400;

export function openContext(config: Config, options: ContextOptions = {}): Context {
  const db = openData(config.dataDir, { installation: config.installation, ...options });
  const writer = new Writer(db);
  const log = options.log ?? { ...SILENT };
  const clock = options.clock ?? systemClock;
  const metrics = options.metrics ?? NOT_MEASURED;
  const { send, openMail = openMailTransport } = options;
  const mail = openMail({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const role = options.role ?? 'command';
  const holder = holderName(role);
  const files = new DataFiles(db, config.dataDir, { isDaemon: role === 'daemon' });
  const jobs = new JobRunner({
    db,
    writer,
    clock,
    log,
    metrics,
    holder,
    handle: async (job, signal) => (await kindOf(job).load()).run(context, job, signal),
  });
  let outbound: Outbound | undefined;
  const lastWork: (() => Promise<void>)[] = [];
  const calls = {
    metrics,
    cut: options.cut,
    refuseChanges: () => refuseWhileHeld({ db }),
    send,
    ...options.providerWaits,
  };
  // Most commands ask neither provider, and deliver nothing.
  const provider = once(
    () => new SignatureProvider({ baseUrl: config.apiUrl, apiKey: () => config.apiKey, ...calls }),
  );
  const payment = once(
    () =>
      new PaymentProvider({ baseUrl: config.paymentApiUrl, apiKey: () => config.paymentApiKey, ...calls }),
  );
  const context: Context = {
    config,
    clock,
    log,
    holder,
    db,
    writer,
    get provider() {
      return provider();
    },
    get payment() {
      return payment();
    },
    mail,
    jobs,
    jwtSecret: once(() => config.jwtSecret ?? secretFile(config.dataDir, 'jwt.secret')),
    provenFiles: new ProvenFiles(),
    files,
    readiness: new Readiness({ config, clock, log, writer, jobs, files }),
    get outbound() {
      return (outbound ??= new Outbound(config, { send, ...options.outbound }));
    },
    forgeries: new SlidingWindow(clock, { windowMs: 60_000 }),
    webhookPatienceMs: options.webhookPatienceMs ?? WEBHOOK_PATIENCE_MS,
    beforeClose: (work) => void lastWork.push(work),
    async close() {
      await (options.cut?.aborted ? jobs.stop(0) : jobs.stop());
      await Promise.all(lastWork.splice(0).map((work) => work()));
      await writer.idle();
      mail.close();
      outbound?.close();
      if (db.raw.open) db.close();
    },
  };
  options.cut?.addEventListener('abort', () => {
    mail.close();
    void jobs.stop(0);
  });
  return context;
}
