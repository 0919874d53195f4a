/** The only place that wires the parts together; tests call the same function and replace what they need. */
import { chmodSync, mkdirSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import type { Db } from '../db/db.js';
import { migrate, missingMigrations, SchemaError } from '../db/migrate.js';
import { openDb } from '../db/open.js';
import { Writer } from '../db/writer.js';
import { takeUpSwap } from './backup/swap.js';
import { backUpBeforeMigration } from './backup/before-migration.js';
import { systemClock, type Clock } from './clock.js';
import { LOG_FORM } from './log-form.js';
import type { Config } from './config.js';
import { FailureWindow } from './failure-window.js';
import { jobHandlers } from './jobs/handlers.js';
import { JobRunner } from './jobs/runner.js';
import { NOT_MEASURED, type Metrics } from './metrics.js';
import { openMailTransport, type MailTransport } from './mail/transport.js';
import { paths } from './paths.js';
import { PaymentProvider } from './payment/provider.js';
import { secretFile } from './secret-file.js';
import { SignatureProvider } from './signature/provider.js';
import { Outbound, type OutboundOptions } from './webhooks/outbound.js';

export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  /** For reading. Changes go through `writer`. */
  readonly db: Db;
  readonly writer: Writer;
  readonly provider: SignatureProvider;
  readonly payment: PaymentProvider;
  readonly mail: MailTransport;
  readonly jobs: JobRunner;
  /** The way out to receivers of webhooks. */
  readonly outbound: Outbound;
  /** Forged webhook deliveries, by address. */
  readonly forgeries: FailureWindow;
  /** Has `work` done before the database closes. */
  beforeClose(work: () => Promise<void>): void;
  /** Stops what runs and closes everything; safe to call twice. */
  close(): Promise<void>;
}

export interface ContextOptions {
  clock?: Clock;
  log?: Logger;
  /** How long a statement may block this process for another one's lock, once everything is open. */
  busyTimeoutMs?: number;
  /** Shorter waits for providers than the specification's 30 s a call and 60 s in all. */
  providerTimeouts?: { callTimeoutMs: number; totalTimeoutMs: number };
  /** Another resolver of names and a shorter time-out for outbound webhooks. */
  outbound?: OutboundOptions;
  /** Who counts what happens; nobody unless told. */
  metrics?: Metrics;
  /** Bring the schema up to date (the daemon, `esignctl migrate`); else a database that lacks a migration is refused. */
  migrate?: boolean;
}

/** How long the opening may wait for another process that brings the same schema up. */
const OPENING_MS_MAX = 10_000;

/** Opens the data directory and everything that works on it. */
export function openContext(config: Config, options: ContextOptions = {}): Context {
  takeUpSwap(config.dataDir);
  prepareDataDir(config.dataDir);
  const db = openDb(paths.database(config.dataDir), { busyTimeoutMs: OPENING_MS_MAX });
  try {
    bringSchemaUp(db, config.dataDir, options.migrate ?? false);
    db.raw.pragma(`busy_timeout = ${options.busyTimeoutMs ?? 5_000}`);
  } catch (error) {
    db.close();
    throw error;
  }
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
      ...options.providerTimeouts,
    }),
    payment: new PaymentProvider({
      baseUrl: config.paymentApiUrl,
      apiKey: () => config.paymentApiKey,
      metrics,
      ...options.providerTimeouts,
    }),
    mail,
    jobs,
    outbound,
    forgeries: new FailureWindow(clock),
    beforeClose: (work) => void lastWork.push(work),
    async close() {
      await jobs.stop();
      await Promise.all(lastWork.splice(0).map((work) => work()));
      await writer.idle();
      mail.close();
      await outbound.close();
      if (db.raw.open) db.close();
    },
  };
  jobs.handle(jobHandlers(context));
  return context;
}

function prepareDataDir(dataDir: string): void {
  for (const dir of [dataDir, paths.contracts(dataDir)]) mkdirSync(dir, { recursive: true, mode: 0o750 });
  mkdirSync(paths.keys(dataDir), { recursive: true, mode: 0o700 });
}

function bringSchemaUp(db: Db, dataDir: string, mayMigrate: boolean): void {
  const isNew = (db.raw.pragma('user_version', { simple: true }) as number) === 0;
  if (mayMigrate || isNew) {
    migrate(db, { backUp: (next) => void backUpBeforeMigration(dataDir, next) });
    for (const suffix of ['', '-wal', '-shm']) chmodIfThere(db.raw.name + suffix, 0o640);
    return;
  }
  const missing = missingMigrations(db);
  if (missing.length > 0) {
    throw new SchemaError(
      `The database lacks ${missing.length} migration(s). Run \`esignctl migrate\`, or start esignd, which does it.`,
    );
  }
}

function chmodIfThere(file: string, mode: number): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The secret that signs access tokens: the setting, else one made once and kept in `keys/` with mode 0600. */
export function jwtSecret(config: Config): string {
  if (config.jwtSecret !== undefined) return config.jwtSecret;
  return secretFile(config.dataDir, 'jwt.secret');
}
