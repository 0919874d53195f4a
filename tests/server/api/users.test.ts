/** /api/users: everybody's own profile, all users for administrators, and what ends tokens. */
import { expect, test } from 'vitest';
import { apiFor, PASSWORD } from '../support.js';

const NEXT = 'another good pass phrase';
const ME = '/api/users/me';

/** Users 1 to 3. */
async function team() {
  const app = await apiFor(['admin', 'anna', 'ben']);
  return {
    ...app,
    change: (id: number, body: object) => app.admin('PATCH', `/api/users/${id}`, { body }),
    changeMe: (body: object) => app.anna('PATCH', ME, { body }),
    login: (password: string, username = 'anna@example.org') =>
      app.call('POST', '/api/login_check', { body: { username, password } }),
  };
}

test('a user sees itself under its own IRI, with nothing of its password', async () => {
  const { anna } = await team();

  const me = await anna('GET', ME);

  expect(me.json).toEqual({
    '@context': '/api/contexts/User',
    '@id': '/api/users/2',
    '@type': 'User',
    id: 2,
    username: 'anna@example.org',
    firstName: 'Eve',
    lastName: 'Martin',
    roles: ['ROLE_USER'],
    enabled: true,
    createdAt: '2026-03-02T09:14:07+00:00',
  });
  expect(me.headers.get('Content-Location')).toBe('/api/users/2');
  for (const path of ['/api/users/2', '/api/v1/users/me'])
    expect((await anna('GET', path)).json).toEqual(me.json);
  // Its own, as an administrator would change it.
  expect((await anna('PATCH', '/api/users/2', { body: {} })).status).toBe(403);
});

test('a user changes its names, phone and language; what it may not write is ignored; null clears', async () => {
  const { change, changeMe } = await team();
  const names = { firstName: ' Anna ', lastName: ' Weber ', phone: '+33 (0)6 12.34-56 78', locale: 'fr' };
  const kept = { id: 2, username: 'anna@example.org', roles: ['ROLE_USER'], enabled: true };

  const strange = { id: 9, username: 'x', roles: ['ROLE_ADMIN'], enabled: false };
  const { status, json } = await changeMe({ ...names, ...strange });

  const stored = { firstName: 'Anna', lastName: 'Weber', phone: '+33612345678', locale: 'fr' };
  expect([status, json]).toMatchObject([200, { ...kept, ...stored }]);
  expect((await change(2, { locale: 'en' })).json).toMatchObject({ ...stored, locale: 'en' });
  expect((await changeMe({ firstName: 'Anne' })).json).toMatchObject({
    ...stored,
    locale: 'en',
    firstName: 'Anne',
  });
  const cleared = await changeMe({ phone: null, lastName: null, locale: null });
  expect(cleared.json).toMatchObject({ firstName: 'Anne', lastName: '' });
  for (const gone of ['phone', 'locale']) expect(cleared.json).not.toHaveProperty(gone);
  const longest = 'x'.repeat(255);
  expect((await changeMe({ firstName: longest })).json['firstName']).toBe(longest);
});

test('a new password ends every token made before, and is the one that counts', async () => {
  const { call, anna, changeMe, login } = await team();
  const other = (await login(PASSWORD)).json;

  expect((await changeMe({ password: NEXT, currentPassword: PASSWORD })).status).toBe(200);

  expect((await anna('GET', ME)).status).toBe(401);
  expect((await call('GET', ME, { token: String(other['token']) })).status).toBe(401);
  const body = { refresh_token: other['refresh_token'] };
  expect((await call('POST', '/api/token/refresh', { body })).status).toBe(401);
  expect([(await login(PASSWORD)).status, (await login(NEXT)).status]).toEqual([401, 200]);
});

test('of two new passwords at once one counts', async () => {
  const { changeMe, login } = await team();
  const passwords = [`${NEXT} 1`, `${NEXT} 2`];

  const both = await Promise.all(
    passwords.map((password) => changeMe({ password, currentPassword: PASSWORD })),
  );

  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  const winner = passwords[both.findIndex(({ status }) => status === 200)] as string;
  expect((await login(winner)).status).toBe(200);
});

test('guesses of the current password are slowed down like those of a log-in', async () => {
  const { changeMe } = await team();
  const guess = () => changeMe({ password: NEXT, currentPassword: 'a wild guess' });

  for (let i = 0; i < 5; i += 1) expect((await guess()).status).toBe(422);

  const sixth = await guess();
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('Retry-After'))).toBeGreaterThan(0);
});

test('an administrator adds a user, who can log in; one without a password is invited to set one', async () => {
  const { ctx, admin, login } = await team();
  const body = { username: ' Eva@Example.org ', password: NEXT, firstName: 'Eva', roles: ['ROLE_ADMIN'] };

  const { status, json, headers } = await admin('POST', '/api/users', { body });

  expect([status, headers.get('Location')]).toEqual([201, '/api/users/4']);
  const made = { username: 'eva@example.org', firstName: 'Eva', roles: ['ROLE_USER', 'ROLE_ADMIN'] };
  expect(json).toMatchObject(made);
  expect(json).not.toHaveProperty('password');
  expect((await login(NEXT, 'eva@example.org')).status).toBe(200);

  expect((await admin('POST', '/api/users', { body: { username: 'carl@example.org' } })).status).toBe(201);
  const invitations = "SELECT subject FROM history WHERE what = 'user.invited'";
  expect(ctx.db.raw.prepare(invitations).pluck().all()).toEqual(['user:5']);
});

test('rights follow the user at once; closing an account ends its tokens, opening it gives none back', async () => {
  const { anna, change, login } = await team();

  expect((await change(2, { roles: ['ROLE_ADMIN'] })).json['roles']).toEqual(['ROLE_USER', 'ROLE_ADMIN']);
  expect((await anna('GET', '/api/users')).status).toBe(200);
  await change(2, { roles: [] });
  expect((await anna('GET', '/api/users')).status).toBe(403);

  for (const [enabled, login200] of [
    [false, 401],
    [true, 200],
  ] as const) {
    expect((await change(2, { enabled })).json['enabled']).toBe(enabled);
    expect((await anna('GET', ME)).status).toBe(401);
    expect((await login(PASSWORD)).status).toBe(login200);
  }
});

test('an administrator sets the password of another without knowing the old one; the own address takes the password', async () => {
  const { change, login } = await team();

  for (const password of [PASSWORD, NEXT]) expect((await change(2, { password })).status).toBe(200);
  expect((await login(NEXT)).status).toBe(200);
  expect((await change(1, { username: 'ADMIN@example.org' })).status).toBe(200);
  const moved = await change(1, { username: 'new@example.org', currentPassword: PASSWORD });
  expect(moved.json['username']).toBe('new@example.org');
  expect((await login(PASSWORD, 'new@example.org')).status).toBe(200);
});

test('what was done to an account, and by whom, stands in the history; and that it was done in the log', async () => {
  const { ctx, admin, change, logged } = await team();

  await change(2, { firstName: 'Anna', roles: ['ROLE_ADMIN'], password: NEXT });
  await change(2, { firstName: 'Anna', roles: ['ROLE_ADMIN'], enabled: false });
  await change(2, { lastName: 'Weber', roles: [], enabled: true });

  await admin('POST', '/api/users', { body: { username: 'carl@example.org', password: NEXT } });

  const entries = ctx.db.raw
    .prepare(
      `SELECT what, subject, detail ->> 'fields' AS fields FROM history
       WHERE actor = 'user:admin@example.org' ORDER BY id`,
    )
    .all();
  const of = (subject: string, deed: string, fields: string | null = null) => ({
    what: `user.${deed}`,
    subject,
    fields,
  });
  expect(entries).toEqual([
    of('user:2', 'changed', '["firstName"]'),
    of('user:2', 'promoted'),
    of('user:2', 'password_set'),
    of('user:2', 'disabled'),
    of('user:2', 'changed', '["lastName"]'),
    of('user:2', 'demoted'),
    of('user:2', 'enabled'),
    of('user:4', 'created'),
  ]);
  const lines = logged().filter(({ msg }) => String(msg).startsWith('user '));
  expect(lines).toMatchObject([
    { msg: 'user changed', userId: 2, fields: ['firstName', 'password', 'role'] },
    { msg: 'user changed', userId: 2, fields: ['firstName', 'enabled', 'role'] },
    { msg: 'user changed', userId: 2, fields: ['lastName', 'enabled', 'role'] },
    { msg: 'user created', userId: 4 },
  ]);
});

test('another address is nobody’s yet; a customer’s is one that the signature provider takes, an administrator’s need not be', async () => {
  const { ctx, change } = await team();
  const changed = async (id: number, username: string) => {
    const { status, json } = await change(id, { username, currentPassword: PASSWORD });
    return [status, json['username'] ?? json['violations']?.[0]?.['message']];
  };
  expect(await changed(2, 'BEN@example.org')).toEqual([422, 'This value is already used.']);
  expect(await changed(2, 'zoé@example.org')).toEqual([422, expect.stringContaining('signature provider')]);
  expect(await changed(1, 'zoé@example.org')).toEqual([200, 'zoé@example.org']);
  // Who has a password is not invited again.
  expect(ctx.db.raw.prepare('SELECT what FROM history').pluck().all()).toEqual(['user.changed']);
});
