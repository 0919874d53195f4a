import { expect, onTestFinished, test, vi } from 'vitest';
import { openContext } from '../../../src/core/open-context.js';
import { SlidingWindow } from '../../../src/core/calls/sliding-window.js';
import { setUserEnabled, getUserByUsername } from '../../../src/core/users/users.js';
import { AccessTokens } from '../../../src/core/users/tokens.js';
import { UserCalls } from '../../../src/core/users/user-calls.js';
import { createApp } from '../../../src/server/app.js';
import { PASSWORD, startApi, type Caller, type TestApi } from '../support.js';

const ACTOR = { kind: 'cli', name: 'test' } as const;
const MINUTE = 60_000;
const HOUR = 3_600_000;
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

test.each([401, 404, 405, 406, 415])('a %i carries the headers of the limits too', async (status) => {
  const app = startApi({ rateLimitIp: 60, rateLimitUser: 1000 });
  const call = await anna(app);
  const answers = {
    401: () => app.call('GET', '/api/requests'),
    404: () => app.call('GET', '/api/nothing'),
    405: () => app.call('DELETE', '/api'),
    406: () => app.call('GET', '/api', { headers: { Accept: 'text/csv' } }),
    415: () => call('POST', '/api/requests', { body: '{}', headers: { 'Content-Type': 'text/plain' } }),
  };

  const answer = await answers[status as keyof typeof answers]();

  expect(answer.status).toBe(status);
  expect(answer.headers.get('X-RateLimit-Limit')).toBe('60');
  expect(answer.headers.get('RateLimit')).toMatch(/^"ip";r=5\d;t=60/);
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

test('counts are stored once for many calls; what is over is dropped', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  const stored = () => app.ctx.db.raw.prepare('SELECT userId, count FROM userCalls').all();
  const calls = new UserCalls(app.ctx, 1000);

  for (let i = 0; i < 40; i += 1) calls.take(1);
  expect(stored()).toEqual([]);
  await calls.store();
  expect(stored()).toEqual([{ userId: 1, count: 40 }]);
  calls.take(1);
  await calls.store();
  await calls.store();
  expect(stored()).toEqual([{ userId: 1, count: 41 }]);

  app.clock.advance(HOUR);
  calls.take(1);
  await calls.store();
  expect(stored()).toEqual([{ userId: 1, count: 1 }]);
});

test('counts are stored five seconds after the first new one, by themselves; refused calls are none', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const app = startApi();
  await app.addUser(ANNA);
  const stored = () => app.ctx.db.raw.prepare('SELECT count FROM userCalls').pluck().all();
  const calls = new UserCalls(app.ctx, 2);
  const after = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await app.ctx.writer.idle();
    return stored();
  };

  calls.take(1);
  expect(calls.isFull(1)).toBe(false);
  expect(await after(4_000)).toEqual([]);
  calls.take(1);
  expect(calls.isFull(1)).toBe(true);
  expect(await after(1_000)).toEqual([2]);

  calls.take(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('counts that cannot be stored are said in the log, and stored the next time', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  const calls = new UserCalls(app.ctx, 1000);
  calls.take(1);
  app.ctx.db.raw.pragma('query_only = 1');
  await calls.store();
  app.ctx.db.raw.pragma('query_only = 0');
  expect(app.logged().map(({ msg }) => msg)).toContain('the counts of calls could not be stored');

  await calls.store();

  expect(new UserCalls(app.ctx, 1000).take(1).remaining).toBe(998);
});

test('counts of a time to come, left by a clock set back, lock nobody out', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  app.clock.advance(10 * HOUR);
  const calls = new UserCalls(app.ctx, 1);
  calls.take(1);
  await calls.store();
  app.clock.advance(-10 * HOUR);

  expect(new UserCalls(app.ctx, 1).take(1).isWithin).toBe(true);
});

test.each([
  { windowMs: MINUTE, burstMs: 10 },
  { windowMs: HOUR, burstMs: 10 },
  { windowMs: HOUR, burstMs: 30_000 },
])('a clock that is put back a little forgets no call: %o', ({ windowMs, burstMs }) => {
  const { ctx, clock } = startApi();
  const window = new SlidingWindow(ctx.clock, { windowMs });
  for (let i = 0; i < 5; i += 1) {
    expect(window.take('a', 5).isWithin).toBe(true);
    clock.advance(burstMs / 5);
  }

  clock.advance(-burstMs / 2);

  expect(window.take('a', 5)).toMatchObject({ isWithin: false, remaining: 0 });
  clock.advance(windowMs + burstMs);
  expect(window.take('a', 5)).toMatchObject({ isWithin: true, remaining: 4 });
});

test('in any minute whatever, no more calls pass than the limit', () => {
  const { ctx, clock } = startApi();
  const window = new SlidingWindow(ctx.clock, { windowMs: MINUTE });
  const passed: number[] = [];
  let seed = 7;
  for (let i = 0; i < 5_000; i += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    clock.advance(seed % 1_300);
    if (window.take('a', 60).isWithin) passed.push(clock.now().getTime());
  }

  const most = Math.max(...passed.map((time, i) => i - passed.findIndex((t) => t > time - MINUTE) + 1));
  expect(most).toBe(60);
});

test('the memory is bounded: the key longest quiet is forgotten, and all are after their window', () => {
  const { ctx, clock } = startApi();
  const window = new SlidingWindow(ctx.clock, { windowMs: MINUTE, keysMax: 3 });
  const isWithin = (key: string) => window.take(key, 1).isWithin;
  for (const key of ['a', 'b', 'c']) expect(isWithin(key)).toBe(true);
  expect(isWithin('b')).toBe(false);

  expect(isWithin('d')).toBe(true);
  expect(window.callsOf('a')).toEqual([]);
  expect(isWithin('d')).toBe(false);
  expect(isWithin('a')).toBe(true);

  clock.advance(MINUTE);
  window.take('e', 1);
  expect(['a', 'b', 'c', 'd'].flatMap((key) => window.callsOf(key))).toEqual([]);
});
