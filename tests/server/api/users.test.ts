/** /api/users: everybody's own profile, all users for administrators, and what ends tokens. */
import { expect, test } from 'vitest';
import { startApi, PASSWORD, type Caller, type TestApi } from '../support.js';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const NEXT = 'another good pass phrase';
const BLANK = 'This value should not be blank.';
const NO_PHONE = 'This value is not a valid phone number.';

const patch = (caller: Caller, path: string, body: unknown) =>
  caller('PATCH', path, { body, headers: MERGE });
const login = (app: TestApi, password: string, username = 'anna@example.org') =>
  app.call('POST', '/api/login_check', { body: { username, password } });

async function team() {
  const app = startApi();
  return {
    app,
    admin: await app.as('admin@example.org'),
    anna: await app.as('anna@example.org'),
    ben: await app.as('ben@example.org'),
  };
}

test('a user sees itself under its own IRI, with nothing of its password', async () => {
  const { app, anna } = await team();

  const me = await anna('GET', '/api/users/me');

  expect(me.status).toBe(200);
  expect(me.json).toEqual({
    '@context': '/api/contexts/User',
    '@id': '/api/users/2',
    '@type': 'User',
    id: 2,
    username: 'anna@example.org',
    firstName: '',
    lastName: '',
    roles: ['ROLE_USER'],
    enabled: true,
    createdAt: '2026-03-02T09:14:07+00:00',
  });
  expect(me.headers.get('Content-Location')).toBe('/api/users/2');
  expect((await anna('GET', '/api/users/2')).json).toEqual(me.json);
  expect((await anna('GET', '/api/v1/users/me')).json).toEqual(me.json);
  expect((await app.call('GET', '/api/users/me')).status).toBe(401);
});

test('a user changes its names and phone; what it may not write is ignored', async () => {
  const { anna } = await team();

  const { status, json } = await patch(anna, '/api/users/me', {
    firstName: ' Anna ',
    lastName: ' Weber ',
    phone: '+33 (0)6 12.34-56 78',
    username: 'x',
    roles: ['ROLE_ADMIN'],
    enabled: false,
    id: 9,
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    id: 2,
    username: 'anna@example.org',
    firstName: 'Anna',
    lastName: 'Weber',
    phone: '+33612345678',
    roles: ['ROLE_USER'],
    enabled: true,
  });

  const one = await patch(anna, '/api/users/me', { firstName: 'Anne' });
  expect(one.json).toMatchObject({ firstName: 'Anne', lastName: 'Weber', phone: '+33612345678' });

  const cleared = await patch(anna, '/api/users/me', { phone: null, lastName: null });
  expect(cleared.json).toMatchObject({ firstName: 'Anne', lastName: '' });
  expect(cleared.json).not.toHaveProperty('phone');

  const longest = 'x'.repeat(255);
  expect((await patch(anna, '/api/users/me', { firstName: longest })).json['firstName']).toBe(longest);
});

test.each([
  [{ firstName: 5 }, { firstName: 'This value should be of type string.' }],
  [{ lastName: 'a\nb' }, { lastName: 'This value is not valid.' }],
  [{ firstName: 'x'.repeat(256) }, { firstName: expect.stringContaining('255') }],
  [{ phone: '0612345678' }, { phone: NO_PHONE }],
  [{ phone: 33612345678 }, { phone: 'This value should be of type string.' }],
  [{ password: 'short', currentPassword: PASSWORD }, { password: expect.stringContaining('12') }],
  [{ password: null, currentPassword: PASSWORD }, { password: BLANK }],
  [{ password: `${NEXT}\0`, currentPassword: PASSWORD }, { password: 'This value is not valid.' }],
  [{ password: NEXT }, { currentPassword: BLANK }],
  [{ password: NEXT, currentPassword: '' }, { currentPassword: BLANK }],
  [{ password: NEXT, currentPassword: 5 }, { currentPassword: 'This value should be of type string.' }],
  [{ password: NEXT, currentPassword: 'wrong' }, { currentPassword: expect.stringContaining('current') }],
])('PATCH of oneself with %j is refused by name, and nothing of it is done', async (body, errors) => {
  const { app, anna } = await team();
  const before = (await anna('GET', '/api/users/me')).json;

  const answer = await patch(anna, '/api/users/me', { phone: '+33600000000', ...body });

  expect(answer.status).toBe(422);
  expect(answer.json['errors']).toEqual(errors);
  expect((await anna('GET', '/api/users/me')).json).toEqual(before);
  expect((await login(app, PASSWORD)).status).toBe(200);
});

test('a new password ends every token made before, and is the one that counts', async () => {
  const { app, anna } = await team();
  const other = (await login(app, PASSWORD)).json;

  const { status } = await patch(anna, '/api/users/me', { password: NEXT, currentPassword: PASSWORD });

  expect(status).toBe(200);
  expect((await anna('GET', '/api/users/me')).status).toBe(401);
  expect((await app.call('GET', '/api/users/me', { token: String(other['token']) })).status).toBe(401);
  const refresh = { refresh_token: other['refresh_token'] };
  expect((await app.call('POST', '/api/token/refresh', { body: refresh })).status).toBe(401);
  expect((await login(app, PASSWORD)).status).toBe(401);
  expect((await login(app, NEXT)).status).toBe(200);
});

test('of two new passwords at once one counts', async () => {
  const { app, anna } = await team();

  const both = await Promise.all(
    [`${NEXT} 1`, `${NEXT} 2`].map((password) =>
      patch(anna, '/api/users/me', { password, currentPassword: PASSWORD }),
    ),
  );

  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  const winner = both.findIndex(({ status }) => status === 200) + 1;
  expect((await login(app, `${NEXT} ${winner}`)).status).toBe(200);
});

test('guesses of the current password are slowed down like those of a log-in', async () => {
  const { anna } = await team();
  const guess = () => patch(anna, '/api/users/me', { password: NEXT, currentPassword: 'a wild guess' });

  for (let i = 0; i < 5; i += 1) expect((await guess()).status).toBe(422);

  const sixth = await guess();
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('Retry-After'))).toBeGreaterThan(0);
});

test('administrators alone list, add and change users; a user may read itself', async () => {
  const { app, anna } = await team();
  for (const [method, path] of [
    ['GET', '/api/users'],
    ['POST', '/api/users'],
    ['PATCH', '/api/users/2'],
  ] as const) {
    const options = method === 'GET' ? {} : { body: {}, headers: method === 'PATCH' ? MERGE : {} };
    const answer = await anna(method, path, options);
    expect(answer.status).toBe(403);
    expect(answer.json['message']).toBe('Access Denied.');
    expect((await app.call(method, path, options)).status).toBe(401);
  }
  expect((await anna('GET', '/api/users/1')).status).toBe(404);
  expect((await patch(anna, '/api/users/1', {})).status).toBe(404);
  expect((await anna('DELETE', '/api/users/2')).headers.get('Allow')).toBe('GET, HEAD, PATCH');
});

test('an administrator adds a user, who can log in', async () => {
  const { app, admin } = await team();
  const body = { username: ' Eva@Example.org ', password: NEXT, firstName: 'Eva', roles: ['ROLE_ADMIN'] };

  const { status, json, headers } = await admin('POST', '/api/users', { body });

  expect(status).toBe(201);
  expect(headers.get('Location')).toBe('/api/users/4');
  expect(json).toMatchObject({
    username: 'eva@example.org',
    firstName: 'Eva',
    roles: ['ROLE_USER', 'ROLE_ADMIN'],
  });
  expect(json).not.toHaveProperty('password');
  expect((await login(app, NEXT, 'eva@example.org')).status).toBe(200);
  const again = await admin('POST', '/api/users', { body: { ...body, username: 'EVA@example.org' } });
  expect(again.json['errors']).toEqual({ username: 'This value is already used.' });
});

test('rights follow the user at once; closing an account ends its tokens, opening it gives none back', async () => {
  const { app, admin, anna } = await team();
  const change = (body: object) => patch(admin, '/api/users/2', body);

  expect((await change({ roles: ['ROLE_ADMIN'] })).json['roles']).toEqual(['ROLE_USER', 'ROLE_ADMIN']);
  expect((await anna('GET', '/api/users')).status).toBe(200);
  await change({ roles: [] });
  expect((await anna('GET', '/api/users')).status).toBe(403);

  expect((await change({ enabled: false })).json['enabled']).toBe(false);
  expect((await anna('GET', '/api/users/me')).status).toBe(401);
  expect((await login(app, PASSWORD)).status).toBe(401);
  await change({ enabled: true });
  expect((await anna('GET', '/api/users/me')).status).toBe(401);
  expect((await login(app, PASSWORD)).status).toBe(200);
  expect((await change({ enabled: 'no' })).json['errors']).toEqual({
    enabled: 'This value should be of type boolean.',
  });
});

test('an administrator sets the password of another without knowing the old one, its own not so', async () => {
  const { app, admin } = await team();

  expect((await patch(admin, '/api/users/2', { password: PASSWORD })).status).toBe(200);
  expect((await patch(admin, '/api/users/2', { password: NEXT })).status).toBe(200);
  expect((await login(app, NEXT)).status).toBe(200);
  const own = await patch(admin, '/api/users/1', { password: NEXT });
  expect(own.json['errors']).toEqual({ currentPassword: BLANK });
});

test('nor does an administrator take another address without the password: links to set one go there', async () => {
  const { app, admin } = await team();
  const move = (body: object) => patch(admin, '/api/users/1', { username: 'new@example.org', ...body });

  expect((await move({})).json['errors']).toEqual({ currentPassword: BLANK });
  expect((await move({ currentPassword: 'a wild guess' })).status).toBe(422);
  expect((await patch(admin, '/api/users/1', { username: 'ADMIN@example.org' })).status).toBe(200);
  const taken = await move({ username: 'anna@example.org', currentPassword: PASSWORD });
  expect(taken.json['errors']).toEqual({ username: 'This value is already used.' });
  expect((await move({ currentPassword: PASSWORD })).json['username']).toBe('new@example.org');
  expect((await login(app, PASSWORD, 'new@example.org')).status).toBe(200);
});

test('what was done to an account, and by whom, stands in the history', async () => {
  const { app, admin } = await team();

  await patch(admin, '/api/users/2', { firstName: 'Anna', roles: ['ROLE_ADMIN'], password: NEXT });
  await patch(admin, '/api/users/2', { firstName: 'Anna', roles: ['ROLE_ADMIN'], enabled: false });
  await patch(admin, '/api/users/2', { lastName: 'Weber', roles: [], enabled: true });

  const entries = app.ctx.db.raw
    .prepare("SELECT what FROM history WHERE actor = 'user:admin@example.org' ORDER BY id")
    .pluck();
  expect(entries.all()).toEqual([
    'user.changed',
    'user.promoted',
    'user.password_set',
    'user.disabled',
    'user.changed',
    'user.demoted',
    'user.enabled',
  ]);
});

test('a user chooses the language, an administrator for everybody; null goes back to that of the service', async () => {
  const { admin, anna } = await team();

  expect((await patch(anna, '/api/users/me', { locale: 'fr' })).json).toMatchObject({ locale: 'fr' });
  expect((await patch(admin, '/api/users/2', { locale: 'en' })).json).toMatchObject({ locale: 'en' });
  expect((await patch(anna, '/api/users/me', { locale: 'de' })).status).toBe(422);
  expect((await patch(anna, '/api/users/me', { phone: '+33612345678' })).json).toMatchObject({
    locale: 'en',
  });
  expect((await patch(anna, '/api/users/me', { locale: null })).json).not.toHaveProperty('locale');
});

test('whom an administrator adds without a password is invited to set one', async () => {
  const { app, admin } = await team();

  const added = await admin('POST', '/api/users', { body: { username: 'carl@example.org' } });

  expect(added.status).toBe(201);
  const invitations = "SELECT subject FROM history WHERE what = 'user.invited'";
  expect(app.ctx.db.raw.prepare(invitations).pluck().all()).toEqual([`user:${String(added.json['id'])}`]);
});
