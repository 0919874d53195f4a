/**
 * A whole installation: settings, a data directory, the daemon as a program of its own when a test starts it, and a sandbox
 * and the operator's command line in this process, which is another one than the daemon's all the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { TestContext } from 'vitest';
import type { FaultInput } from '../../sandbox/faults.js';
import { startSandbox, type Sandbox, type SandboxState, type WebhookTargets } from '../../sandbox/start.js';
import { run, type Ran } from '../cli/support.js';
import { freePort } from './free-port.js';
import { startProgram, type Program } from './processes.js';
import { addNewRequest, addWaitingRequest, type WaitingRequest } from './waiting-request.js';

export const SECRETS = {
  ESIGN_API_KEY: 'process-test-api-key',
  ESIGN_WEBHOOK_SECRET: 'process-test-webhook-secret',
  ESIGN_PAYMENT_API_KEY: 'process-test-payment-key',
  ESIGN_PAYMENT_WEBHOOK_SECRET: 'process-test-payment-secret',
};

export interface World {
  dataDir: string;
  baseUrl: string;
  sandbox: Sandbox;
  env: Record<string, string>;
  /** Starts the daemon and waits until it is ready. */
  daemon(env?: Record<string, string>): Promise<Program>;
  /** Starts the daemon without waiting. */
  daemonProcess(env?: Record<string, string>): Program;
  ctl(...args: string[]): Promise<Ran>;
  /** The same, with words on its stdin. */
  ctlWith(input: string, ...args: string[]): Promise<Ran>;
  /** The same as a program of its own. */
  ctlProgram(...args: string[]): Program;
  /** A request whose contract has been sent to the customer. */
  waitingRequest(): Promise<WaitingRequest>;
  /** One whose signature nobody has started; its id. */
  newRequest(): Promise<number>;
  fault(fault: FaultInput): void;
  /** The customer presses the button. */
  sign(signId: string): void;
  pay(paymentId: string): void;
  outside(): SandboxState;
  /** One query on the database, as another process sees it. */
  rows<T>(sql: string, ...values: unknown[]): T[];
  status(requestId: number): string;
  /** How many jobs are yet to be done. The mail about failed jobs, which gathers them for minutes, does not count. */
  openJobs(): number;
}

/** `beside`: another installation at the same providers, on the same account. */
export async function aWorld(t: TestContext, beside?: World): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'esign-world-'));
  t.onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dataDir = join(root, 'data');
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const sandbox = beside ? await subscribed(beside, baseUrl) : await aSandbox(t, baseUrl);
  const env = {
    ...SECRETS,
    ESIGN_DATA_DIR: dataDir,
    ESIGN_PORT: String(port),
    ESIGN_BASE_URL: baseUrl,
    ESIGN_API_URL: sandbox.apiUrl,
    ESIGN_PAYMENT_API_URL: sandbox.paymentUrl,
    ESIGN_SMTP_URL: sandbox.smtpUrl,
    ESIGN_MAIL_FROM: 'Acme Maintenance <contracts@acme.test>',
    ESIGN_ADMIN_EMAIL: 'office@acme.test',
    // A repeat that the daemon knows already ends the provider's tries well: one whose first answer came too late was heard.
    ESIGN_WEBHOOK_REPEAT_STATUS: '200',
    // No surprise at half past.
    ESIGN_RECONCILE_CRON: 'off',
  };
  const world: World = {
    dataDir,
    baseUrl,
    sandbox,
    env,
    daemonProcess: (changes) => startProgram(t, 'esignd', { env: { ...env, ...changes } }),
    daemon: async (changes) => {
      const daemon = world.daemonProcess(changes);
      await daemon.said(READY);
      return daemon;
    },
    ctl: (...args) => run(args, { env }),
    ctlWith: (stdin, ...args) => run(args, { env, stdin }),
    ctlProgram: (...args) => startProgram(t, 'esignctl', { args, env }),
    waitingRequest: () => addWaitingRequest(env),
    newRequest: () => addNewRequest(env),
    fault: (fault) => void sandbox.faults.add(fault),
    sign: (signId) => void sandbox.sign(signId),
    pay: (paymentId) => void sandbox.pay(paymentId),
    outside: () => sandbox.state(),
    rows: (sql, ...values) => query(join(dataDir, 'esign.db'), sql, values),
    openJobs: () =>
      world.rows(
        "SELECT 1 FROM jobs WHERE state IN ('available', 'running') AND payload ->> 'mail' IS NOT 'jobs-failed'",
      ).length,
    status: (requestId) =>
      world.rows<{ status: string }>('SELECT status FROM requests WHERE id = ?', requestId)[0]?.status ?? '',
  };
  return world;
}

/** Some at once, then for longer than any daemon takes to start again: on a busy machine, too, what was sent is heard. */
const RETRY_DELAYS_MS = [300, 600, 1_200, ...Array<number>(50).fill(2_400)];

async function aSandbox(t: TestContext, baseUrl: string): Promise<Sandbox> {
  const sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    apiKey: SECRETS.ESIGN_API_KEY,
    paymentKey: SECRETS.ESIGN_PAYMENT_API_KEY,
    retryDelaysMs: RETRY_DELAYS_MS,
    ...webhooksTo(baseUrl),
  });
  t.onTestFinished(() => sandbox.close());
  return sandbox;
}

async function subscribed({ sandbox }: World, baseUrl: string): Promise<Sandbox> {
  const answer = await sandbox.fetch(`${sandbox.url}/_sandbox/webhook-targets`, {
    method: 'POST',
    body: JSON.stringify(webhooksTo(baseUrl)),
  });
  if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}`);
  return sandbox;
}

function webhooksTo(baseUrl: string): WebhookTargets {
  return {
    webhookUrl: `${baseUrl}/webhook/contract-signed`,
    webhookSecret: SECRETS.ESIGN_WEBHOOK_SECRET,
    paymentWebhookUrl: `${baseUrl}/webhook/payment`,
    paymentWebhookSecret: SECRETS.ESIGN_PAYMENT_WEBHOOK_SECRET,
  };
}

/** The line that tells scripts and service managers that the daemon can be used. */
const READY = /\bready\b/;

function query<T>(file: string, sql: string, values: unknown[]): T[] {
  const db = new Database(file);
  try {
    return db.prepare(sql).all(...values) as T[];
  } finally {
    db.close();
  }
}
