/** Log-in, access tokens and refresh tokens (rules 6). */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { SignJWT } from 'jose';
import { getUserByUsername, setPassword, setUserEnabled } from '../../../src/core/users/users.js';
import { listen } from '../../../src/server/http/listen.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { PASSWORD, startApi, type TestApi } from '../support.js';

const ACTOR = { kind: 'cli', name: 'test' } as const;
const ANNA = 'anna@example.org';

function login(app: TestApi, body: unknown, peer?: string) {
  return app.call('POST', '/api/login_check', { body, ...(peer && { peer }) });
}

async function loggedIn(app: TestApi) {
  await app.addUser(ANNA);
  return (await login(app, RIGHT)).json;
}

const WRONG = { username: ANNA, password: 'a wrong pass phrase' };
const RIGHT = { username: ANNA, password: PASSWORD };

/** Whether this access token opens the API. */
async function opens(app: TestApi, token: unknown) {
  const { status, json } = await app.call('GET', '/api/requests', { token: String(token) });
  return status === 200 ? true : json['message'];
}

function refresh(app: TestApi, refreshToken: unknown) {
  return app.call('POST', '/api/token/refresh', { body: { refresh_token: refreshToken } });
}

test('a good log-in gives two tokens; the access token opens the API for an hour', async () => {
  const app = startApi();
  await app.addUser(ANNA);

  const answer = await login(app, { username: 'Anna@Example.org', password: PASSWORD });
  const { token, refresh_token } = answer.json;

  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json)).toEqual(['token', 'refresh_token']);
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(String(refresh_token)).toMatch(/^[0-9a-f]{64}$/);
  const claims = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ username: ANNA, roles: ['ROLE_USER'], sub: '1' });
  expect(claims.exp - claims.iat).toBe(3600);

  app.clock.advance(3599_000);
  expect(await opens(app, token)).toBe(true);
  app.clock.advance(1_000);
  expect(await opens(app, token)).toBe('Expired JWT Token');
});

test('unknown name, wrong password and closed account get one and the same answer', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  await app.addUser('closed@example.org');
  await setUserEnabled(app.ctx, getUserByUsername(app.ctx, 'closed@example.org').id, false, ACTOR);

  const answers = [
    await login(app, { username: 'nobody@example.org', password: PASSWORD }),
    await login(app, WRONG),
    await login(app, { username: 'closed@example.org', password: PASSWORD }),
  ];

  for (const { status, headers, text } of answers) {
    expect(status).toBe(401);
    expect(headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(text).toBe(answers[0]?.text);
  }
  expect(answers[0]?.json).toMatchObject({ code: 401, message: 'Invalid credentials.', errors: {} });
});

test('a log-in that is no JSON, or has not both words, is refused and says why', async () => {
  const app = startApi();
  for (const [body, message] of [
    ['{"username":', 'Invalid JSON.'],
    ['[]', 'Invalid JSON.'],
    ['', 'Invalid JSON.'],
    ['{}', 'The key "username" must be provided.'],
    ['{"username":"a"}', 'The key "password" must be provided.'],
    ['{"username":7,"password":"x"}', 'The key "username" must be a non-empty string.'],
    ['{"username":"a","password":""}', 'The key "password" must be a non-empty string.'],
    ['{"__proto__":{"username":"a","password":"b"}}', 'The key "username" must be provided.'],
  ])
    expect.soft((await login(app, body)).json).toMatchObject({ code: 400, message });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await app.call('POST', '/api/login_check', { body: 'username=a', headers })).status).toBe(415);
});

test('after five failures a minute one account is closed to one address, and to no other', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  for (let i = 0; i < 5; i += 1) expect((await login(app, WRONG)).status).toBe(401);

  const throttled = await login(app, RIGHT);

  expect(throttled.status).toBe(429);
  expect(throttled.headers.get('Retry-After')).toBe('60');
  const logged = app
    .logged()
    .flatMap(({ msg, address }) => (String(msg).includes('log-in') ? [[msg, address]] : []));
  const said = (end: string) => [
    [`log-in ${end}`, undefined],
    [`address of the ${end} log-in`, '192.0.2.1'],
  ];
  expect(logged).toEqual([...Array(5).fill(said('refused')).flat(), ...said('throttled')]);
  expect(throttled.json).toMatchObject({
    code: 429,
    message: 'Too many failed login attempts, please try again in 1 minute.',
  });
  expect((await login(app, RIGHT, '192.0.2.99')).status).toBe(200);
  app.clock.advance(MINUTE);
  expect((await login(app, RIGHT)).status).toBe(200);
});

test('a success forgets the failures before it', async () => {
  const app = startApi();
  await app.addUser(ANNA);
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 4; i += 1) await login(app, WRONG);
    expect((await login(app, RIGHT)).status).toBe(200);
  }
});

test('tries that arrive together are counted before they end', async () => {
  const app = startApi();
  await app.addUser(ANNA);

  const answers = await Promise.all(Array.from({ length: 12 }, () => login(app, WRONG)));

  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
});

test('twenty log-ins at once hold up nobody: who calls after them is answered before them', async () => {
  const app = startApi({ trustedProxies: ['127.0.0.1'] });
  await app.addUser(ANNA);
  const listener = await listen(app.app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(1_000));
  const url = `http://127.0.0.1:${listener.port}/api`;
  const headers = { Authorization: `Bearer ${await app.tokenOf(ANNA)}` };
  let loggedIn = 0;

  const logIns = Array.from({ length: 20 }, async (_, i) => {
    const { status } = await fetch(`${url}/login_check`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `192.0.2.${i}` },
      body: JSON.stringify(RIGHT),
    });
    loggedIn += 1;
    return status;
  });
  for (let i = 0; i < 5; i += 1) expect((await fetch(`${url}/users/me`, { headers })).status).toBe(200);

  expect(loggedIn).toBeLessThan(20);
  expect(await Promise.all(logIns)).toEqual(Array(20).fill(200));
});

test('an address gets 25 failures a minute over all accounts; IPv6 counts per /64', async () => {
  const app = startApi();
  const tryOne = (i: number) =>
    login(app, { username: `user${i}@example.org`, password: 'x' }, `2001:db8:1:2::${i + 1}`);
  for (let i = 0; i < 25; i += 1) expect((await tryOne(i)).status).toBe(401);

  expect((await tryOne(30)).status).toBe(429);
  expect((await login(app, { username: ANNA, password: 'x' }, '2001:db8:1:3::1')).status).toBe(401);
});

/** A time that passes, or a refresh: with which token, its status, and how the token in its answer is called. */
type Step = number | [token: string, status: 200 | 401, next?: string];

test.each<[string, ...Step[]]>([
  ['works once and gives the next of its family', ['first', 200, 'second'], ['second', 200]],
  ['may come again within ten seconds', ['first', 200], 10_000, ['first', 200]],
  [
    'that comes again later ends the whole family',
    ['first', 200, 'second'],
    10_001,
    ['first', 401],
    ['second', 401],
  ],
  [
    'has no longer window because the clock was ahead when it was used, and a corrected clock ends no family',
    ['first', 200, 'second'],
    -10_000,
    ['first', 200],
    -60_000,
    ['first', 401],
    ['second', 401],
  ],
  ['lives thirty days', 30 * DAY - 1, ['first', 200, 'second'], 30 * DAY, ['second', 401]],
])('a refresh token %s', async (_, ...steps) => {
  const app = startApi();
  const tokens = new Map<string, unknown>([['first', (await loggedIn(app))['refresh_token']]]);
  for (const step of steps) {
    if (typeof step === 'number') {
      app.clock.advance(step);
      continue;
    }
    const [name, expected, next = ''] = step;
    const { status, json, headers } = await refresh(app, tokens.get(name));
    expect([step, status]).toEqual([step, expected]);
    tokens.set(next, json['refresh_token']);
    const said = [json['message'], headers.get('WWW-Authenticate')];
    const became = status === 200 ? await opens(app, json['token']) : said;
    expect(became).toEqual(expected === 200 || ['Invalid JWT Refresh Token', null]);
  }
  const names = [...tokens.values()];
  expect(new Set(names).size).toBe(names.length);
});

test('the end of one family leaves other log-ins of the user alone', async () => {
  const app = startApi();
  const phone = await loggedIn(app);
  const desk = (await login(app, RIGHT)).json;

  await app.call('POST', '/api/token/invalidate', { body: { refresh_token: phone['refresh_token'] } });

  expect((await refresh(app, phone['refresh_token'])).status).toBe(401);
  expect((await refresh(app, desk['refresh_token'])).status).toBe(200);
});

test('for old clients the setting keeps one token that works many times', async () => {
  const app = startApi({ refreshSingleUse: false });
  const { refresh_token } = await loggedIn(app);
  for (let i = 0; i < 3; i += 1) {
    app.clock.advance(MINUTE);
    expect((await refresh(app, refresh_token)).json['refresh_token']).toBe(refresh_token);
  }
});

test('a refresh without a token that was made here is 401', async () => {
  const app = startApi();
  for (const [token, message] of [
    [undefined, 'Missing JWT Refresh Token'],
    ['', 'Missing JWT Refresh Token'],
    [['a'], 'Missing JWT Refresh Token'],
    ['f'.repeat(64), 'JWT Refresh Token Not Found'],
  ] as const)
    expect.soft((await refresh(app, token)).json).toMatchObject({ code: 401, message });
});

test('a refresh may come as a form, and with an expired access token attached', async () => {
  const app = startApi();
  const { token, refresh_token } = await loggedIn(app);
  app.clock.advance(2 * HOUR);

  const { status } = await app.call('POST', '/api/token/refresh', {
    token: String(token),
    body: `refresh_token=${String(refresh_token)}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

  expect(status).toBe(200);
});

test('invalidating says what happened, and needs a token', async () => {
  const app = startApi();
  const { refresh_token } = await loggedIn(app);
  const invalidate = (body: unknown) => app.call('POST', '/api/token/invalidate', { body });

  expect((await invalidate({ refresh_token })).json).toEqual({
    code: 200,
    message: 'The supplied refresh_token has been invalidated.',
  });
  expect((await invalidate({ refresh_token })).json).toMatchObject({
    message: 'The supplied refresh_token is already invalid.',
  });
  expect((await invalidate({})).json).toMatchObject({ code: 400, message: 'No refresh_token found.' });
});

test('a closed account and a new password end every token at once', async () => {
  const app = startApi();
  const before = await loggedIn(app);
  const { id } = getUserByUsername(app.ctx, ANNA);

  await setPassword(app.ctx, id, PASSWORD, ACTOR);

  expect(await opens(app, before['token'])).toBe('Invalid JWT Token');
  expect((await refresh(app, before['refresh_token'])).status).toBe(401);

  const after = (await login(app, RIGHT)).json;
  expect(await opens(app, after['token'])).toBe(true);
  await setUserEnabled(app.ctx, id, false, ACTOR);
  expect(await opens(app, after['token'])).toBe('Invalid JWT Token');
});

test('a token may follow its scheme in any letter case, with spaces around it; any other header is 401', async () => {
  const app = startApi();
  const { token } = await loggedIn(app);
  const call = (Authorization?: string) =>
    app.call('GET', '/api/requests', { headers: Authorization ? { Authorization } : {} });
  for (const scheme of ['Bearer ', 'Bearer  ', 'bearer   '])
    expect.soft([scheme, (await call(`${scheme}${String(token)} `)).status]).toEqual([scheme, 200]);
  for (const [authorization, message] of [
    [undefined, 'JWT Token not found'],
    ['Basic YTpi', 'JWT Token not found'],
    ['Bearer a b', 'JWT Token not found'],
    ['Bearer a, Bearer b', 'JWT Token not found'],
    ['Bearer nonsense', 'Invalid JWT Token'],
  ]) {
    const { json, headers } = await call(authorization);
    expect.soft([authorization, json]).toMatchObject([authorization, { code: 401, message }]);
    expect(headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(headers.get('Content-Type')).toBe('application/ld+json; charset=utf-8');
    expect(headers.get('Link')).toContain('hydra/core#apiDocumentation');
  }
});

test('tokens that we did not make, or not so, are refused', async () => {
  const app = startApi();
  const token = String((await loggedIn(app))['token']);
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const ours = new TextEncoder().encode(app.ctx.config.jwtSecret);
  const make = (changes: object, alg = 'HS256', key: Uint8Array | KeyObject = ours) =>
    new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);
  const nowS = Number(claims.iat);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${token.split('.')[1]}.`;

  const changed: [object, string?, (Uint8Array | KeyObject)?][] = [
    [{}, 'HS256', new TextEncoder().encode('another secret, just as long as the first')],
    [{}, 'HS512'],
    [{}, 'RS256', privateKey],
    [{ aud: 'other' }],
    [{ iss: 'other' }],
    [{ nbf: nowS + 60 }],
    [{ exp: 'tomorrow' }],
    [{ ver: 'x' }],
    [{ ver: 2 }],
    [{ sub: 'anna' }],
    [{ sub: '999' }],
    ...['exp', 'ver', 'jti', 'iat', 'username', 'roles'].map((name): [object] => [{ [name]: undefined }]),
  ];
  const forged = await Promise.all(changed.map((how) => make(...how)));

  expect(await opens(app, await make({}))).toBe(true);
  expect(await opens(app, await make({ exp: nowS }))).toBe('Expired JWT Token');
  for (const each of [...forged, unsigned, `${token}x`, 'x'.repeat(10_000)])
    expect(await opens(app, each)).toBe('Invalid JWT Token');
});

test('no token, password or address with a query ever stands in the log', async () => {
  const app = startApi();
  const { token, refresh_token } = await loggedIn(app);
  await refresh(app, refresh_token);
  await app.call('GET', '/api/requests?status=secret-word', { token: String(token) });

  const log = JSON.stringify(app.logged());

  for (const secret of [PASSWORD, String(token), String(refresh_token), 'secret-word', 'Bearer']) {
    expect(log).not.toContain(secret);
  }
  expect(app.logged()).toContainEqual(
    expect.objectContaining({ msg: 'request', method: 'GET', route: '/api/requests', status: 200 }),
  );
});
