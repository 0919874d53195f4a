/** A whole application on a fresh data directory, called without a port; time stands still until a test moves it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { pino } from 'pino';
import type { Clock } from '../../src/core/clock.js';
import type { Config } from '../../src/core/config.js';
import { openContext, type Context } from '../../src/core/context.js';
import { createUser, type NewUser } from '../../src/core/users/create-user.js';
import { createApp, type App } from '../../src/server/app.js';

export const PASSWORD = 'a good pass phrase';
const TEST_ACTOR = { kind: 'cli', name: 'test' } as const;

interface ManualClock extends Clock {
  advance(ms: number): void;
}

export interface TestApp {
  app: App;
  ctx: Context;
  clock: ManualClock;
  logged: () => Record<string, unknown>[];
  addUser: (username: string, more?: Partial<NewUser>) => Promise<void>;
  /** Log-in through the API; the access token. */
  tokenOf: (username: string) => Promise<string>;
  call: Caller;
  /** As `call`, with the token of this user (made if need be); `admin@…` is an administrator. */
  as: (username: string) => Promise<Caller>;
}

interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Address at the other end of the socket. */
  peer?: string;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Bodies are judged by the tests themselves.
  json: Json;
}

export type Json = { [name: string]: Json } & Json[] & string & number;
export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

function testConfig(changes: Partial<Config> = {}): Config {
  const dataDir = mkdtempSync(join(tmpdir(), 'esign-server-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return {
    dataDir,
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'https://contracts.example.org',
    apiUrl: 'http://127.0.0.1:9/v3',
    apiKey: 'key',
    webhookSecrets: ['0123456789abcdef'],
    webhookHeader: 'X-Esign-Signature-256',
    webhookRepeatStatus: 422,
    paymentApiUrl: 'http://127.0.0.1:9',
    paymentApiKey: 'key',
    paymentWebhookSecrets: [],
    contractAmount: 12_000,
    currency: 'eur',
    contractValidDays: 30,
    contractTermDays: 365,
    smtpUrl: `file:${join(dataDir, 'mail')}`,
    mailFrom: { name: 'Acme', address: 'contracts@example.org' },
    adminEmail: 'office@example.org',
    locale: 'en',
    timeZone: 'UTC',
    jwtSecret: 'a secret of the tests, long enough for them',
    refreshSingleUse: true,
    trustedProxies: [],
    rateLimitIp: 0,
    rateLimitUser: 0,
    webhookAllowPrivate: [],
    webhookPorts: [443],
    corsOrigins: [],
    expireCron: undefined,
    reconcileCron: undefined,
    careCron: undefined,
    backupDir: undefined,
    backupCron: undefined,
    backupKeep: 14,
    metricsToken: undefined,
    logLevel: 'debug',
    ...changes,
  };
}

export function startApp(changes: Partial<Config> = {}): TestApp {
  const config = testConfig(changes);
  const clock = manualClock('2026-03-02T09:14:07.250Z');
  const lines: string[] = [];
  const log = pino(
    { level: config.logLevel, base: null },
    { write: (line: string) => void lines.push(line) },
  );
  const ctx = openContext(config, { clock, log, migrate: true });
  onTestFinished(() => ctx.close());
  const app = createApp(ctx);
  const call = (method: string, path: string, options?: CallOptions) => send(app, method, path, options);
  const addUser = async (username: string, more: Partial<NewUser> = {}) => {
    await createUser(ctx, { username, password: PASSWORD, ...more }, TEST_ACTOR);
  };
  const tokenOf = async (username: string) => {
    const { json } = await call('POST', '/api/login_check', { body: { username, password: PASSWORD } });
    return String(json['token']);
  };
  return {
    app,
    ctx,
    clock,
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    addUser,
    tokenOf,
    call,
    async as(username) {
      await addUser(username, { role: username.startsWith('admin') ? 'ROLE_ADMIN' : 'ROLE_USER' });
      const token = await tokenOf(username);
      return (method, path, options) => call(method, path, { token, ...options });
    },
  };
}

async function send(app: App, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token, body, headers = {}, peer = '192.0.2.1' } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
  const init: RequestInit = {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  };
  if (body !== undefined) init.body = isRaw ? (body as string) : JSON.stringify(body);
  const response = await app.request(path, init, { incoming: { socket: { remoteAddress: peer } } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {} as Json;
  }
}

function manualClock(start: string): ManualClock {
  let now = Date.parse(start);
  return { now: () => new Date(now), advance: (ms) => void (now += ms) };
}

/** An equipment and a request of this caller; the request's body. */
export async function aRequest(caller: Caller, title = 'Boiler is cold'): Promise<Json> {
  const equipment = await anEquipment(caller);
  const body = { title, description: 'No warm water since Monday.', equipment: equipment['@id'] };
  return (await caller('POST', '/api/requests', { body })).json;
}

let serial = 0;

export async function anEquipment(caller: Caller): Promise<Json> {
  const body = { name: 'Boiler', model: 'B-200', serialNumber: `SN-${++serial}` };
  return (await caller('POST', '/api/equipments', { body })).json;
}
