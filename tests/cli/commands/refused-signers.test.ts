/**
 * Names and words that the signature provider refuses: brought into its form or refused where they are entered, told before a start
 * where they were stored earlier; what it refuses nevertheless is told in its words.
 */
import { keepDueAt } from '../../../src/core/requests/due-date.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { officeOn, PASSWORD } from '../../server/admin/support.js';
import { aContractPdf } from '../../sandbox/support.js';
import { json, startCli, type Cli } from '../support.js';

const TYPED = { firstName: 'José'.normalize('NFD'), lastName: ' O’Brien\u00a0 Müller ' };
const STORED = { firstName: 'José', lastName: "O'Brien Müller" };

async function anOffice() {
  const cli = await startCli();
  const office = await officeOn(cli);
  const login = async (username: string) => {
    const body = JSON.stringify({ username, password: PASSWORD });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await office.app.request('/api/login_check', { method: 'POST', headers, body });
    const { token } = (await answer.json()) as { token: string };
    return async (method: string, path: string, sent: object) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const init = { method, headers: { Authorization: `Bearer ${token}`, 'Content-Type': type } };
      const answer = await office.app.request(path, { ...init, body: JSON.stringify(sent) });
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
    };
  };
  return { cli, office, login };
}

type Enter = (fields: { firstName: string; lastName: string }) => Promise<unknown>;

/** Every way in which names are entered. */
async function entries(): Promise<{ cli: Cli; ways: [string, Enter][] }> {
  const { cli, office, login } = await anOffice();
  const [staff, anna] = [await office.staff(), await office.addPerson('anna@example.org', 'ROLE_USER')];
  const [admin, self] = [await login('office@acme.test'), await login('anna@example.org')];
  const options = (it: Parameters<Enter>[0]) => ['--first-name', it.firstName, '--last-name', it.lastName];
  let made = 0;
  const another = () => `new${(made += 1)}@example.org`;
  return {
    cli,
    ways: [
      [
        'create by API',
        (names) => admin('POST', '/api/users', { username: another(), password: PASSWORD, ...names }),
      ],
      ['change by API', (names) => admin('PATCH', `/api/users/${anna.id}`, names)],
      ['change of oneself', (names) => self('PATCH', '/api/users/me', names)],
      ['users create', (names) => cli.run('users', 'create', another(), '--invite', ...options(names))],
      ['users edit', (names) => cli.run('users', 'edit', String(anna.id), ...options(names))],
      [
        'form to add',
        async (names) => {
          await staff.get('/admin/users/new');
          return staff.submit('/admin/users/new', { username: another(), role: 'ROLE_USER', ...names });
        },
      ],
      [
        'form to change',
        async (names) => {
          await staff.get(`/admin/users/${anna.id}`);
          return staff.submit(`/admin/users/${anna.id}/profile`, { username: anna.username, ...names });
        },
      ],
    ],
  };
}

test('names are brought into the provider’s form wherever they are entered', async () => {
  const { cli, ways } = await entries();
  const stored = cli.ctx.db.raw.prepare(
    'SELECT firstName, lastName FROM users ORDER BY updatedAt DESC, id DESC',
  );
  for (const [way, enter] of ways) {
    cli.ctx.db.raw.exec(`UPDATE users SET firstName = 'A', lastName = 'B', updatedAt = '2020-01-01'`);
    await enter(TYPED);
    expect([way, stored.get()]).toEqual([way, STORED]);
  }
});

test('a letter that the provider does not take is refused wherever it is entered, and named', async () => {
  const { cli, ways } = await entries();
  const before = cli.ctx.db.raw.prepare('SELECT * FROM users').all();
  for (const [way, enter] of ways) {
    const answer = JSON.stringify(await enter({ firstName: 'Thị', lastName: 'Nguyễn' }));
    expect([way, answer]).toEqual([way, expect.stringMatching(/not “ị”.*not “ễ”/s)]);
  }
  expect(cli.ctx.db.raw.prepare('SELECT * FROM users').all()).toEqual(before);
});

/** A request that waits to be sent to somebody who was entered when more was taken. */
async function enteredBefore(fields: Record<string, string>) {
  const cli = await startCli();
  const user = await cli.addUser();
  const { id } = await cli.addRequest(user);
  for (const [field, value] of Object.entries(fields))
    cli.ctx.db.raw.prepare(`UPDATE users SET ${field} = ? WHERE id = ?`).run(value, user.id);
  await cli.ctx.writer.write((db) => keepDueAt(db, id));
  return { cli, id, user };
}

interface Entry {
  kind: string;
  requestId: number;
  what: string;
  next: string;
}

const todo = async (cli: Cli) => json(await cli.run('todo', '--json')) as unknown as Entry[];

async function doctor(cli: Cli): Promise<{ message: string; fix: string } | undefined> {
  const { checks } = json(await cli.run('doctor', '--json')) as unknown as {
    checks: { name: string; message: string; fix: string }[];
  };
  return checks.find(({ name }) => name === 'customers');
}

const typed = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? (word as string)).slice(1);

test.each([
  [{ lastName: 'O’Brien' }, '’', `--last-name "O'Brien"`],
  [{ firstName: 'Zoé'.normalize('NFD') }, '\u0301', '--first-name Zoé'],
  [{ firstName: 'Thị', lastName: 'Nguyễn' }, 'ị', '--first-name Thi --last-name Nguyên'],
])(
  '%j, entered before, is told by todo and doctor, and the command fixes it',
  async (names, letter, options) => {
    const { cli, id, user } = await enteredBefore(names);

    const [entry, ...more] = await todo(cli);
    expect(entry).toMatchObject({
      kind: 'not_sent',
      requestId: id,
      what: expect.stringContaining(`“${letter}”`),
      next: `esignctl users edit ${user.id} ${options}`,
    });
    expect(more).toEqual([]);
    const check = await doctor(cli);
    expect(check?.message).toContain(`not “${letter}”`);
    expect(check?.fix).toContain(`esignctl users edit ${user.id} ${options}`);
    expect((await cli.run('start-signature', String(id))).code).not.toBe(0);

    expect((await cli.run(...typed(entry?.next ?? ''))).code).toBe(0);
    expect([await todo(cli), await doctor(cli)]).toEqual([[], undefined]);
    expect((await cli.run('start-signature', String(id))).code).toBe(0);
  },
);

/** The phone is checked on input, so that only the provider finds this one. */
async function refused(cli: Cli, id: number, ...how: string[]): Promise<void> {
  cli.ctx.db.raw.exec(`UPDATE users SET phone = '+12'`);
  expect((await cli.run(...how, String(id))).code).not.toBe(0);
  cli.ctx.db.raw.exec('UPDATE users SET phone = NULL');
}

test.each([
  ['start', ['start-signature']],
  ['reset', ['reset-signature', '--yes']],
])(
  'a %s that the provider refused is told with its reason and field, until another attempt',
  async (what, how) => {
    const cli = await startCli();
    const id = what === 'start' ? (await cli.addRequest()).id : (await cli.waitingRequest()).request.id;
    await refused(cli, id, ...how);

    const reason = 'info.phone_number: This value is not a valid E.164 phone number.';
    for (const offline of [[], ['--offline']]) {
      const { findings } = json(await cli.run('explain', String(id), '--json', ...offline)) as unknown as {
        findings: { key: string; message: string; next: string }[];
      };
      expect(findings[0]).toMatchObject({
        key: `${what}_unfinished`,
        cause: 'refused',
        message: expect.stringContaining(reason),
        next: `esignctl ${how[0]} ${id}`,
      });
    }
    expect(await todo(cli)).toMatchObject([
      { kind: 'not_sent', requestId: id, what: expect.stringContaining(reason) },
    ]);

    cli.sandbox.faults.add('signature.create:reset:1');
    expect((await cli.run(...how, String(id))).code).not.toBe(0);
    expect((await todo(cli))[0]?.what).toContain('was interrupted');
    expect((await cli.run(...how, String(id))).code).toBe(0);
    expect(await todo(cli)).toEqual([]);
  },
);

test('a contract that the provider refused in the last step is not taken for one that the customer may have', async () => {
  const cli = await startCli();
  const { id } = await cli.addRequest();
  // The place of a second signer, who does not exist, is noticed when the contract is to be sent.
  const pdf = join(cli.dataDir, 'own.pdf');
  writeFileSync(pdf, await aContractPdf('{{s2|signature|85|37}}'));
  expect((await cli.run('start-signature', String(id), '--pdf', pdf)).code).not.toBe(0);
  expect((await todo(cli))[0]?.what).toMatch(/received nothing.*rejected.*a signature field/);

  writeFileSync(pdf, await aContractPdf());
  expect((await cli.run('start-signature', String(id), '--pdf', pdf)).code).toBe(0);
});

test.each([
  ['create:401', 'refuses the API key', 'doctor', 'start-signature'],
  ['create:403', 'answered 403 (A given feature is required to perform this action.)', 'doctor'],
  ['create:404_html', 'something else at the address in ESIGN_API_URL', 'doctor', 'start-signature'],
  ['create:429', 'answered 429 (API rate limit exceeded)', 'start-signature'],
  ['upload:503', 'answered 503', 'start-signature'],
  ['activate:403', 'answered 403 (A given feature is required to perform this action.)', 'doctor'],
])(
  'signature.%s: why the contract was not sent is told later too; what to do then, by how it answers now',
  async (fault, why, next, asked = next) => {
    const cli = await startCli();
    const { id } = await cli.addRequest();
    cli.sandbox.faults.add(`signature.${fault}:1`);
    expect((await cli.run('start-signature', String(id))).code).not.toBe(0);
    const [{ what, next: advised } = {}, ...more] = await todo(cli);
    expect(what).toContain(why);
    expect(what).toContain('received nothing');
    expect([advised?.split(' ')[1], more]).toEqual([next, []]);
    const { findings } = json(await cli.run('explain', String(id), '--json')) as { findings: object[] };
    expect(findings).toMatchObject([
      {
        key: 'start_unfinished',
        cause: 'refused',
        message: what,
        next: `esignctl ${asked} ${asked === 'doctor' ? '' : id}`.trim(),
      },
    ]);
  },
);
