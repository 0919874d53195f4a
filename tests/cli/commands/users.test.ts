/** esignctl users: list, set-password, disable, enable; and that every change says who and why in the history. */
import { describe, expect, test } from 'vitest';
import { LOCALES } from '../../../src/core/users/user-fields.js';
import { verifyPassword } from '../../../src/core/users/passwords.js';
import type { HistoryRow, UserRow } from '../../../src/db/schema.js';
import { commandOf } from '../../support/command-line.js';
import { type Cli, json, jsonError, startCli } from '../support.js';

const PASSWORD = 'correct horse battery';

const userNamed = (cli: Cli, username: string) =>
  cli.ctx.db.raw.prepare('SELECT * FROM users WHERE username = ?').get(username) as UserRow;

const historyOf = (cli: Cli, what: string) =>
  (cli.ctx.db.raw.prepare('SELECT * FROM history WHERE what = ?').all(what) as HistoryRow[]).map(
    ({ actor, detail, requestId }) => ({ actor, requestId, ...(JSON.parse(detail) as object) }),
  );

test('--locale takes the languages that core knows; edit takes none of them away', async () => {
  const choices = (verb: string) =>
    commandOf(['users', verb])?.options.find(({ long }) => long === '--locale')?.argChoices;
  expect(choices('create')).toEqual(LOCALES);
  expect(choices('edit')).toEqual([...LOCALES, 'none']);
});

describe('users', () => {
  test('set-password: from stdin, generated, or asked for; never from the arguments; who and why is kept', async () => {
    const cli = await startCli();
    const { id, username, tokenVersion } = await cli.addUser();

    const ran = await cli.runIn(
      { stdin: `${PASSWORD}\n` },
      'users set-password',
      username.toUpperCase(),
      '--password-stdin',
      '--reason',
      'forgotten',
    );

    expect(ran.code).toBe(0);
    const after = userNamed(cli, username);
    expect(await verifyPassword(after.passwordHash, PASSWORD)).toBe(true);
    expect(after.tokenVersion).toBeGreaterThan(tokenVersion);
    expect(historyOf(cli, 'user.password_set')).toEqual([
      { actor: expect.stringMatching(/^cli:/), requestId: null, userId: id, reason: 'forgotten' },
    ]);
    const generated = await cli.run('users set-password', username, '--generate');
    expect(await verifyPassword(userNamed(cli, username).passwordHash, generated.stdout.trim())).toBe(true);
    expect((await cli.run('users set-password', username)).code).toBe(2);
    expect((await cli.run('users set-password nobody@example.org --generate')).code).toBe(4);
  });
});

describe('roles and invitations', () => {
  test('set-role: by name or number, with the reason; the same again is reported; the last administrator stays', async () => {
    const cli = await startCli();
    const { id, username } = await cli.addUser();

    expect((await cli.run('users set-role', username, 'admin', '--dry-run')).stdout).toContain(
      'would now be an administrator',
    );
    expect(userNamed(cli, username).role).toBe('ROLE_USER');
    const ran = await cli.run('users set-role', username, 'admin', '--reason', 'runs the office', '--json');
    expect(json(ran)).toMatchObject({ id, roles: ['ROLE_USER', 'ROLE_ADMIN'] });
    expect((await cli.run(`users set-role ${id} admin`)).stdout).toContain('already');
    expect(historyOf(cli, 'user.promoted')).toMatchObject([{ userId: id, reason: 'runs the office' }]);

    for (const flags of [['--dry-run'], []]) {
      const refusal = await cli.run('users set-role', username, 'user', ...flags, '--json');
      expect([refusal.code, jsonError(refusal).code]).toEqual([3, 'last_administrator']);
    }
    expect(userNamed(cli, username).role).toBe('ROLE_ADMIN');
    expect((await cli.run('users set-role', username, 'king')).code).toBe(2);
    expect((await cli.run('users set-role 999 user')).code).toBe(4);
  });

  test('create --invite and invite: a mail with a link, until there is a password; nothing on a dry run', async () => {
    const cli = await startCli();
    const mails = () => cli.sandbox.mails().filter(({ to }) => to.includes('anna@example.org'));

    await cli.run('users create anna@example.org --invite --dry-run');
    expect(userNamed(cli, 'anna@example.org')).toBeUndefined();
    const made = await cli.run('users create Anna@example.org --invite');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^created user 1 anna@example.org as user; a mail with a link .*\n$/);
    await cli.drain();
    await cli.run('users invite anna@example.org --dry-run');
    await cli.drain();
    expect(mails()).toHaveLength(1);
    await cli.run('users invite 1 --reason', 'did not find the mail');
    await cli.drain();
    expect(mails()).toHaveLength(2);
    expect(historyOf(cli, 'user.invited')).toMatchObject([{}, { reason: 'did not find the mail' }]);

    await cli.run('users set-password anna@example.org --generate');
    const refusal = await cli.run('users invite anna@example.org --json');
    expect([refusal.code, jsonError(refusal).code]).toEqual([3, 'has_password']);
  });
});

test('--password-stdin: an administrator with names and phone, whose password is what stood on stdin', async () => {
  const cli = await startCli();

  const ran = await cli.runIn(
    { stdin: `${PASSWORD}\n` },
    'users create Anna@Example.org --role=admin --first-name=Anna --last-name=Martin',
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
    address: null,
    locale: null,
    roles: expect.arrayContaining(['ROLE_ADMIN']),
    enabled: true,
    createdAt: expect.stringMatching(/Z$/),
  });
  const row = userNamed(cli, 'anna@example.org');
  expect(row.role).toBe('ROLE_ADMIN');
  expect(await verifyPassword(row.passwordHash, PASSWORD)).toBe(true);
});

test('--generate: the password is alone on stdout, once, and works', async () => {
  const cli = await startCli();

  const { code, stdout, stderr } = await cli.run('users create bert@example.org --generate');

  expect(code).toBe(0);
  expect(stdout).toMatch(/^[A-Za-z2-9]{24}\n$/);
  expect(stderr).toMatch(/^created user \d+ bert@example\.org as user/);
  const row = userNamed(cli, 'bert@example.org');
  expect(row.role).toBe('ROLE_USER');
  expect(await verifyPassword(row.passwordHash, stdout.trim())).toBe(true);
});

test('without a terminal and without an option for the password: exit 2 that names each, the invitation too', async () => {
  const cli = await startCli();
  const { code, stdout, stderr } = await cli.run('users create anna@example.org');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('--invite, --password-stdin or --generate');
  expect(userNamed(cli, 'anna@example.org')).toBeUndefined();
});

test.each([
  ['too short', 'short\n', 'password: Too short: at least 12 characters.'],
  ['empty', '', 'password: This field is required.'],
  ['blank', '\u00a0'.repeat(14), 'password: This field is required.'],
  ['two lines', `${PASSWORD}\nmore\n`, 'more than one line'],
  ['endless', 'x'.repeat(10_000), 'too long'],
])('a password on stdin that is %s: exit 2, nobody is created', async (_, stdin, sentence) => {
  const cli = await startCli();
  const { code, stderr } = await cli.runIn({ stdin }, 'users create anna@example.org --password-stdin');
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain(PASSWORD);
  expect(userNamed(cli, 'anna@example.org')).toBeUndefined();
});

test('every wrong field is named, before any password is asked for; a taken name too', async () => {
  const cli = await startCli();
  const wrong = await cli.run('users create anna --phone 0612 --json');
  expect(wrong.code).toBe(2);
  expect(jsonError(wrong)).toMatchObject({
    code: 'invalid_input',
    message:
      'Validation failed. username: Enter a valid e-mail address. phone: Enter a complete phone number with its country code, such as +33 6 12 34 56 78.',
  });

  await cli.run('users create anna@example.org --generate');
  const taken = await cli.run('users create ANNA@example.org --generate');
  expect(taken).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('username: This is already in use.'),
  });
});
