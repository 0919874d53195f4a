/** On a terminal of 80 columns no line is longer: help, results, remarks and errors. Only what is to be copied stays whole. */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/program.js';
import { displayWidth } from '../../../src/cli/output/text-width.js';
import { temporaryDirectory } from '../../support/app.js';
import { happened, subscribed } from '../../support/subscriptions.js';
import { deliver } from '../../support/webhooks.js';
import { jsonList, run, startCli, type Cli } from '../support.js';

const COLUMNS = 80;
/** An address or a command alone on its line, perhaps after its label. */
const TO_COPY = /^\s*(?:\w+: )?(?:https?:\/\/\S+|esignctl .*)$/;

function tooLong(output: string): string[] {
  return stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => displayWidth(line) > COLUMNS && !TO_COPY.test(line));
}

function wordsBelow({ commands }: Command): string[][] {
  return commands.flatMap((command) => [
    [command.name()],
    ...wordsBelow(command).map((words) => [command.name(), ...words]),
  ]);
}

test('the help of every command', async () => {
  const { stdin, stdout, stderr } = process;
  const program = createProgram({ stdin, stdout, stderr, env: {} }, { isJson: true, done: () => undefined });
  const pages = [[], ['help', 'exit-codes'], ...wordsBelow(program).map((words) => [...words, '--help'])];
  for (const words of pages) {
    const { stdout } = await run(words.length > 0 ? words : ['--help']);
    expect([words, tooLong(stdout)]).toEqual([words, []]);
  }
});

const LONG =
  'https://receiver.example.org/hooks/of/the/maintenance/department/in/the/north?with=a-token-of-its-own';
const CUSTOMER = {
  firstName: 'Wilhelmina Josephine',
  lastName: 'van der Meulen-Oosterhuis',
  username: 'wilhelmina.vandermeulen@maintenance.example.org',
};

/** One of everything, with long names, long addresses and long errors. */
async function aStory(): Promise<Cli> {
  const cli = await startCli();
  const { request, signId } = await cli.waitingRequest(CUSTOMER);
  await subscribed(cli, { url: LONG, event: 'request.updated' });
  await happened(cli, request.id);
  cli.ctx.db.raw.exec(`UPDATE webhooks SET active = 0, disabledReason = 'failing', lastError = 'http_503'`);
  const error = `the mail server answered 451 4.7.1 <${CUSTOMER.username}>: try again later, see ${LONG}`;
  await cli.addFailedJob({ error, requestId: request.id });
  cli.sandbox.sign(signId);
  await cli.run('check-signature', String(request.id));
  await cli.drain();
  cli.sandbox.decline((await cli.waitingRequest()).signId, { reason: `Too expensive. ${error}` });
  await cli.waitingRequest();
  return cli;
}

const COMMANDS = `
todo
status
doctor
find meulen
explain 1
explain 2
history
history --about 1
requests list
requests show meulen 1
requests show 1
contracts list
equipments list
offers list
troubleshootings list
contracts show 1
payments check 1
payments check --all
inbox list
inbox show 1
inbox list --rejected
jobs list
failed list
failed list --stats
webhooks list
webhooks deliveries
users list
config show
check-signature 3
check-signature 1
check-signature --all --dry-run
requests remind 3
requests remind 3
requests cancel 1
reset-signature 1 --yes
users edit 1 --locale fr --dry-run
failed list --kind send-mial
requests list --status nonsense
explain 9999
nonsense
verify /nowhere/archive.zip
start-signature 3 --pdf /nowhere/that/exists/a-contract-with-a-long-name.pdf
`;

test('results, remarks and errors, with ugly data', async () => {
  const cli = await aStory();
  const terminal = { stdout: COLUMNS, stderr: COLUMNS };
  for (const line of COMMANDS.trim().split('\n')) {
    // The line of progress is erased; TERM=dumb has none.
    const { stdout, stderr } = await cli.runIn({ terminal, env: { TERM: 'dumb' } }, ...line.split(' '));
    expect([line, tooLong(stdout + stderr)]).toEqual([line, []]);
  }
});

test('the plan of a takeover, with ugly data', async () => {
  const cli = await aStory();
  const [archive, dataDir] = [join(temporaryDirectory(), 'esign.tar'), join(temporaryDirectory(), 'data')];
  await cli.run('backup', archive);
  cli.sandbox.sign((await cli.waitingRequest(CUSTOMER)).signId);
  cli.sandbox.sign(cli.contract(4).signId as string);
  const env = { TERM: 'dumb', ESIGN_DATA_DIR: dataDir };
  const terminal = { stdout: COLUMNS, stderr: COLUMNS };
  for (const argv of [
    ['restore', archive, '--yes'],
    ['status'],
    ['takeover', '--dry-run'],
    ['takeover', '--yes'],
  ]) {
    const { code, stdout, stderr } = await cli.runIn({ terminal, env }, ...argv);
    expect([argv, code]).toEqual([argv, 0]);
    // The name of an archive is copied whole.
    const lines = tooLong(stdout + stderr).filter(
      (line) => !line.includes(archive) && !line.includes(dataDir),
    );
    expect([argv, lines]).toEqual([argv, []]);
  }
});

const HEADS: Record<string, string> = {
  'requests list': 'ID  STATUS  NAME  TITLE',
  'equipments list': 'ID  SERIAL NUMBER  OWNER  NAME',
  'contracts list': 'ID  REQUEST ID  STATUS  AMOUNT  ENDS (UTC)  SIGNED AT (UTC)',
  'users list': 'ID  ENABLED  E-MAIL',
  'inbox list': 'ID  STATE  REQUEST ID  EVENT NAME  OUTCOME',
  'failed list': 'ID  KIND  REQUEST  ERROR  NAME',
};

test('a list is a table, whose rows have a line each', async () => {
  const cli = await aStory();
  const { signId } = await cli.waitingRequest();
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
  for (const [words, heads] of Object.entries(HEADS)) {
    const { stdout } = await cli.runIn({ terminal: { stdout: COLUMNS } }, ...words.split(' '));
    const [head = '', ...rows] = stripVTControlCharacters(stdout).trimEnd().split('\n');
    expect(head.replaceAll(/ {2,}/g, '  ')).toBe(heads);
    expect(rows).toHaveLength(jsonList(await cli.run(...words.split(' '), '--json')).length);
  }
});

test('columns that do not fit are named, and --wide shows them; addresses and times are never cut', async () => {
  const cli = await aStory();
  const terminal = { stdout: 120, stderr: 120 };
  const list = async (...more: string[]) => cli.runIn({ terminal }, 'requests', 'list', ...more);
  const narrow = await list();
  expect(narrow.stderr).toContain('1 column hidden (created at): use a wider terminal, or --wide\n');
  expect(narrow.stdout).not.toContain('CREATED AT');
  const wide = await list('--wide');
  expect(wide.stdout).toContain('CREATED AT');
  expect(wide.stdout).not.toContain('…');
  expect(wide.stderr).not.toContain('hidden');
  expect((await cli.run('requests', 'list')).stderr).not.toContain('hidden');
  for (const width of [[], ['--wide']]) {
    const { stdout } = await cli.runIn({ terminal: { stdout: 60 } }, 'users', 'list', ...width);
    expect(stdout).toContain(CUSTOMER.username);
  }
});

test('a state has its colour and its words on a terminal, and its name in a pipe', async () => {
  const cli = await aStory();
  const shown = (env: Record<string, string>, columns?: number) =>
    cli.runIn({ env, ...(columns && { terminal: { stdout: columns } }) }, 'requests', 'list');
  const terminal = (await shown({}, COLUMNS)).stdout;
  expect(terminal).toContain('\u001b[33mWaiting for payment\u001b[39m');
  expect(terminal).toContain('\u001b[33mWaiting for signature\u001b[39m');
  const plain = (await shown({ NO_COLOR: '1' }, COLUMNS)).stdout;
  expect(plain).toContain('Waiting for payment');
  expect(plain).not.toContain('\u001b[');
  const piped = (await shown({})).stdout;
  expect(piped).toContain('\tWAITING_PAYMENT\t');
  expect(piped).not.toContain('\u001b[');
  const failed = (await cli.runIn({ terminal: { stdout: COLUMNS } }, 'explain', '1', '--offline')).stdout;
  expect(failed).toContain('\u001b[33mWaiting for payment\u001b[39m, customer ');
});
