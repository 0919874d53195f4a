/** The story of a request, told by calling every documented operation: each real answer is as the document describes it. */
import { expect, test, vi } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { PATIENCE } from '../../support/patience.js';
import { aReceiver } from '../../support/receiver.js';
import { eventBody, sign, stripeSignature, deliverOtherAmount } from '../../support/webhooks.js';
import { apiOf, PASSWORD, type Answer } from '../support.js';
import { describedBy, type Described, type DescribedOperation } from './docs/described.js';

const NEXT_PASSWORD = 'what nobody would guess';

test('one success of every operation is as the OpenAPI document describes it, and a change stands in the history with its author', async () => {
  const teller = await aTeller();
  await story(teller);

  const { described, told } = teller;
  expect(told.flatMap(({ faults }) => faults)).toEqual([]);
  const names = described.operations.map(({ name }) => name);
  expect(names.filter((name) => told.every((each) => each.name !== name))).toEqual([]);
});

async function story({ call, logIn, service }: Teller): Promise<void> {
  for (const path of ['/', '/healthz', '/readyz', '/metrics', '/paid']) await call('nobody', 'GET', path);
  for (const path of ['/api', '/api/index.jsonld', '/api/contexts/Request'])
    await call('nobody', 'GET', path);
  for (const path of ['/api/docs', '/api/docs.json', '/api/docs.jsonld', '/api/docs/page.js']) {
    await call('nobody', 'GET', path);
  }
  await users({ call, logIn });
  await forgotten({ call, logIn, service });
  const [request] = await things({ call });
  await extras({ call }, String(request));
  await webhooks({ call, service });
  await signing({ call, service }, String(request));
  await office({ call });
  await call('anna', 'DELETE', '/api/requests/2');
  await call('anna', 'DELETE', '/api/equipments/2');
}

async function users({ call, logIn }: Pick<Teller, 'call' | 'logIn'>): Promise<void> {
  const { refresh_token } = await logIn('admin');
  const next = await call('nobody', 'POST', '/api/token/refresh', { refresh_token });
  await call('nobody', 'POST', '/api/token/invalidate', { refresh_token: next['refresh_token'] });
  const anna = { username: 'anna@example.org', password: PASSWORD, firstName: 'Anna', phone: '+33612345678' };
  await call('admin', 'POST', '/api/users', anna);
  await logIn('anna');
  await call('anna', 'GET', '/api/users/me');
  await call('anna', 'PATCH', '/api/users/me', { password: NEXT_PASSWORD, currentPassword: PASSWORD });
  await logIn('anna', NEXT_PASSWORD);
  await call('admin', 'PATCH', '/api/users/2', { lastName: 'Weber' });
  await call('admin', 'GET', '/api/users/2');
  await call('admin', 'GET', '/api/users?itemsPerPage=1');
}

async function forgotten({ call, logIn, service }: Pick<Teller, 'call' | 'logIn' | 'service'>) {
  await call('nobody', 'GET', '/password');
  await call('nobody', 'POST', '/password', new URLSearchParams({ username: 'anna@example.org' }));
  const link = await vi.waitUntil(
    () => /\/password\/\w{64}/.exec(service.sandbox.mails().at(-1)?.text ?? '')?.[0],
    PATIENCE,
  );
  await call('nobody', 'GET', link);
  await call('nobody', 'POST', link, new URLSearchParams({ password: PASSWORD, again: PASSWORD }));
  await logIn('anna');
}

/** Two equipments and two requests of anna; the ids of the requests. */
async function things({ call }: Pick<Teller, 'call'>): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (const serialNumber of ['SN-1', 'SN-2']) {
    const equipment = { name: 'Boiler', model: 'B-200', serialNumber };
    const { '@id': iri } = await call('anna', 'POST', '/api/equipments', equipment);
    await call('anna', 'PUT', String(iri), { ...equipment, model: 'B-201' });
    await call('anna', 'PATCH', String(iri), { name: 'Old boiler' });
    await call('anna', 'GET', String(iri));
    const words = { title: 'Boiler is cold', description: 'Since Monday.', equipment: '/api/equipments/1' };
    const request = await call('anna', 'POST', '/api/requests', words);
    await call('anna', 'PUT', String(request['@id']), { ...words, title: 'Boiler is colder' });
    await call('admin', 'PATCH', String(request['@id']), { status: 'in_progress' });
    ids.push(request['id']);
  }
  await call('anna', 'GET', '/api/equipments?itemsPerPage=1&order[name]=asc');
  await call('anna', 'GET', '/api/requests?itemsPerPage=1&page=2&status[]=in_progress');
  return ids;
}

/** What hangs on a request; one of each is removed again. */
async function extras({ call }: Pick<Teller, 'call'>, id: string): Promise<void> {
  const request = `/api/requests/${id}`;
  for (const [who, path, body, change] of [
    ['admin', '/api/offers', { request, amount: 12_000, description: 'A new pump' }, { status: 'sent' }],
    ['anna', '/api/troubleshootings', { request, description: 'Cold again' }, { status: 'in_progress' }],
  ] as const) {
    const { '@id': iri } = await call(who, 'POST', path, body);
    await call(who, 'PATCH', String(iri), change);
    await call('anna', 'GET', String(iri));
    await call('anna', 'GET', `${path}?request=${encodeURIComponent(request)}`);
    await call(who, 'DELETE', String(iri));
  }
}

async function webhooks({ call, service }: Pick<Teller, 'call' | 'service'>): Promise<void> {
  const { url } = await aReceiver();
  const hook = { url, event: 'request.updated', secret: 'a secret of my own' };
  const iri = String((await call('anna', 'POST', '/api/webhooks', hook))['@id']);
  await call('anna', 'GET', iri);
  await call('anna', 'PATCH', iri, { secret: 'another secret of my own' });
  const { '@id': delivery } = await call('anna', 'POST', `${iri}/ping`);
  await service.drain();
  await call('anna', 'GET', String(delivery));
  await call('anna', 'POST', `${String(delivery)}/redeliver`);
  await service.drain();
  await call('anna', 'GET', `${iri}/deliveries`);
  await call('anna', 'GET', '/api/webhooks');
  await call('anna', 'DELETE', iri);
}

async function signing({ call, service }: Pick<Teller, 'call' | 'service'>, request: string): Promise<void> {
  await call('admin', 'POST', `/api/requests/${request}/signature`);
  await call('admin', 'GET', `/check_signature/request/${request}`);
  await call('admin', 'POST', `/api/requests/${request}/remind`);
  const contract = await call('admin', 'POST', `/api/requests/${request}/signature/reset`, {
    reason: 'Typo',
  });
  const iri = String(contract['@id']);
  const signId = String(contract['signId']);
  service.sandbox.sign(signId);
  await call('provider', 'POST', '/webhook/contract-signed', eventBody(service, signId));
  await service.drain();
  await call('anna', 'GET', `/api/requests/${request}`);
  await call('anna', 'GET', '/api/contracts');
  await call('anna', 'GET', iri);
  await call('anna', 'GET', `${iri}/pdf`);
  await call('provider', 'POST', '/webhook/payment', {
    id: 'evt_1',
    type: 'checkout.session.async_payment_failed',
    data: { object: { id: 'cs_of_nobody' } },
  });
  await call('admin', 'POST', `/api/requests/${request}/cancel`, { reason: 'Not wanted', notify: true });
  await call('admin', 'POST', `/api/requests/${request}/reopen`, { reason: 'Wanted after all' });
  const late = await call('admin', 'POST', `/api/requests/${request}/signature`);
  service.sandbox.sign(String(late['signId']), { completedAt: '2099-01-01T00:00:00.000Z' });
  await call('admin', 'POST', `/api/requests/${request}/signature/accept-late`, { reason: 'By phone' });
  await call('admin', 'POST', `/api/requests/${request}/cancel`, { reason: 'Not wanted' });
  await call('admin', 'POST', `/api/requests/${request}/reopen`, { reason: 'Wanted after all' });
  const again = await call('admin', 'POST', `/api/requests/${request}/signature`);
  service.sandbox.sign(String(again['signId']));
  await call('admin', 'POST', `/api/requests/${request}/signature/check`);
  await service.drain();
  await service.ctx.jobs.idle();
  await call('admin', 'POST', `/api/requests/${request}/payment/check`);
  service.sandbox.expireSession(String(service.request(Number(request)).paymentId));
  await call('admin', 'POST', `/api/requests/${request}/payment/renew`);
  service.sandbox.pay(String(service.request(Number(request)).paymentId), { async: true });
  await call('admin', 'POST', `/api/requests/${request}/payment/give-up`, { reason: 'The debit failed' });
  await call('admin', 'POST', `/api/requests/${request}/complete`, { reason: 'Paid in cash' });
  await deliverOtherAmount(service, Number(request));
  await call('admin', 'POST', `/api/requests/${request}/settle`, { reason: 'Refunded' });
  await call('nobody', 'GET', `/pay/${service.request(Number(request)).payToken}`);
  await call('admin', 'POST', `/api/requests/${request}/renew`);
  await call('admin', 'GET', '/api/reports/2026-03');
}

async function office({ call }: Pick<Teller, 'call'>): Promise<void> {
  await call('admin', 'POST', '/api/import', 'username,firstName\nben@example.org,Ben\n');
  const { '@id': price } = await call('admin', 'POST', '/api/prices', { words: 'boiler', amount: 18_000 });
  await call('admin', 'GET', String(price));
  await call('admin', 'GET', '/api/prices');
  await call('admin', 'DELETE', String(price));
}

type Told = Record<string, unknown>;
type Teller = Awaited<ReturnType<typeof aTeller>>;

async function aTeller() {
  const env = {
    ESIGN_RATE_LIMIT_IP: '0',
    ESIGN_RATE_LIMIT_USER: '0',
    ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
  };
  const service = await startApp({ env });
  const api = apiOf(service);
  await api.addUser('admin@example.org', { role: 'ROLE_ADMIN' });
  await service.ctx.jobs.start();
  const described = await describedBy(api.app);
  const told: { name: string; faults: string[] }[] = [];
  const tokens = new Map<string, string>();
  const deeds = (who: string) =>
    service.ctx.db.raw
      .prepare('SELECT count(*) FROM history WHERE actor = ?')
      .pluck()
      .get(`user:${who}@example.org`);
  /** Sends a call, notes what is wrong with its answer, and returns the body. */
  const call = async (who: string, method: string, path: string, given?: unknown): Promise<Told> => {
    const body = given instanceof URLSearchParams ? String(given) : given;
    const token = tokens.get(who);
    const headers = { ...typeOf(path, given), ...(who === 'provider' && proofs(service, body)) };
    const before = deeds(who);
    const answer = await api.call(method, path, {
      ...(token && { token }),
      body,
      headers,
      peer: '127.0.0.1',
    });
    const operation = described.operations.find((each) => each.method === method && isPathOf(each, path));
    const name = operation?.name ?? `${method} ${path}`;
    const faults = faultsOf(answer, operation, described);
    if (token && method !== 'GET' && deeds(who) === before)
      faults.push('the history does not tell who did it');
    told.push({ name, faults: faults.map((fault) => `${name}: ${fault}`) });
    return answer.json;
  };
  const logIn = async (who: 'anna' | 'admin', password = PASSWORD) => {
    const answer = await call('nobody', 'POST', '/api/login_check', {
      username: `${who}@example.org`,
      password,
    });
    tokens.set(who, String(answer['token']));
    return answer;
  };
  return { service, described, told, call, logIn };
}

/** Where it is not the usual one. */
function typeOf(path: string, body: unknown) {
  if (path === '/api/import') return { 'Content-Type': 'text/csv' };
  return body instanceof URLSearchParams && { 'Content-Type': 'application/x-www-form-urlencoded' };
}

function proofs(service: TestApp, given: unknown) {
  const body = typeof given === 'string' ? given : JSON.stringify(given);
  return { 'X-Esign-Signature-256': sign(body), 'Stripe-Signature': stripeSignature(service, body) };
}

function isPathOf({ path }: DescribedOperation, asked: string): boolean {
  const pattern = path
    .replaceAll('.', String.raw`\.`)
    .replaceAll('{id}', String.raw`\d+`)
    .replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(asked.replace(/\?.*/, ''));
}

function faultsOf(
  { status, headers, text }: Answer,
  operation: DescribedOperation | undefined,
  described: Described,
): string[] {
  const foreseen = status < 300 ? operation?.answers[status] : undefined;
  if (!foreseen) return [`${status} ${text}`];
  const type = headers.get('Content-Type')?.split(';')[0] ?? '';
  const content = foreseen.content[type];
  if (!content) return text === '' && Object.keys(foreseen.content).length === 0 ? [] : [`the type ${type}`];
  const missing = foreseen.headers.filter((header) => !headers.has(header) && !OPTIONAL.includes(header));
  const known = Object.keys(described.document['components']?.['headers'] ?? {});
  const untold = known.filter((header) => headers.has(header) && !foreseen.headers.includes(header));
  const faults = type.endsWith('json') ? described.faultsOf(content.pointer, JSON.parse(text)) : [];
  return [...missing.map((header) => `no ${header}`), ...untold.map((header) => `also ${header}`), ...faults];
}

/** Limits are off here, and nothing is repeated. */
const OPTIONAL = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'Idempotent-Replayed',
];
