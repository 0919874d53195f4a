import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/errors.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { changeUser, setUserRole } from '../../../src/core/users/change-user.js';
import { createUser, type NewUser } from '../../../src/core/users/create-user.js';
import {
  DUMMY_HASH,
  hashPassword,
  passwordFault,
  verifyPassword,
} from '../../../src/core/users/passwords.js';
import {
  beginSession,
  clearFlash,
  listSessions,
  openSession,
  setFlash,
  type OpenSession,
} from '../../../src/core/users/sessions.js';
import { issueRefreshToken } from '../../../src/core/users/tokens.js';
import { actorOf } from '../../../src/core/users/rights.js';
import { signerEmailFault, signerNameFault } from '../../../src/core/users/signer-fields.js';
import {
  getUser,
  getUserByUsername,
  getUserCalled,
  setPassword,
  setUserEnabled,
} from '../../../src/core/users/users.js';
import { page, walk } from '../../../src/core/users/list-users.js';
import { every } from '../../../src/core/resources/show.js';
import { USERS } from '../../../src/core/resources/users.js';
import { usernameFault } from '../../../src/core/users/user-fields.js';
import type { Place } from '../../../src/core/calls/listing.js';
import type { UserRow } from '../../../src/db/schema.js';
import { listUsers } from '../../../src/db/users/users.js';
import { PASSWORD, startApi } from '../../server/support.js';

const ACTOR = { kind: 'cli', name: 'test' } as const;

async function faultsOf(work: Promise<unknown>): Promise<Record<string, string>> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return (error as AppError).fields;
}

test('a user is stored under its address in lower case, with a role and without its password', async () => {
  const { ctx } = startApi();

  const user = await createUser(
    ctx,
    {
      username: ' Anna@Example.ORG ',
      password: PASSWORD,
      firstName: ' Anna ',
      lastName: ' Weber ',
      phone: '+33612345678',
    },
    ACTOR,
  );

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

test.each([
  ['eleven characters', 'x'.repeat(11)],
  ['129 characters', 'x'.repeat(129)],
  ['a NUL', `${'x'.repeat(12)}\0`],
  ['nothing', ''],
])('a password of %s is refused', (_, password) => {
  expect(passwordFault(password)).toBeDefined();
});

test('passwords of 12 and of 128 characters are accepted, counted as people count', () => {
  expect(passwordFault('x'.repeat(12))).toBeUndefined();
  expect(passwordFault('🔑'.repeat(128))).toBeUndefined();
});

test('a password matches however the keyboard spells its accents, and no other does', async () => {
  const hash = await hashPassword('caf\u00e9 au lait, deux');

  expect(await verifyPassword(hash, 'cafe\u0301 au lait, deux')).toBe(true);
  expect(await verifyPassword(hash, 'cafe au lait, deux')).toBe(false);
});

test('the hash that stands in for unknown users costs what a real one costs', async () => {
  const costOf = (hash: string) => hash.split('$').slice(1, 4);

  expect(costOf(DUMMY_HASH)).toEqual(costOf(await hashPassword(PASSWORD)));
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

test.each(['', ' ', '\u200b'])('the name %j for a log-in counts as none', (username) => {
  expect(usernameFault(username)).toBe('This value should not be blank.');
});

test.each(['a`id`@example.org', '$home@example.org', '--yes@example.org'])(
  '%s would be run by a shell, or taken for an option, in an advised command: it is refused',
  (username) => expect(usernameFault(username)).toBe('This value should not begin with - or contain ` or $.'),
);

test('nobody who is not there is changed', async () => {
  const { ctx, addUser } = startApi();
  const admin = await addUser('admin@example.org', { role: 'ROLE_ADMIN' });

  const changing = changeUser(ctx, admin, 999, { firstName: 'Anna' });

  await expect(changing).rejects.toMatchObject({ kind: 'not_found' });
});

test('opening an account that is open ends none of its log-ins, and is not logged again', async () => {
  const app = startApi();
  const { id } = await app.addUser('anna@example.org');
  const body = { username: 'anna@example.org', password: PASSWORD };
  const { refresh_token } = (await app.call('POST', '/api/login_check', { body })).json;

  await setUserEnabled(app.ctx, id, true, ACTOR);

  expect((await app.call('POST', '/api/token/refresh', { body: { refresh_token } })).status).toBe(200);
  expect(app.logged().filter(({ msg }) => msg === 'user enabled')).toEqual([]);
  await setUserEnabled(app.ctx, id, false, ACTOR);
  expect(app.logged()).toContainEqual(expect.objectContaining({ msg: 'user disabled', userId: id }));
});

test('closing an account twice is the same as once', async () => {
  const { ctx, addUser } = startApi();
  await addUser('anna@example.org');
  const { id, tokenVersion } = getUserByUsername(ctx, 'anna@example.org');

  await setUserEnabled(ctx, id, false, ACTOR);
  const closed = await setUserEnabled(ctx, id, false, ACTOR);

  expect(closed).toMatchObject({ enabled: 0, tokenVersion: tokenVersion + 1 });
});

test('a user that is not there is not found', () => {
  const { ctx } = startApi();
  expect(() => getUser(ctx, 999)).toThrowError(expect.objectContaining({ kind: 'not_found' }));
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
  expect((both[1] as PromiseRejectedResult).reason).toMatchObject({ code: 'last_administrator' });
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
});

test('no refresh token is issued to an account that was closed, or got a new password, since it was proved', async () => {
  const { ctx, addUser } = startApi();
  const user = await addUser('anna@example.org');
  expect(await issueRefreshToken(ctx, { ...user, tokenVersion: user.tokenVersion + 1 })).toBeUndefined();
  expect(await issueRefreshToken(ctx, { ...user, id: 999 })).toBeUndefined();
  ctx.db.raw.exec('UPDATE users SET enabled = 0');
  expect(await issueRefreshToken(ctx, user)).toBeUndefined();
});

describe('a session of the back office', () => {
  const FROM = { address: '192.0.2.7', agent: 'x'.repeat(1_000) };

  async function anAdministrator() {
    const app = startApi();
    const user = await app.addUser('admin@example.org', { role: 'ROLE_ADMIN' });
    const begin = async () => (await beginSession(app.ctx, user, FROM)) as string;
    return { ...app, user, begin };
  }

  test('does not begin for an account that was closed, or got a new password, since it was proved', async () => {
    const { ctx, user } = await anAdministrator();
    await setPassword(ctx, user.id, 'another good one', ACTOR);
    expect(await beginSession(ctx, user, FROM)).toBeUndefined();
    expect(await beginSession(ctx, getUser(ctx, user.id), FROM)).toBeDefined();
    expect(await beginSession(ctx, { ...user, id: 999 }, FROM)).toBeUndefined();

    ctx.db.raw.prepare('UPDATE users SET enabled = 0 WHERE id = ?').run(user.id);
    expect(await beginSession(ctx, getUser(ctx, user.id), FROM)).toBeUndefined();
  });

  test('is not open once its account is closed', async () => {
    const { ctx, user, begin } = await anAdministrator();
    const token = await begin();
    ctx.db.raw.prepare('UPDATE users SET enabled = 0 WHERE id = ?').run(user.id);
    expect(await openSession(ctx, token)).toBeUndefined();
    expect(await openSession(ctx, 'another token')).toBeUndefined();
  });

  test('is stored as seen once a minute, and its browser by no more than a few words', async () => {
    const { ctx, clock, begin } = await anAdministrator();
    const token = await begin();
    const seenAfter = async (ms: number) => {
      clock.advance(ms);
      await openSession(ctx, token);
      return Date.parse((await openSession(ctx, token))?.session.lastSeenAt ?? '');
    };
    const begun = clock.now().getTime();
    expect(await seenAfter(59_999)).toBe(begun);
    expect(await seenAfter(1)).toBe(begun + 60_000);
    expect((await openSession(ctx, token))?.session.agent).toMatch(/^x{20,500}$/);
  });

  test('is listed as long as it is open', async () => {
    const { ctx, clock, user, begin } = await anAdministrator();
    await begin();
    clock.advance(2 * 3_600_000);
    await begin();
    expect(listSessions(ctx, user).map(({ id }) => id)).toEqual([2]);
  });

  test('keeps a message for the next page, which shows it once', async () => {
    const { ctx, begin } = await anAdministrator();
    const token = await begin();
    const open = async () => (await openSession(ctx, token)) as OpenSession;
    const flash = { type: 'success', message: 'Done.' } as const;

    expect(await clearFlash(ctx, await open())).toBeUndefined();
    await setFlash(ctx, await open(), flash);
    expect(await clearFlash(ctx, await open())).toEqual(flash);
    expect(await clearFlash(ctx, await open())).toBeUndefined();
  });
});

test.each([
  ['anna@example.org', undefined],
  ['änna@example.org', expect.stringContaining('unaccented')],
  ['anna@localhost', expect.stringContaining('domain')],
])('the signature provider takes the address %j or says why not', (address, fault) => {
  expect(signerEmailFault(address)).toEqual(fault);
});

test('the letter that the signature provider does not take in a name is named', () => {
  expect(signerNameFault('Anna Maria')).toBeUndefined();
  expect(signerNameFault('Anna & Ben')).toContain('not “&”');
});

test('the signature provider takes names of up to 255 characters', () => {
  expect(signerNameFault('x'.repeat(255))).toBeUndefined();
  expect(signerNameFault('x'.repeat(256))).toBeDefined();
});

test('users are found by their words, in the order asked for, and walked from one to the next', async () => {
  const { ctx, addUser } = startApi();
  for (const name of ['ben', 'anna', 'annabel']) await addUser(`${name}@example.org`);
  const names = (search: string | null, by: 'createdAt' | 'username', past?: Place) => {
    const wanted = {
      filter: { search, username: null },
      order: { by, direction: 'asc' },
      ownerId: null,
    } as const;
    return walk(ctx, { ...wanted, past, limit: 9 }).map(({ username }) =>
      username.replace('@example.org', ''),
    );
  };

  expect(names(null, 'createdAt')).toEqual(['ben', 'anna', 'annabel']);
  expect(names(null, 'username')).toEqual(['anna', 'annabel', 'ben']);
  expect(names(null, 'username', { id: 2, key: 'anna@example.org' })).toEqual(['annabel', 'ben']);
  expect(names('anna', 'createdAt')).toEqual(['anna', 'annabel']);
  expect(names('anna', 'createdAt', { id: 2 })).toEqual(['annabel']);
});

test('a file of all users leaves out none when the one that was read last gets another address meanwhile', async () => {
  const { ctx, addUser } = startApi();
  await addUser('0@example.org');
  ctx.db.raw.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
    INSERT INTO users (username, passwordHash, firstName, lastName, role, enabled, createdAt, updatedAt)
    SELECT printf('%03d@example.org', n), '', '', '', 'ROLE_USER', 1, createdAt, createdAt FROM users, numbers`);
  const wanted = {
    filter: { search: null, username: null },
    order: { by: 'username', direction: 'asc' },
    ownerId: null,
  } as const;
  const ids: number[] = [];
  for (const { id } of every(USERS, { walk, page }, ctx, wanted)) {
    ids.push(id);
    if (ids.length === 500)
      ctx.db.raw.prepare("UPDATE users SET username = 'z@example.org' WHERE id = ?").run(id);
  }
  expect(new Set(ids).size).toBe(601);
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
