/** The API without providers, called without a port; time stands still until a test moves it. */
import { join } from 'node:path';
import { pino } from 'pino';
import type { Config } from '../../src/core/settings/config.js';
import type { OpenContext } from '../../src/core/open-context.js';
import type { UserRow } from '../../src/db/schema.js';
import { AccessTokens } from '../../src/core/users/tokens.js';
import { createApp, type App } from '../../src/server/app.js';
import {
  insertTestUser,
  NO_PROVIDERS,
  openService,
  temporaryDirectory,
  testConfig,
  type NewTestUser,
} from '../support/app.js';
import { ManualClock } from '../support/clock.js';
import { hashOf } from '../support/password-hash.js';

export const PASSWORD = 'a good pass phrase';

export interface TestApi {
  app: App;
  ctx: OpenContext;
  clock: ManualClock;
  logged: () => Record<string, unknown>[];
  addUser: (username: string, more?: Partial<NewTestUser>) => Promise<UserRow>;
  /** Log-in through the API; the access token. */
  tokenOf: (username: string) => Promise<string>;
  call: Caller;
  /** As `call`, with the token of this user (made if need be); `admin@…` is an administrator. */
  as: (username: string, more?: Partial<NewTestUser>) => Promise<Caller>;
}

export interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Address at the other end of the socket. */
  peer?: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // Bodies are judged by the tests themselves.
  json: Json;
}

export type Json = { [name: string]: Json } & Json[] & string & number;
export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** Of a service that nobody limits, that makes nothing by itself, and that calls nobody. */
function serverConfig(changes: Partial<Config>): Config {
  const dataDir = temporaryDirectory();
  return {
    ...testConfig(dataDir, { ...NO_PROVIDERS, smtpUrl: `file:${join(dataDir, 'mail')}` }),
    baseUrl: 'https://contracts.example.org',
    jwtSecret: 'a secret of the tests, long enough for them',
    paymentWebhookSecrets: [],
    rateLimitIp: 0,
    rateLimitUser: 0,
    logLevel: 'debug',
    ...changes,
  };
}

/** The API and these callers of it, known by the first word of their address; `admin` is an administrator. */
export async function apiFor<const Who extends string>(
  who: readonly Who[],
  changes: Partial<Config> = {},
): Promise<TestApi & Record<Who, Caller>> {
  const api = startApi(changes);
  const callers: [string, Caller][] = [];
  for (const name of who) callers.push([name, await api.as(`${name}@example.org`)]);
  return { ...api, ...(Object.fromEntries(callers) as Record<Who, Caller>) };
}

/** For tests of the API alone, which need no sandbox; the whole service is `startApp` (tests/support/app.ts). */
export function startApi(changes: Partial<Config> = {}): TestApi {
  const config = serverConfig(changes);
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = pino(
    { level: config.logLevel, base: null },
    { write: (line: string) => void lines.push(line) },
  );
  const ctx = openService(config, { clock, log });
  return {
    ...apiOf({ ctx, clock }),
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** The API of this service, which may be a whole one. */
export function apiOf({ ctx, clock }: Pick<TestApi, 'ctx' | 'clock'>): Omit<TestApi, 'logged'> {
  const app = createApp(ctx);
  const call: Caller = (method, path, options) => send(app, method, path, options);
  const tokens = new AccessTokens(ctx);
  // Past the hash, which takes longer than most tests.
  const addUser = async (username: string, more: Partial<NewTestUser> = {}) => {
    const passwordHash = await hashOf(PASSWORD);
    return insertTestUser(ctx, { username, passwordHash, firstName: 'Eve', lastName: 'Martin', ...more });
  };
  const tokenOf = async (username: string) => {
    const { json } = await call('POST', '/api/login_check', { body: { username, password: PASSWORD } });
    return String(json['token']);
  };
  return {
    app,
    ctx,
    clock,
    addUser,
    tokenOf,
    call,
    async as(username, more) {
      const role = username.startsWith('admin') ? 'ROLE_ADMIN' : 'ROLE_USER';
      const token = await tokens.issue(await addUser(username, { role, ...more }));
      return (method, path, options) => call(method, path, { token, ...options });
    },
  };
}

const JSON_TYPE = 'application/json';
const JSON_OF: Record<string, string> = { PATCH: 'application/merge-patch+json' };

async function send(app: App, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token, body, headers = {}, peer = '192.0.2.1' } = options;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
  const init: RequestInit = {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined &&
        !(body instanceof FormData) && { 'Content-Type': JSON_OF[method] ?? JSON_TYPE }),
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

/** An equipment and a request of this caller; the request's body. */
export async function aRequest(caller: Caller, title = 'Boiler is cold'): Promise<Json> {
  const equipment = await anEquipment(caller);
  const body = { title, description: 'No hot water since Monday.', equipment: equipment['@id'] };
  return (await caller('POST', '/api/requests', { body })).json;
}

/** Users 1 to 3; request and equipment 1 are anna's, request and equipment 2 ben's. */
export async function twoRequests(changes: Partial<Config> = {}) {
  const api = await apiFor(['anna', 'ben', 'admin'], changes);
  await aRequest(api.anna);
  await aRequest(api.ben);
  return api;
}

let serial = 0;

export async function anEquipment(caller: Caller): Promise<Json> {
  const body = { name: 'Boiler', model: 'B-200', serialNumber: `SN-${++serial}` };
  return (await caller('POST', '/api/equipments', { body })).json;
}
