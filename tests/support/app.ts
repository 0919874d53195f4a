/**
 * The whole service in a test: real SQLite in a fresh directory, the real provider clients talking to the sandbox over
 * HTTP, mails over SMTP, and a clock moved by hand. Nothing runs in the background: `drain` works the queue off.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Actor } from '../../src/core/actor.js';
import { iso, type Clock } from '../../src/core/clock.js';
import { loadConfig, type Config } from '../../src/core/settings/config.js';
import { loadHandlers } from '../../src/core/jobs/kinds.js';
import { openContext, type OpenContext } from '../../src/core/open-context.js';
import type { Context, ContextOptions } from '../../src/core/context.js';
import { renderContractPdf } from '../../src/core/contracts/contract-pdf.js';
import { startSignature } from './start-signature.js';
import { findCurrentContract } from '../../src/db/contracts/contracts.js';
import { insertEquipment } from '../../src/db/equipments/equipments.js';
import { requireRequest, insertRequest } from '../../src/db/requests/requests.js';
import type { ContractRow, JobRow, RequestRow, RequestStatus, Role, UserRow } from '../../src/db/schema.js';
import { insertUser, requireUser } from '../../src/db/users/users.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/start.js';
import { keepDueAt } from '../../src/core/requests/due-date.js';
import { paths } from '../../src/core/installation/paths.js';
import { ManualClock } from './clock.js';
import { freshDatabase } from './fresh-database.js';
import { canCopy, sendOrCopy } from './prepared.js';

// As the daemon does when it starts; here, so that it takes none of the first test's time.
await Promise.all([loadHandlers(), import('@libpdf/core')]);

export const WEBHOOK_SECRET = 'test-webhook-secret-1';
export const PAYMENT_WEBHOOK_SECRET = 'test-payment-secret-1';
export const TESTER: Actor = { kind: 'user', name: 'tester@example.org' };

export interface TestApp {
  ctx: OpenContext;
  clock: ManualClock;
  sandbox: Sandbox;
  dataDir: string;
  /** Works the queue off, the follow-up jobs too; jobs whose time has not come stay. */
  drain(): Promise<number>;
  addUser(changes?: Partial<NewTestUser>): Promise<UserRow>;
  addRequest(
    owner?: UserRow,
    changes?: { title?: string; description?: string; status?: RequestStatus },
  ): Promise<RequestRow>;
  /** A request whose contract has been sent to the customer. */
  waitingRequest(customer?: Partial<NewTestUser>): Promise<Waiting>;
  waiting(id: number): Waiting;
  request(id: number): RequestRow;
  contract(requestId: number): ContractRow;
  jobs(kind?: string): JobRow[];
  history(requestId: number): string[];
}

export interface Waiting {
  owner: UserRow;
  request: RequestRow;
  contract: ContractRow;
  signId: string;
}

export interface NewTestUser {
  username: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  role: Role;
}

export interface AppOptions {
  env?: Record<string, string>;
  sandbox?: SandboxOptions;
  context?: ContextOptions;
  /** Else a fresh one that goes with the test. */
  dataDir?: string;
  /** At the same providers and by the same clock as this one; else it has its own. */
  beside?: Pick<TestApp, 'clock' | 'sandbox'>;
}

let count = 0;

/** Says what is done when what was started has served. */
let atEnd: (close: () => void | Promise<void>) => void = onTestFinished;

/** What `make` starts serves all tests of a file, none of which changes it: `beforeAll(() => forAll(async () => …))`. */
export async function forAll(make: () => Promise<void>): Promise<() => Promise<void>> {
  const closes: (() => void | Promise<void>)[] = [];
  atEnd = (close) => closes.unshift(close);
  await make().finally(() => {
    atEnd = onTestFinished;
  });
  return async () => {
    for (const close of closes) await close();
  };
}

/** A directory that goes with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'esign-test-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Providers for a service that calls none. */
export const NO_PROVIDERS: Providers = {
  apiUrl: 'http://127.0.0.1:9/v3',
  paymentUrl: 'http://127.0.0.1:9',
  smtpUrl: 'smtp://127.0.0.1:9',
};

type Providers = Pick<Sandbox, 'apiUrl' | 'paymentUrl' | 'smtpUrl'>;

/** The settings by which a service, or a command of the operator, works on this directory with these providers. */
export function testSettings(dataDir: string, { apiUrl, paymentUrl, smtpUrl }: Providers) {
  return {
    ESIGN_DATA_DIR: dataDir,
    ESIGN_BASE_URL: 'http://127.0.0.1:8080',
    ESIGN_API_URL: apiUrl,
    ESIGN_API_KEY: 'sandbox-api-key',
    ESIGN_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ESIGN_PAYMENT_API_URL: paymentUrl,
    ESIGN_PAYMENT_API_KEY: 'sandbox-payment-key',
    ESIGN_SMTP_URL: smtpUrl,
    ESIGN_MAIL_FROM: 'Acme Maintenance <contracts@acme.test>',
    ESIGN_ADMIN_EMAIL: 'office@acme.test',
  };
}

export function testConfig(dataDir: string, providers: Providers, env = {}): Config {
  return loadConfig({
    ...testSettings(dataDir, providers),
    ESIGN_PAYMENT_WEBHOOK_SECRET: PAYMENT_WEBHOOK_SECRET,
    // Whatever the zone of the machine.
    ESIGN_TIMEZONE: 'UTC',
    ...env,
  }).config;
}

export async function startApp({
  env,
  sandbox: sandboxOptions,
  context,
  dataDir = temporaryDirectory(),
  beside,
}: AppOptions = {}): Promise<TestApp> {
  const clock = beside?.clock ?? new ManualClock();
  const sandbox = beside?.sandbox ?? (await aSandbox(clock, sandboxOptions));
  const ctx = openService(testConfig(dataDir, sandbox, env), { clock, ...context });
  return appOn(ctx, { clock, sandbox, dataDir }, !hasOtherWays(context));
}

/** Calls are told or answered by the test. */
const hasOtherWays = (context: ContextOptions = {}) =>
  ['send', 'metrics', 'log', 'openMail', 'cut'].some((name) => name in context);

/** The service on a fresh database; it closes with the test. */
export function openService(config: Config, options: ContextOptions & { clock: Clock }): OpenContext {
  freshDatabase(paths.database(config.dataDir));
  const ctx = openContext(config, {
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }, pino.destination(2)),
    migrate: true,
    // However busy the machine is: the answer tells what was decided.
    webhookPatienceMs: 10_000,
    ...options,
    providerWaits: { repeatAfterMs: 20, ...options.providerWaits },
  });
  atEnd(() => ctx.close());
  return ctx;
}

/** Stores a user without the rules of a creation. */
export function insertTestUser(
  { writer, clock }: Pick<Context, 'writer' | 'clock'>,
  changes: Partial<NewTestUser> = {},
): Promise<UserRow> {
  count += 1;
  const user = {
    username: `customer${count}@example.org`,
    passwordHash: 'none',
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone: null,
    locale: null,
    address: null,
    role: 'ROLE_USER' as const,
    enabled: 1,
    now: iso(clock.now()),
    ...changes,
  };
  return writer.write((db) => insertUser(db, user) as UserRow);
}

export async function aSandbox(clock: ManualClock, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    now: () => clock.now().getTime(),
    webhookSecret: WEBHOOK_SECRET,
    paymentWebhookSecret: PAYMENT_WEBHOOK_SECRET,
    retryDelaysMs: [],
    ...options,
  });
  atEnd(() => sandbox.close());
  return sandbox;
}

function appOn(
  ctx: OpenContext,
  parts: Pick<TestApp, 'clock' | 'sandbox' | 'dataDir'>,
  mayCopy: boolean,
): TestApp {
  const { clock } = parts;
  const now = () => clock.now().toISOString();
  const app: TestApp = {
    ctx,
    ...parts,
    drain: () => ctx.jobs.drain(),
    addUser: (changes) => insertTestUser(ctx, changes),
    addRequest: async (owner, changes = {}) => {
      const { id: ownerId } = owner ?? (await app.addUser());
      count += 1;
      const equipment = { ownerId, name: 'Boiler', model: 'B-200', serialNumber: `SN-${count}`, now: now() };
      return ctx.writer.write((db) => {
        const request = insertRequest(db, {
          ownerId,
          equipmentId: (insertEquipment(db, equipment) as { id: number }).id,
          title: 'Yearly maintenance',
          description: 'Check burner and valves.',
          status: 'in_progress',
          now: now(),
          ...changes,
        });
        keepDueAt(db, request.id);
        return request;
      });
    },
    waitingRequest: async (customer) => {
      const send = async () => {
        const { id } = await app.addRequest(await app.addUser(customer));
        await startSignature(ctx, id, { actor: TESTER, pdf: await anyContractPdf() });
        return id;
      };
      const place = { ctx, sandbox: parts.sandbox, clock };
      let id: number;
      if (mayCopy && customer === undefined && canCopy(place)) {
        count += 2;
        const people = { username: `customer${count - 1}@example.org`, serialNumber: `SN-${count}` };
        id = await sendOrCopy(place, people, send);
      } else id = await send();
      return app.waiting(id);
    },
    waiting: (id) => {
      const request = app.request(id);
      const contract = app.contract(id);
      const owner = requireUser(ctx.db, { id: request.ownerId });
      return { owner, request, contract, signId: contract.signId as string };
    },
    request: (id) => requireRequest(ctx.db, { id }),
    contract: (requestId) => findCurrentContract(ctx.db, { requestId }) as ContractRow,
    jobs: (kind) =>
      (ctx.db.raw.prepare('SELECT * FROM jobs ORDER BY id').all() as JobRow[]).filter(
        (job) => kind === undefined || job.kind === kind,
      ),
    history: (requestId) =>
      (
        ctx.db.raw.prepare('SELECT what FROM history WHERE requestId = ? ORDER BY id').all(requestId) as {
          what: string;
        }[]
      ).map(({ what }) => what),
  };
  return app;
}

let pdf: Promise<Buffer> | undefined;

/** A contract with a place to sign; drawn once, because drawing takes a while. */
export function anyContractPdf(): Promise<Buffer> {
  pdf ??= renderContractPdf({
    contractId: 1,
    reference: 'REQ-2026-000001',
    title: 'Yearly maintenance',
    description: 'Check burner and valves.',
    customer: { firstName: 'Ada', lastName: 'Lovelace', username: 'ada@example.org', phone: null },
    equipment: { name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' },
    amount: 12_000,
    currency: 'eur',
    issuer: 'Acme Maintenance',
    madeAt: '2026-03-02T09:14:07.250Z',
    signBefore: '2026-04-01T23:59:59.000Z',
    termDays: 365,
    locale: 'en',
    timeZone: 'UTC',
  });
  return pdf;
}

/** The error that a promise rejects with; fails when it does not. */
export async function rejection(
  promise: Promise<unknown>,
): Promise<Error & { code?: string; kind?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a rejection');
}
