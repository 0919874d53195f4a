/** The only place that wires the parts together; tests call the same function and replace what they need. */
import { pino, type Logger } from 'pino';
import { Writer } from '../db/writer.js';
import { systemClock, type Clock } from './clock.js';
import { LOG_FORM } from './log-form.js';
import type { Config } from './config.js';
import { openData, type Data, type DataOptions } from './data.js';
import { FailureWindow } from './failure-window.js';
import type { HttpClientOptions } from './http/client.js';
import { jobHandlers } from './jobs/handlers.js';
import { JobRunner } from './jobs/runner.js';
import { NOT_MEASURED, type Metrics } from './metrics.js';
import { openMailTransport, type MailTransport } from './mail/transport.js';
import { PaymentProvider } from './payment/provider.js';
import { secretFile } from './secret-file.js';
import { SignatureProvider } from './signature/provider.js';
import { ProvenFiles } from './contracts/proven-files.js';
import { Readiness } from './readiness.js';
import { Outbound, type OutboundOptions } from './webhooks/outbound.js';

/** All that a use-case works with. Its `db` is for reading: changes go through `writer`. */
export interface Context extends Data {
  readonly log: Logger;
  readonly writer: Writer;
  readonly provider: SignatureProvider;
  readonly payment: PaymentProvider;
  readonly mail: MailTransport;
  readonly jobs: JobRunner;
  readonly readiness: Readiness;
  /** Signed PDFs that are known to be genuine. */
  readonly provenFiles: ProvenFiles;
  /** The way out to receivers of webhooks. */
  readonly outbound: Outbound;
  /** Forged webhook deliveries, by address. */
  readonly forgeries: FailureWindow;
  /** How long the caller of a webhook is kept waiting for the end of the work. */
  readonly webhookPatienceMs: number;
  /** Has `work` done before the database closes. */
  beforeClose(work: () => Promise<void>): void;
  /** Stops what runs and closes everything; safe to call twice. */
  close(): Promise<void>;
}

export interface ContextOptions extends DataOptions {
  clock?: Clock;
  log?: Logger;
  /** Shorter waits for providers than the specification's 30 s a call and 60 s in all, and between two calls. */
  providerWaits?: Pick<HttpClientOptions, 'callTimeoutMs' | 'totalTimeoutMs' | 'repeatAfterMs'>;
  /** Another patience with the work of a webhook than 400 ms. */
  webhookPatienceMs?: number;
  /** Another resolver of names and a shorter time-out for outbound webhooks. */
  outbound?: OutboundOptions;
  /** Who counts what happens; nobody unless told. */
  metrics?: Metrics;
  /** When it aborts, nothing outside is waited for any more: calls, mails and deliveries under way are given up. */
  cut?: AbortSignal;
}

/** The real provider hangs up after half a second. */
export const WEBHOOK_PATIENCE_MS = 400;

/** Opens the data directory and everything that works on it. */
export function openContext(config: Config, options: ContextOptions = {}): Context {
  const db = openData(config.dataDir, options);
  const writer = new Writer(db);
  const log = options.log ?? pino({ level: config.logLevel, ...LOG_FORM }, pino.destination(2));
  const clock = options.clock ?? systemClock;
  const metrics = options.metrics ?? NOT_MEASURED;
  const mail = openMailTransport({ smtpUrl: config.smtpUrl, from: config.mailFrom });
  const jobs = new JobRunner({ db, writer, clock, log, metrics });
  const outbound = new Outbound(config, options.outbound);
  const lastWork: (() => Promise<void>)[] = [];
  const context: Context = {
    config,
    clock,
    log,
    db,
    writer,
    provider: new SignatureProvider({
      baseUrl: config.apiUrl,
      apiKey: () => config.apiKey,
      metrics,
      cut: options.cut,
      ...options.providerWaits,
    }),
    payment: new PaymentProvider({
      baseUrl: config.paymentApiUrl,
      apiKey: () => config.paymentApiKey,
      metrics,
      cut: options.cut,
      ...options.providerWaits,
    }),
    mail,
    jobs,
    provenFiles: new ProvenFiles(),
    readiness: new Readiness({ config, clock, log, writer, jobs }),
    outbound,
    forgeries: new FailureWindow(clock),
    webhookPatienceMs: options.webhookPatienceMs ?? WEBHOOK_PATIENCE_MS,
    beforeClose: (work) => void lastWork.push(work),
    async close() {
      await (options.cut?.aborted ? jobs.stop(0) : jobs.stop());
      await Promise.all(lastWork.splice(0).map((work) => work()));
      await writer.idle();
      mail.close();
      await outbound.close();
      if (db.raw.open) db.close();
    },
  };
  jobs.handle(jobHandlers(context));
  options.cut?.addEventListener('abort', () => {
    mail.close();
    void jobs.stop(0);
  });
  return context;
}

/** The secret that signs access tokens: the setting, else one made once and kept in `keys/` with mode 0600. */
export function jwtSecret(config: Config): string {
  if (config.jwtSecret !== undefined) return config.jwtSecret;
  return secretFile(config.dataDir, 'jwt.secret');
}
