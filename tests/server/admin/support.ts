/** A browser without scripts, in a few lines: it keeps cookies, follows nothing, and fills in forms. */
import { gunzipSync } from 'node:zlib';
import { enqueue } from '../../../src/core/jobs/queue.js';
import { startApp, type AppOptions, type TestApp } from '../../support/app.js';
import { createApp, type App } from '../../../src/server/app.js';
import { SCHEDULE } from '../../../src/core/actor.js';
import { change } from '../../../src/core/change.js';
import { tellUnknownPayment } from '../../../src/core/payment/unknown-payments.js';
import { rememberUnknown } from '../../../src/core/signature/unknown-signatures.js';
import { hashOf } from '../../support/password-hash.js';
import { beginSession } from '../../../src/core/users/sessions.js';
import { insertUser } from '../../../src/db/users/users.js';
import type { Role, UserRow } from '../../../src/db/schema.js';

export const ADMIN = 'office@acme.test';
export const PASSWORD = 'a good pass phrase';

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  /** How many came over the wire, compressed or not. */
  bytes: number;
  location: string;
}

export interface Visitor {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  /** Fills in the form of the page that was seen last, as a browser would send it. */
  submit(path: string, fields: Record<string, string | string[]>): Promise<Page>;
  post(path: string, body: URLSearchParams, headers?: Record<string, string>): Promise<Page>;
  /** The same with a file; an empty name is what a browser sends for a field without one. */
  upload(
    path: string,
    fields: Record<string, string>,
    file: { name: string; content: string },
  ): Promise<Page>;
  logIn(username?: string, password?: string, next?: string): Promise<Page>;
}

export interface Office extends TestApp {
  app: App;
  visitor(): Visitor;
  /** Somebody who is logged in as administrator. */
  staff(): Promise<Visitor>;
  addPerson(username: string, role?: Role): Promise<UserRow>;
  /** A document at the signature provider that is unknown here has been found. */
  unknownDocument(signId: string, name: string): Promise<void>;
  /** €120.00 came for a contract that is unknown here. */
  unknownPayment(paymentId: string): Promise<void>;
}

export async function startOffice(options: AppOptions = {}): Promise<Office> {
  return officeOn(await startApp(options));
}

/** The same, with its administrator logged in. */
export async function staffedOffice(options?: AppOptions): Promise<{ office: Office; staff: Visitor }> {
  const office = await startOffice(options);
  return { office, staff: await office.staff() };
}

/** The back office of a service, with one administrator. */
export async function officeOn(service: TestApp): Promise<Office> {
  const app = createApp(service.ctx);
  const addPerson = async (username: string, role: Role = 'ROLE_ADMIN') => {
    const person = {
      username,
      passwordHash: await hashOf(PASSWORD),
      firstName: 'Anna',
      lastName: 'Martin',
      role,
    };
    const now = service.clock.now().toISOString();
    return service.ctx.writer.write(
      (db) =>
        insertUser(db, { ...person, phone: null, locale: null, address: null, enabled: 1, now }) as UserRow,
    );
  };
  const admin = await addPerson(ADMIN);
  return {
    ...service,
    app,
    visitor: () => visitorOf(app),
    addPerson,
    unknownDocument: (signId, name) => {
      const one = { signId, externalId: 'x', status: 'ongoing', createdAt: null, name };
      return change(service.ctx, { actor: SCHEDULE }, (tx) => rememberUnknown(tx, [one]));
    },
    unknownPayment: (paymentId) => {
      const money = { amount: 12_000, currency: 'eur' };
      return change(service.ctx, { actor: SCHEDULE }, (tx) => tellUnknownPayment(tx, { paymentId, money }));
    },
    // Past the form, whose hash takes longer than everything else.
    staff: async () => {
      const visitor = visitorOf(app);
      const token = await beginSession(service.ctx, admin, { address: '192.0.2.1', agent: 'a test' });
      visitor.cookies.set('esign_session', token as string);
      return visitor;
    },
  };
}

function visitorOf(app: App): Visitor {
  const cookies = new Map<string, string>();
  let seen = '';
  const call = async (path: string, init: RequestInit & { headers: Record<string, string> }) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Accept: 'text/html,*/*;q=0.8', ...(cookie && { Cookie: cookie }), ...init.headers };
    const bindings = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
    const response = await app.request(path, { ...init, headers }, bindings);
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = (response.headers.get('Content-Encoding') === 'gzip' ? gunzipSync(bytes) : bytes).toString(
      'utf8',
    );
    if (text.includes('<html')) seen = text;
    const location = response.headers.get('Location') ?? '';
    return { status: response.status, headers: response.headers, text, bytes: bytes.length, location };
  };
  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => call(path, { method: 'GET', headers }),
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        body: body.toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      }),
    submit: (path, fields) => {
      const form = new URLSearchParams({ csrf: csrfIn(seen) });
      for (const [name, value] of Object.entries(fields)) {
        for (const each of [value].flat()) form.append(name, each);
      }
      return visitor.post(path, form, { 'Sec-Fetch-Site': 'same-origin' });
    },
    upload: async (path, fields, { name, content }) => {
      const form = new FormData();
      for (const [each, value] of Object.entries({ csrf: csrfIn(seen), ...fields })) form.append(each, value);
      form.append('file', new File([content], name, { type: 'application/octet-stream' }));
      const encoded = new Request('http://x/', { method: 'POST', body: form });
      const headers = {
        'Content-Type': encoded.headers.get('Content-Type') ?? '',
        'Sec-Fetch-Site': 'same-origin',
      };
      return call(path, { method: 'POST', body: await encoded.arrayBuffer(), headers });
    },
    logIn: async (username = ADMIN, password = PASSWORD, next = '/admin') => {
      await visitor.get(`/admin/login?next=${encodeURIComponent(next)}`);
      return visitor.submit('/admin/login', { username, password, next });
    },
  };
  return visitor;
}

function csrfIn(page: string): string {
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(/;\s*/);
  const [name = '', ...value] = pair.split('=');
  if (attributes.some((each) => /^max-age=0$/i.test(each))) cookies.delete(name);
  else cookies.set(name, value.join('='));
}

/** What the page says in its alerts. */
export function alerts({ text }: Page): { type: string; message: string }[] {
  return [...text.matchAll(/class="alert alert-(\w+)"[^>]*>([^<]*)</g)].map(
    ([, type = '', message = '']) => ({
      type,
      message: message.trim(),
    }),
  );
}

/** A job that has used up its tries. */
export async function aFailedJob(office: Office): Promise<number> {
  const { request, contract } = await office.waitingRequest();
  office.ctx.db.raw.prepare("UPDATE requests SET status = 'WAITING_PAYMENT' WHERE id = ?").run(request.id);
  office.sandbox.faults.add({ target: 'payment', operation: 'create', kind: '500', times: 4 });
  const about = { requestId: request.id, contractId: contract.id };
  const now = office.clock.now().toISOString();
  const { id } = await office.ctx.writer.write((db) =>
    enqueue(db, { kind: 'create-payment-session', payload: about, now, ...about }),
  );
  for (let i = 0; i < 4; i += 1) {
    await office.drain();
    office.clock.advance(5_000);
  }
  return id;
}

/** Rows of a file as a spreadsheet reads them. */
export function cells({ text }: Page): string[][] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(([, cell = '']) => cell),
    );
}
