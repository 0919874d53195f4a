/** esignctl users create: the first account of an installation, its password from prompt, stdin or chance. */
import { expect, test } from 'vitest';
import { verifyPassword } from '../../../src/core/users/passwords.js';
import type { UserRow } from '../../../src/db/schema.js';
import { json, jsonError, startCli, type Cli } from '../support.js';

const PASSWORD = 'correct horse battery';

function user(cli: Cli, username: string): UserRow | undefined {
  return cli.ctx.db.raw.prepare('SELECT * FROM users WHERE username = ?').get(username) as
    | UserRow
    | undefined;
}

test('--password-stdin: an administrator with names and phone, whose password is what stood on stdin', async () => {
  const cli = await startCli();

  const ran = await cli.runIn(
    { stdin: `${PASSWORD}\n` },
    'users',
    'create',
    'Anna@Example.org',
    '--role=admin',
    '--first-name=Anna',
    '--last-name=Martin',
    '--phone=+33 6.12-34 56 78',
    '--password-stdin',
    '--json',
  );

  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(json(ran)).toEqual({
    id: expect.any(Number),
    username: 'anna@example.org',
    firstName: 'Anna',
    lastName: 'Martin',
    phone: '+33612345678',
    locale: null,
    roles: expect.arrayContaining(['ROLE_ADMIN']),
    enabled: true,
    createdAt: expect.stringMatching(/Z$/),
  });
  const row = user(cli, 'anna@example.org') as UserRow;
  expect(row.role).toBe('ROLE_ADMIN');
  expect(await verifyPassword(row.passwordHash, PASSWORD)).toBe(true);
});

test('--generate: the password is alone on stdout, once, and works', async () => {
  const cli = await startCli();

  const { code, stdout, stderr } = await cli.run('users', 'create', 'bert@example.org', '--generate');

  expect(code).toBe(0);
  expect(stdout).toMatch(/^[A-Za-z2-9]{24}\n$/);
  expect(stderr).toMatch(/^created user \d+ bert@example\.org as user/);
  const row = user(cli, 'bert@example.org') as UserRow;
  expect(row.role).toBe('ROLE_USER');
  expect(await verifyPassword(row.passwordHash, stdout.trim())).toBe(true);
});

test('--generate --json: the document has the password, and no two are alike', async () => {
  const cli = await startCli();
  const passwords = new Set<string>();
  for (const name of ['a', 'b', 'c']) {
    const ran = await cli.run('users', 'create', `${name}@example.org`, '--generate', '--json');
    passwords.add(json(ran)['password'] as string);
  }
  expect(passwords.size).toBe(3);
});

test('without a terminal and without an option for the password: exit 2 that names both', async () => {
  const cli = await startCli();
  const { code, stdout, stderr } = await cli.run('users', 'create', 'anna@example.org');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--password-stdin or --generate');
  expect(user(cli, 'anna@example.org')).toBeUndefined();
});

test.each([
  ['too short', 'short\n', 'password: This value is too short'],
  ['empty', '', 'password: This value should not be blank'],
  ['blank', '\u00a0'.repeat(14), 'password: This value should not be blank'],
  ['two lines', `${PASSWORD}\nmore\n`, 'more than one line'],
  ['endless', 'x'.repeat(10_000), 'too long'],
])('a password on stdin that is %s: exit 2, nobody is created', async (_, stdin, sentence) => {
  const cli = await startCli();
  const { code, stderr } = await cli.runIn(
    { stdin },
    'users',
    'create',
    'anna@example.org',
    '--password-stdin',
  );
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain(PASSWORD);
  expect(user(cli, 'anna@example.org')).toBeUndefined();
});

test('every wrong field is named, before any password is asked for; a taken name too', async () => {
  const cli = await startCli();
  const wrong = await cli.run('users', 'create', 'anna', '--phone', '0612', '--json');
  expect(wrong.code).toBe(2);
  expect(jsonError(wrong)).toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/username: .* phone: /),
  });

  await cli.run('users', 'create', 'anna@example.org', '--generate');
  const taken = await cli.run('users', 'create', 'ANNA@example.org', '--generate');
  expect(taken).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('already used') });
});

test('--dry-run checks the fields, asks for no password and creates nobody', async () => {
  const cli = await startCli();
  const { code, stdout } = await cli.run(
    'users',
    'create',
    'anna@example.org',
    '--role',
    'admin',
    '--dry-run',
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'would create anna@example.org as admin\n' });
  expect(user(cli, 'anna@example.org')).toBeUndefined();
});

test('a name that the signature provider would refuse is refused by field, with why', async () => {
  const cli = await startCli();
  const ran = await cli.run(
    'users',
    'create',
    'anna@example.org',
    '--generate',
    '--last-name',
    'Ott & Co.',
    '--json',
  );
  expect(ran.code).toBe(2);
  expect(jsonError(ran).message).toMatch(
    /lastName: The signature provider accepts only common Latin letters/,
  );
  expect(user(cli, 'anna@example.org')).toBeUndefined();
});
