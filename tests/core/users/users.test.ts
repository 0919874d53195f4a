/** Users: created, found, opened and closed, and given a role. */
import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/errors.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { setUserRole } from '../../../src/core/users/change-user.js';
import { createUser, inviteUser, type NewUser } from '../../../src/core/users/create-user.js';
import {
  makePasswordLink,
  setPasswordByLink,
  type NewPasswordLink,
} from '../../../src/core/users/password-links.js';
import { verifyPassword } from '../../../src/core/users/passwords.js';
import { actorOf } from '../../../src/core/users/rights.js';
import {
  getUser,
  getUserByUsername,
  getUserCalled,
  setPassword,
  setUserEnabled,
} from '../../../src/core/users/users.js';
import type { UserRow } from '../../../src/db/schema.js';
import { listUsers } from '../../../src/db/users/users.js';
import { rejection } from '../../support/app.js';
import { PASSWORD, startApi } from '../../server/support.js';

const ACTOR = { kind: 'cli', name: 'test' } as const;

const faultsOf = async (work: Promise<unknown>) => ((await rejection(work)) as AppError).fields;

test('a user is stored under its address in lower case, with a role and without its password', async () => {
  const { ctx } = startApi();
  const names = { username: ' Anna@Example.ORG ', firstName: ' Anna ', lastName: ' Weber ' };
  const user = await createUser(ctx, { ...names, password: PASSWORD, phone: '+33612345678' }, ACTOR);
  expect(user).toMatchObject({
    username: 'anna@example.org',
    firstName: 'Anna',
    lastName: 'Weber',
    phone: '+33612345678',
    role: 'ROLE_USER',
    enabled: 1,
  });
  expect(user.passwordHash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(user)).not.toContain(PASSWORD);
  expect(ctx.db.raw.prepare('SELECT what FROM history').pluck().all()).toEqual(['user.created']);
});

test('a name is taken whatever the letter case of who comes second', async () => {
  const { ctx, addUser } = startApi();
  await addUser('anna@example.org');
  const faults = await faultsOf(createUser(ctx, { username: 'ANNA@example.org', password: PASSWORD }, ACTOR));
  expect(faults).toEqual({ username: 'This value is already used.' });
});

test('every field that is wrong is named at once', async () => {
  const { ctx } = startApi();
  const input = {
    username: 'anna@b.test>\r\nRCPT TO:<evil@x.test',
    password: 'short',
    firstName: 'a\u0000b',
    lastName: 'x'.repeat(256),
    phone: '0612345678',
    role: 'ROLE_KING',
  } as unknown as NewUser;
  const faults = await faultsOf(createUser(ctx, input, ACTOR));
  expect(Object.keys(faults).sort()).toEqual([
    'firstName',
    'lastName',
    'password',
    'phone',
    'role',
    'username',
  ]);
});

test('a new password voids tokens made before; the user keeps everything else', async () => {
  const { ctx, addUser } = startApi();
  await addUser('anna@example.org');
  const before = getUserByUsername(ctx, 'Anna@example.org');
  const after = await setPassword(ctx, before.id, 'another good one', ACTOR);
  expect(after.tokenVersion).toBe(before.tokenVersion + 1);
  expect(await verifyPassword(after.passwordHash, 'another good one')).toBe(true);
  expect(await faultsOf(setPassword(ctx, before.id, 'short', ACTOR))).toHaveProperty('password');
});

test('opening an account that is open ends none of its log-ins, and is not told; closing it twice is the same as once', async () => {
  const app = startApi();
  const before = await app.addUser('anna@example.org');
  const { id } = before;
  const body = { username: 'anna@example.org', password: PASSWORD };
  const { refresh_token } = (await app.call('POST', '/api/login_check', { body })).json;
  await setUserEnabled(app.ctx, id, true, ACTOR);
  expect((await app.call('POST', '/api/token/refresh', { body: { refresh_token } })).status).toBe(200);
  expect(app.logged().filter(({ msg }) => msg === 'user enabled')).toEqual([]);
  await setUserEnabled(app.ctx, id, false, ACTOR);
  const { tokenVersion } = await setUserEnabled(app.ctx, id, false, ACTOR);
  // Closed twice is the same as once.
  expect(tokenVersion).toBe(before.tokenVersion + 1);
  expect(app.logged()).toContainEqual(expect.objectContaining({ msg: 'user disabled', userId: id }));
  expect(app.ctx.db.raw.prepare('SELECT what FROM history').pluck().all()).toEqual(['user.disabled']);
});

test('the last enabled administrator stays', async () => {
  const { ctx, addUser } = startApi();
  await addUser('admin@example.org', { role: 'ROLE_ADMIN' });
  await addUser('second@example.org', { role: 'ROLE_ADMIN' });
  const [first, second] = listUsers(ctx.db, { after: 0, limit: 2 }) as [UserRow, UserRow];
  const both = await Promise.allSettled([
    setUserEnabled(ctx, first.id, false, ACTOR),
    setUserEnabled(ctx, second.id, false, ACTOR),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect((both[1] as PromiseRejectedResult).reason).toMatchObject({
    code: 'last_administrator',
    fields: { enabled: 'This is the last administrator who can log in.' },
  });
  expect(getUser(ctx, second.id)).toMatchObject({ enabled: 1 });
});

test('a role is another administrator’s to give; the last one may be given the same again', async () => {
  const { ctx, addUser } = startApi();
  const [first, second] = [
    await addUser('admin@example.org', { role: 'ROLE_ADMIN' }),
    await addUser('b@example.org'),
  ];
  const by = { actor: actorOf(first) };
  await expect(setUserRole(ctx, first.id, 'ROLE_USER', by)).rejects.toMatchObject({ code: 'own_role' });
  const again = setUserRole(ctx, first.id, 'ROLE_ADMIN', { actor: ACTOR, dryRun: true });
  expect(await again).toMatchObject({ role: 'ROLE_ADMIN' });
  expect(await setUserRole(ctx, second.id, 'ROLE_ADMIN', by)).toMatchObject({ role: 'ROLE_ADMIN' });
});

test('somebody is found by number or by address, also by one that begins and ends with digits', async () => {
  const { ctx, addUser } = startApi();
  const { id } = await addUser('1anna@host1');
  expect(getUserCalled(ctx, '1Anna@host1').id).toBe(id);
  ctx.db.raw.exec('UPDATE users SET id = 12');
  expect(getUserCalled(ctx, '12').username).toBe('1anna@host1');
  expect(() => getUser(ctx, 999)).toThrowError(expect.objectContaining({ kind: 'not_found' }));
});

test('who was invited, and who got a password, stands in the log by number', async () => {
  const { ctx, logged } = startApi();
  const anna = await createUser(ctx, { username: 'anna@example.org' }, ACTOR);
  await inviteUser(ctx, anna.id, { actor: ACTOR });
  const order = { mail: 'invitation', userId: anna.id, at: '2026-03-02T09:14:07.250Z' } as const;
  const { url } = (await makePasswordLink(ctx, order)) as NewPasswordLink;
  await setPasswordByLink(ctx, url.slice(-64), PASSWORD);
  await setPassword(ctx, anna.id, PASSWORD, ACTOR);
  const of = (msg: string) => ({ msg, userId: anna.id });
  expect(logged()).toMatchObject([
    { ...of('user created'), role: 'ROLE_USER' },
    of('user invited'),
    of('password set by link'),
    of('password set'),
  ]);
});

test('an invited administrator without a password does not count as one who can log in', async () => {
  const { ctx } = startApi();
  const make = (username: string, password?: string) =>
    createUser(ctx, { username, password, role: 'ROLE_ADMIN' }, ACTOR);
  const anna = await make('anna@example.org', PASSWORD);
  const ben = await make('ben@example.org');
  const demote = () => setUserRole(ctx, anna.id, 'ROLE_USER', { actor: ACTOR });
  await expect(demote()).rejects.toMatchObject({ code: 'last_administrator' });
  await setPassword(ctx, ben.id, PASSWORD, ACTOR);
  expect((await demote()).role).toBe('ROLE_USER');
});

test('the postal address is kept line by line, and goes when the person is erased', async () => {
  const { ctx } = startApi();
  const address = ' 1 rue Haute \r\n\r\n75001 Paris';
  const anna = await createUser(ctx, { username: 'anna@example.org', password: PASSWORD, address }, ACTOR);
  expect(anna.address).toBe('1 rue Haute\n75001 Paris');
  await eraseUser(ctx, anna.id, { actor: ACTOR, reason: 'a letter' });
  expect(getUser(ctx, anna.id).address).toBeNull();
});
