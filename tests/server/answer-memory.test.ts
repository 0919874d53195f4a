/** A page sent again without the routes is what the routes would send. It goes to nobody else, and only until something changes. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/core/settings/config.js';
import { paths } from '../../src/core/installation/paths.js';
import { AccessTokens } from '../../src/core/users/tokens.js';
import { getUserByUsername, setPassword, setUserEnabled } from '../../src/core/users/users.js';
import { openDb } from '../../src/db/open.js';
import type { App } from '../../src/server/app.js';
import { surveyOf } from '../../src/server/docs/survey.js';
import { listen } from '../../src/server/listen.js';
import { aRequest, startApi, type TestApi } from './support.js';

const ANNA = 'anna@example.org';
const ADMIN = 'admin@example.org';
const LIST = '/api/requests';
/** The one depends on the time as well, the other is listed below its webhook. */
const ALWAYS_BY_ROUTES = ['/api/todo', '/api/webhook_deliveries'];
const ORIGIN = 'https://app.example.org';
/** Of the call, not of the page. */
const OF_THE_CALL = new Set(['date', 'x-request-id', 'ratelimit', 'x-ratelimit-remaining']);

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Whether the routes were asked. */
  byRoutes: boolean;
}

interface Asked {
  /** Anna's by default. */
  token?: string;
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

interface Served {
  api: TestApi;
  token: string;
  ask: (asked?: Asked) => Promise<Answer>;
  tokenOf: (username: string) => Promise<string>;
}

/** The API on a port, with Anna's request in it. */
async function serve(changes: Partial<Config> = {}): Promise<Served> {
  const api = startApi(changes);
  let routed = 0;
  const fetch: App['fetch'] = (...call) => ((routed += 1), api.app.fetch(...call));
  const listener = await listen({ fetch, again: api.app.again } as App, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(0));
  const tokenOf = async (username: string) => {
    const role = username === ADMIN ? 'ROLE_ADMIN' : 'ROLE_USER';
    return new AccessTokens(api.ctx).issue(await api.addUser(username, { role }));
  };
  const token = await tokenOf(ANNA);
  await aRequest((method, path, options) => api.call(method, path, { token, ...options }), 'Chaudière');
  const ask = async ({ token: other = token, headers, ...asked }: Asked = {}) => {
    routed = 0;
    const all = { Authorization: `Bearer ${other}`, ...headers };
    const answer = await send(listener.port, { ...asked, headers: all });
    return { ...answer, byRoutes: routed > 0 };
  };
  return { api, token, ask, tokenOf };
}

function send(port: number, { method = 'GET', path = LIST, headers = {}, body }: Asked) {
  return new Promise<Omit<Answer, 'byRoutes'>>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode: status = 0, headers: sent } = answer;
        resolve({ status, headers: sent, body: Buffer.concat(chunks).toString() });
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

function ofThePage({ status, headers, body }: Answer) {
  return {
    status,
    body,
    headers: Object.entries(headers)
      .filter(([name]) => !OF_THE_CALL.has(name))
      .sort(),
  };
}

/** The first is answered by the routes, the second without them. */
async function twice(ask: Served['ask'], asked?: Asked): Promise<[Answer, Answer]> {
  const [first, again] = [await ask(asked), await ask(asked)];
  const byRoutes = [first.byRoutes, again.byRoutes];
  expect({ ...asked, byRoutes }).toEqual({ ...asked, byRoutes: [true, false] });
  return [first, again];
}

let served: Served;

beforeEach(async () => {
  served = await serve({ rateLimitIp: 1000, rateLimitUser: 1000, corsOrigins: [ORIGIN] });
});

test('every collection is sent again as the routes sent it, however it is spelled and whoever asks', async () => {
  const { api, ask, tokenOf } = served;
  const paths = surveyOf(api.app).resources.map(({ path }) => path);
  const collections = paths.filter((path) => !ALWAYS_BY_ROUTES.includes(path));
  const spelled = [`${LIST}/`, `/api/v1/requests?page=1`, `${LIST}?order[createdAt]=desc&itemsPerPage=1`];
  for (const token of [await tokenOf(ADMIN), served.token])
    for (const path of [...collections, ...spelled]) {
      if ((await ask({ token, path: `${path}?probe` })).status === 403) continue;
      const [first, again] = await twice(ask, { token, path });
      expect(first.status).toBe(200);
      expect(ofThePage(again)).toEqual(ofThePage(first));
    }
});

test('each media type and each origin has its own answer', async () => {
  const { ask } = served;
  const asked = [
    {},
    { Accept: 'application/json' },
    { Accept: 'application/json;q=0.5, application/ld+json' },
    { Origin: ORIGIN },
    { Origin: 'https://other.example.org' },
    { Host: 'contracts.example.org' },
  ];
  const answers = [];
  for (const headers of asked) {
    const [first, again] = await twice(ask, { headers });
    expect(ofThePage(again)).toEqual(ofThePage(first));
    answers.push(again.headers);
  }
  const types = answers.map((headers) => headers['content-type']?.split(';')[0]);
  expect(types.slice(0, 3)).toEqual(['application/ld+json', 'application/json', 'application/ld+json']);
  const allowed = answers.map((headers) => headers['access-control-allow-origin']);
  expect(allowed).toEqual([undefined, undefined, undefined, ORIGIN, undefined, undefined]);
  for (const Accept of ['text/html', 'undefined'])
    expect((await ask({ headers: { Accept } })).status).toBe(406);
});

test('nobody is sent the page of somebody else', async () => {
  const { ask, tokenOf } = served;
  const [anna] = await twice(ask);
  const ben = await tokenOf('ben@example.org');
  const [others] = await twice(ask, { token: ben });

  expect(anna.body).toContain('Chaudière');
  expect(others.body).not.toContain('Chaudière');
  expect((await ask()).body).toBe(anna.body);
});

test('any change, by this process or another connection, is in the next answer', async () => {
  const { api, token, ask } = served;
  const [before] = await twice(ask);
  await api.call('DELETE', `${LIST}/1`, { token });
  const [empty] = await twice(ask);
  expect(before.body).toContain('"hydra:totalItems":1');
  expect(empty.body).toContain('"hydra:totalItems":0');

  const other = openDb(paths.database(api.ctx.config.dataDir), { busyTimeoutMs: 1000 });
  onTestFinished(() => other.close());
  other.raw.exec("UPDATE users SET firstName = 'Another'");
  expect((await ask()).byRoutes).toBe(true);
});

test('a token that has ended opens nothing: expired, disabled user, new password', async () => {
  const { api, ask, tokenOf } = served;
  const actor = { kind: 'user', name: ADMIN } as const;
  const endings: Record<string, (id: number) => unknown> = {
    disabled: (id) => setUserEnabled(api.ctx, id, false, actor),
    'new password': (id) => setPassword(api.ctx, id, 'another pass phrase', actor),
    expired: () => api.clock.advance(3_600_000),
  };
  for (const [how, end] of Object.entries(endings)) {
    const token = await tokenOf(`${how.replace(' ', '.')}@example.org`);
    await twice(ask, { token });
    await end(getUserByUsername(api.ctx, `${how.replace(' ', '.')}@example.org`).id);
    expect([how, (await ask({ token })).status]).toEqual([how, 401]);
  }
});

test('an administrator who becomes a customer sees only what is his own', async () => {
  const { api, ask, tokenOf } = served;
  const token = await tokenOf(ADMIN);
  const [all] = await twice(ask, { token });
  api.ctx.db.raw.exec(`UPDATE users SET role = 'ROLE_USER' WHERE username = '${ADMIN}'`);

  expect(all.body).toContain('Chaudière');
  expect((await twice(ask, { token }))[1].body).not.toContain('Chaudière');
});

test.each([
  ['address', { rateLimitIp: 4, rateLimitUser: 1000 }, '60'],
  ['user', { rateLimitIp: 1000, rateLimitUser: 6 }, '3600'],
])('the limit by %s counts each call once, and refuses as the routes do', async (_, limits, wait) => {
  const { ask } = await serve(limits);
  const answers = [];
  for (let i = 0; i < 5; i += 1) answers.push(await ask());

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  expect(answers.map(({ byRoutes }) => byRoutes)).toEqual([true, false, false, false, true]);
  const left = answers.map(({ headers }) => headers['x-ratelimit-remaining']);
  expect(left).toEqual(['3', '2', '1', '0', '0']);
  expect(answers.at(-1)?.headers['retry-after']).toBe(wait);
});

test('behind a trusted proxy the client is counted, not the proxy', async () => {
  const { ask } = await serve({ rateLimitIp: 3, trustedProxies: ['127.0.0.1'] });
  const left = async (client: string) =>
    (await ask({ headers: { 'X-Forwarded-For': client } })).headers['x-ratelimit-remaining'];

  expect([await left('192.0.2.7'), await left('192.0.2.7'), await left('192.0.2.8')]).toEqual([
    '2',
    '1',
    '2',
  ]);
});

test('the routes report a database that cannot be read, and the next call is served', async () => {
  const { api, ask } = served;
  await twice(ask);
  const { db } = api.ctx;
  const mark = db.changeMark.bind(db);
  db.changeMark = () => {
    throw new Error('disk I/O error');
  };
  expect(await ask()).toMatchObject({ status: 500, byRoutes: true });
  expect(await ask({ path: '/api/docs.jsonld' })).toMatchObject({
    status: 200,
    headers: { ratelimit: expect.any(String) },
  });
  db.changeMark = mark;

  expect(await ask()).toMatchObject({ status: 200 });
});

test('a client that knows the page is told so, until it changes', async () => {
  const { api, token, ask } = served;
  const [first] = await twice(ask);
  const etag = first.headers.etag as string;
  const known = { headers: { 'If-None-Match': `"other", W/${etag}` } };

  const told = await ask(known);
  expect(told).toMatchObject({ status: 304, body: '', byRoutes: false });
  expect(told.headers).toMatchObject({ etag, 'cache-control': 'no-cache, private' });
  expect(told.headers).not.toHaveProperty('content-type');
  expect((await ask({ headers: { 'If-None-Match': '"other"' } })).body).toBe(first.body);

  await api.call('PATCH', '/api/users/me', {
    token,
    body: { firstName: 'Anne' },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  const [slow, quick] = await twice(ask, known);
  expect(ofThePage(quick)).toEqual(ofThePage(slow));
  expect([slow.status, (await ask()).body]).toEqual([304, first.body]);

  await api.call('DELETE', `${LIST}/1`, { token });
  expect((await ask(known)).status).toBe(200);
});

test('calls that Node and the routes read differently, or that are no plain GET, go to the routes', async () => {
  const { token, ask, tokenOf } = served;
  await twice(ask);
  const both = [`Bearer ${token}`, `Bearer ${await tokenOf(ADMIN)}`];
  await twice(ask);

  expect(await ask({ headers: { Authorization: both } })).toMatchObject({ status: 401, byRoutes: true });
  expect(await ask({ method: 'HEAD' })).toMatchObject({ status: 200, body: '', byRoutes: true });
  expect(await ask({ headers: { 'Content-Length': '2' }, body: '{}' })).toMatchObject({ byRoutes: true });
  expect(await ask({ token: 'not.a.token' })).toMatchObject({ status: 401, byRoutes: true });
  expect(await ask({ headers: { Authorization: `Basic ${token}` } })).toMatchObject({ status: 401 });
  expect(await ask({ path: `${LIST}/1` })).toMatchObject({ status: 200, byRoutes: true });
  expect(await ask({ path: `${LIST}/1` })).toMatchObject({ status: 200, byRoutes: true });
});

test('each answer has an id of its own, or that of its caller, and its line in the log and the metrics', async () => {
  const { api, ask } = served;
  const answers = await twice(ask);
  const own = await ask({ headers: { 'X-Request-Id': 'call-of-the-test' } });
  await ask({ headers: { 'X-Request-Id': 'no good' } });

  const ids = [...answers, own].map(({ headers }) => headers['x-request-id']);
  expect(new Set(ids).size).toBe(3);
  expect(ids[2]).toBe('call-of-the-test');
  const lines = api
    .logged()
    .filter(({ msg, route, method }) => msg === 'request' && route === LIST && method === 'GET');
  expect(lines).toHaveLength(4);
  expect(lines.slice(0, 3).map((line) => line['httpRequestId'])).toEqual(ids);
  const shape = (line: object = {}) => ({ ...line, ms: 0, time: 0, httpRequestId: '' });
  expect(shape(lines[1])).toEqual(shape(lines[0]));
  expect(lines[3]?.['httpRequestId']).toMatch(/^[0-9a-f-]{36}$/);
  const { text } = await api.call('GET', '/metrics', { peer: '127.0.0.1' });
  expect(text).toContain(
    `esign_http_request_duration_seconds_count{method="GET",route="${LIST}",status="200"} 4`,
  );
});
