/** The only place that wires the parts together; tests call the same function and replace what they need. */
import { Writer } from '../db/writer.js';
import { SlidingWindow } from './calls/sliding-window.js';
import { systemClock, MINUTE_MS } from './clock.js';
import type { Context, ContextOptions } from './context.js';
import { ProvenFiles } from './contracts/proven-files.js';
import { openData } from './installation/data.js';
import { DataFiles } from './installation/data-files.js';
import { refuseWhileHeld } from './installation/hold.js';
import { holderName } from './installation/process.js';
import { secretFile } from './installation/secret-file.js';
import { kindOf } from './jobs/kinds.js';
import { JobRunner } from './jobs/runner.js';
import { SILENT } from './log/log.js';
import { openMailTransport } from './mail/transport.js';
import { once } from './once.js';
import { PaymentProvider } from './payment/provider.js';
import type { Config } from './settings/config.js';
import { SignatureProvider } from './signature/provider.js';
import { NOT_MEASURED } from './status/metrics.js';
import { Readiness } from './status/readiness.js';
import { Outbound } from './webhooks/outbound.js';

/** A context of a whole program: it starts and stops its jobs too. */
export interface OpenContext extends Context {
  readonly jobs: JobRunner;
}

/** Below half a second: the real provider hangs up after one, but once announced a half (ADR 2). */
export const WEBHOOK_PATIENCE_MS = 400;

export function openContext(config: Config, options: ContextOptions = {}): OpenContext {
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
  const context: OpenContext = {
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
    forgeries: new SlidingWindow(clock, { windowMs: MINUTE_MS }),
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
