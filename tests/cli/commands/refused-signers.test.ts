/** Who cannot be sent a contract: told before a start where the name was stored earlier; what the provider refuses nevertheless is told in its words. */
import { keepDueAt } from '../../../src/core/requests/due-date.js';
import { expect, test } from 'vitest';
import { json, startCli, type Cli } from '../support.js';

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

const todo = async (cli: Cli) => json(await cli.run('todo --json')) as unknown as Entry[];

async function doctor(cli: Cli): Promise<{ message: string; fix: string } | undefined> {
  const { checks } = json(await cli.run('doctor --json')) as unknown as {
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
    expect((await cli.run(`start-signature ${id}`)).code).not.toBe(0);

    expect((await cli.run(...typed(entry?.next ?? ''))).code).toBe(0);
    expect([await todo(cli), await doctor(cli)]).toEqual([[], undefined]);
    expect((await cli.run(`start-signature ${id}`)).code).toBe(0);
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
      const { findings } = json(await cli.run(`explain ${id} --json`, ...offline)) as unknown as {
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
    expect((await cli.run(`start-signature ${id}`)).code).not.toBe(0);
    const [{ what, next: advised } = {}, ...more] = await todo(cli);
    expect(what).toContain(why);
    expect(what).toContain('received nothing');
    expect([advised?.split(' ')[1], more]).toEqual([next, []]);
    const { findings } = json(await cli.run(`explain ${id} --json`)) as { findings: object[] };
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
