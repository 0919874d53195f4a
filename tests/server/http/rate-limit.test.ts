/** The limits of the API (rules 6): by address and by user, with the headers that tell them. */
import { expect, onTestFinished, test } from 'vitest';
import { openContext } from '../../../src/core/open-context.js';
import { setUserEnabled, getUserByUsername } from '../../../src/core/users/users.js';
import { AccessTokens } from '../../../src/core/users/tokens.js';
import { createApp } from '../../../src/server/app.js';
import { MINUTE } from '../../support/clock.js';
import { PASSWORD, startApi, type Caller, type TestApi } from '../support.js';

const ACTOR = { kind: 'cli', name: 'test' } as const;
const ANNA = 'anna@example.org';

/** The statuses of this many calls, one after the other. */
async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i += 1) all.push((await call()).status);
  return all;
}

function entrypoint(app: TestApi, peer?: string) {
  return app.call('GET', '/api', { ...(peer && { peer }) });
}

async function remaining(app: TestApi, peer?: string): Promise<number> {
  return Number((await entrypoint(app, peer)).headers.get('X-RateLimit-Remaining'));
}

/** Her log-in counts for the address alone. */
function anna(app: TestApi): Promise<Caller> {
  return app.as(ANNA);
}

test('sixty calls a minute pass from one address, the next is 429 and says how long to wait', async () => {
  const app = startApi({ rateLimitIp: 60 });

  expect(await statuses(60, () => entrypoint(app))).toEqual(Array(60).fill(200));
  app.clock.advance(20_500);
  const { status, headers, json } = await entrypoint(app);

  expect(status).toBe(429);
  expect(json).toMatchObject({
    code: 429,
    message: 'Too Many Requests',
    errors: {},
    'hydra:description': 'Too Many Requests',
    status: 429,
  });
  expect(headers.get('Content-Type')).toBe('application/ld+json; charset=utf-8');
  expect(headers.get('Retry-After')).toBe('40');
  expect(headers.get('X-RateLimit-Retry-After')).toBe('40');
  expect(headers.get('X-RateLimit-Limit')).toBe('60');
  expect(headers.get('X-RateLimit-Remaining')).toBe('0');
  expect(headers.get('RateLimit')).toBe('"ip";r=0;t=40');
  expect(headers.get('RateLimit-Policy')).toBe('"ip";q=60;w=60');
  expect(headers.get('Link')).toContain('apiDocumentation');
});

test('refused calls do not count: knocking on does not lengthen the wait', async () => {
  const app = startApi({ rateLimitIp: 60 });
  await statuses(60, () => entrypoint(app));

  app.clock.advance(59_000);
  expect(await statuses(100, () => entrypoint(app))).toEqual(Array(100).fill(429));
  app.clock.advance(1000);
  expect(await statuses(60, () => entrypoint(app))).toEqual(Array(60).fill(200));
});

test('of a hundred calls at once sixty pass', async () => {
  const app = startApi({ rateLimitIp: 60 });

  const answers = await Promise.all(Array.from({ length: 100 }, () => entrypoint(app)));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
});

test('a success names both limits; the plain headers are those of the tighter one', async () => {
  const app = startApi({ rateLimitIp: 60, rateLimitUser: 1000 });
  const call = await anna(app);
  await app.call('GET', '/api/requests');
  app.clock.advance(1_500);

  const { status, headers } = await call('GET', '/api/requests');

  expect(status).toBe(200);
  expect(headers.get('RateLimit-Policy')).toBe('"ip";q=60;w=60, "user";q=1000;w=3600');
  expect(headers.get('RateLimit')).toBe('"ip";r=58;t=59, "user";r=999;t=3600');
  expect(headers.get('X-RateLimit-Limit')).toBe('60');
  expect(headers.get('X-RateLimit-Remaining')).toBe('58');
  expect(headers.has('Retry-After')).toBe(false);
  expect(headers.has('X-RateLimit-Retry-After')).toBe(false);
});

test('the user is counted over all addresses and refused for the hour, the address is not', async () => {
  const app = startApi({ rateLimitIp: 60, rateLimitUser: 100 });
  const call = await anna(app);
  let peer = 0;
  const list = () => call('GET', '/api/requests', { peer: `203.0.113.${(peer = (peer + 1) % 100)}` });

  expect(await statuses(100, list)).toEqual(Array(100).fill(200));
  app.clock.advance(600_000);
  const { status, headers } = await list();

  expect(status).toBe(429);
  expect(headers.get('Retry-After')).toBe('3000');
  expect(headers.get('RateLimit')).toBe('"ip";r=59;t=60, "user";r=0;t=3000');
  expect(headers.get('X-RateLimit-Limit')).toBe('100');
  expect(headers.get('X-RateLimit-Remaining')).toBe('0');
  expect((await entrypoint(app, '203.0.113.1')).status).toBe(200);
  expect((await (await app.as('bert@example.org'))('GET', '/api/requests')).status).toBe(200);
});

test('calls without a good token count for the address, and for no user', async () => {
  const app = startApi({ rateLimitIp: 60, rateLimitUser: 5 });
  const call = await anna(app);
  const peer = '203.0.113.9';

  expect(await statuses(30, () => app.call('GET', '/api/requests', { peer }))).toEqual(Array(30).fill(401));
  expect(await statuses(29, () => app.call('GET', '/api/requests', { peer, token: 'x.y.z' }))).toEqual(
    Array(29).fill(401),
  );
  const body = { username: ANNA, password: 'a wrong pass phrase' };
  expect((await app.call('POST', '/api/login_check', { peer, body })).status).toBe(401);

  expect((await app.call('GET', '/api/requests', { peer })).status).toBe(429);
  expect((await call('GET', '/api/requests', { peer })).status).toBe(429);
  expect((await call('GET', '/api/requests')).headers.get('RateLimit')).toContain('"user";r=4;');
});

test('a refusal carries the headers of the limits too', async () => {
  const app = startApi({ rateLimitIp: 60, rateLimitUser: 1000 });
  const call = await anna(app);
  const text = { 'Content-Type': 'text/plain' };
  for (const [status, answer] of [
    [401, await app.call('GET', '/api/requests')],
    [404, await app.call('GET', '/api/nothing')],
    [405, await app.call('DELETE', '/api')],
    [406, await app.call('GET', '/api', { headers: { Accept: 'text/csv' } })],
    [415, await call('POST', '/api/requests', { body: '{}', headers: text })],
  ] as const) {
    expect([status, answer.headers.get('X-RateLimit-Limit')]).toEqual([answer.status, '60']);
    expect(answer.headers.get('RateLimit')).toMatch(/^"ip";r=5\d;t=60/);
  }
});

test('/api, /api/v1 and /check_signature share one budget', async () => {
  const app = startApi({ rateLimitIp: 60 });

  await app.call('GET', '/api');
  await app.call('GET', '/api/v1/contexts/Error');
  await app.call('GET', '/check_signature/request/1');
  await app.call('HEAD', '/api/v1');
  await app.call('OPTIONS', '/api/requests');

  expect(await remaining(app)).toBe(54);
});

test('webhooks, health and the payment page are neither counted nor refused', async () => {
  const app = startApi({ rateLimitIp: 1 });
  await entrypoint(app);
  expect((await entrypoint(app)).status).toBe(429);

  for (const path of ['/healthz', '/readyz', '/paid']) {
    const { status, headers } = await app.call('GET', path);
    expect(status).not.toBe(429);
    expect(headers.has('RateLimit')).toBe(false);
    expect(headers.has('RateLimit-Policy')).toBe(false);
  }
  const webhook = await app.call('POST', '/webhook/contract-signed', { body: '{}' });
  expect(webhook.status).toBe(401);
  expect(webhook.headers.has('RateLimit-Policy')).toBe(false);
});

test('addresses are counted apart, IPv6 per /64, and X-Forwarded-For only behind a trusted proxy', async () => {
  const app = startApi({ rateLimitIp: 60, trustedProxies: ['10.0.0.0/8'] });
  const via = async (peer: string, forwardedFor: string) => {
    const { headers } = await app.call('GET', '/api', { peer, headers: { 'X-Forwarded-For': forwardedFor } });
    return Number(headers.get('X-RateLimit-Remaining'));
  };

  expect(await remaining(app, '2001:db8:1:2::1')).toBe(59);
  expect(await remaining(app, '2001:db8:1:2:ffff::9')).toBe(58);
  expect(await remaining(app, '2001:db8:1:3::1')).toBe(59);
  expect(await via('10.0.0.1', '198.51.100.1')).toBe(59);
  expect(await via('10.0.0.2', '6.6.6.6, 198.51.100.1')).toBe(58);
  expect(await via('203.0.113.1', '198.51.100.1')).toBe(59);
  expect(await via('203.0.113.1', '198.51.100.2')).toBe(58);
});

test('0 turns a limit off, and its headers', async () => {
  const app = startApi({ rateLimitIp: 0, rateLimitUser: 2 });
  const call = await anna(app);

  expect((await entrypoint(app)).headers.get('RateLimit-Policy')).toBe('"user";q=2;w=3600');
  expect((await entrypoint(app)).headers.has('RateLimit')).toBe(false);
  expect(await statuses(3, () => call('GET', '/api/requests'))).toEqual([200, 200, 429]);

  const unlimited = startApi({ rateLimitIp: 0, rateLimitUser: 0 });
  const { headers } = await (await anna(unlimited))('GET', '/api/requests');
  expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
});

test('a throttled log-in keeps its own 429; a disabled user is 401 and not counted', async () => {
  const app = startApi({ rateLimitIp: 60, rateLimitUser: 3 });
  const call = await anna(app);
  const body = { username: ANNA, password: 'a wrong pass phrase' };
  await statuses(5, () => app.call('POST', '/api/login_check', { body }));

  const throttled = await app.call('POST', '/api/login_check', { body: { ...body, password: PASSWORD } });
  expect(throttled.status).toBe(429);
  expect(throttled.json['message']).toContain('failed login attempts');
  expect(throttled.headers.get('RateLimit')).toMatch(/^"ip";r=54;/);

  await setUserEnabled(app.ctx, getUserByUsername(app.ctx, ANNA).id, false, ACTOR);
  expect(await statuses(4, () => call('GET', '/api/requests'))).toEqual(Array(4).fill(401));
});

test('the hour of a user survives a restart', async () => {
  const { ctx, clock, ...before } = startApi({ rateLimitUser: 100 });
  await before.addUser(ANNA);
  const token = await before.tokenOf(ANNA);
  await statuses(70, () => before.call('GET', '/api/requests', { token }));
  clock.advance(30 * MINUTE);
  await statuses(30, () => before.call('GET', '/api/requests', { token }));
  await ctx.close();

  const again = openContext(ctx.config, { clock, log: ctx.log });
  onTestFinished(() => again.close());
  const after = createApp(again);
  clock.advance(29 * MINUTE);
  const fresh = await new AccessTokens(again).issue(getUserByUsername(again, ANNA));
  const list = async () => after.request('/api/requests', { headers: { Authorization: `Bearer ${fresh}` } });
  const refused = await list();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('60');
  clock.advance(MINUTE - 1);
  expect((await list()).status).toBe(429);
  clock.advance(1);
  expect(await statuses(71, list)).toEqual([...Array(70).fill(200), 429]);
});
