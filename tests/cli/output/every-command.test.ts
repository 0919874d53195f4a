/**
 * What holds for whatever a command prints, with ugly data: no line is wider than the terminal (only what is to be copied stays
 * whole), no letter of others steers it, and it speaks English in every office.
 */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { displayWidth } from '../../../src/cli/output/text-width.js';
import { createOffer } from '../../../src/core/offers/offers.js';
import { setPrice } from '../../../src/core/prices/price-list.js';
import { createTroubleshooting } from '../../../src/core/troubleshootings/troubleshootings.js';
import { forAll, temporaryDirectory, TESTER } from '../../support/app.js';
import { COMMANDS, commandOf, LEAVES, takes } from '../../support/command-line.js';
import { happened, subscribed } from '../../support/subscriptions.js';
import { deliver, deliverRaw } from '../../support/webhooks.js';
import { json, jsonList, run, startCli, type Cli } from '../support.js';

const COLUMNS = 80;
/** An address, a hash or a command alone on its line, perhaps after its label. */
const TO_COPY = /^\s*(?:\w+: )?(?:https?:\/\/\S+|\S+@\S+|[0-9a-f]{64}|esignctl .*)$/;

function tooLong(output: string, columns = COLUMNS): string[] {
  return stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => displayWidth(line) > columns && !TO_COPY.test(line));
}

test('the help of every command', async () => {
  for (const words of [['--help'], ['help', 'exit-codes'], ...COMMANDS.map((each) => [...each, '--help'])])
    expect([words, tooLong((await run(words)).stdout)]).toEqual([words, []]);
});

const LONG =
  'https://receiver.example.org/hooks/of/the/maintenance/department/in/the/north?with=a-token-of-its-own';
const TITLE = 'invoice\u202efdp.exe\u2066 \u001b[31mred\u200b';
const CUSTOMER = {
  firstName: 'Wilhelmina Josephine',
  lastName: 'van der Meulen-Oosterhuis',
  username: 'wilhelmina.vandermeulen@maintenance.example.org',
};
const STEERING =
  /[\u0000-\u0009\u000b-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** One of everything, with long names, addresses and errors; the second request is not the customer’s. */
async function aStory(): Promise<Cli> {
  const cli = await startCli();
  const { request, signId } = await cli.waitingRequest(CUSTOMER);
  await subscribed(cli, { url: LONG, event: 'request.updated' });
  await happened(cli, request.id);
  cli.ctx.db.raw.exec(`UPDATE webhooks SET active = 0, disabledReason = 'failing', lastError = 'http_503'`);
  const error = `the mail server answered 451 4.7.1 <${CUSTOMER.username}>: try again later, see ${LONG}`;
  await cli.addFailedJob({ error, requestId: request.id });
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
  await cli.drain();
  cli.sandbox.decline((await cli.waitingRequest()).signId, { reason: `${TITLE}. ${error}` });
  await cli.waitingRequest();
  return cli;
}

/** The same and something in every list, whose words steer a terminal. */
async function aHostileStory(): Promise<Cli> {
  const cli = await aStory();
  const { raw } = cli.ctx.db;
  const boss = await cli.addUser({ role: 'ROLE_ADMIN' });
  await createOffer(cli.ctx, boss, { requestId: 1, amount: 10_000, description: TITLE });
  await createTroubleshooting(cli.ctx, boss, { requestId: 1, description: TITLE });
  await setPrice(cli.ctx, { words: 'boiler', amount: '100' }, { actor: TESTER });
  await deliverRaw(cli, '{}', 'sha256=00');
  raw.exec(`INSERT INTO jobs (kind, payload, state, attempt, runAt, lastError, errors, requestId, createdAt)
    SELECT kind, payload, 'available', 1, runAt, lastError, errors, requestId, createdAt
    FROM jobs WHERE state = 'failed'`);
  raw.prepare('UPDATE requests SET title = ?, description = ?').run(TITLE, TITLE);
  raw.prepare('UPDATE users SET firstName = ?, lastName = ?').run(TITLE, TITLE);
  raw.prepare('UPDATE jobs SET lastError = ? WHERE lastError IS NOT NULL').run(`refused: ${TITLE}`);
  return cli;
}

/** Their results are files, or they look at nothing of ours. */
const ELSEWHERE = ['verify', 'completion', 'backup', 'snapshot', 'init'];

/** Every command that only looks, with what it has to be given. */
function looking(cli: Cli): string[][] {
  const failed = String(cli.jobs().find(({ state }) => state === 'failed')?.id);
  const given: Record<string, string> = { find: 'example', 'failed show': failed };
  const needing = LEAVES.filter((words) => !takes(words, '--reason') && !ELSEWHERE.includes(words.join(' ')));
  const all = needing.map((words) => {
    const needs = commandOf(words)?.registeredArguments.some(({ required }) => required);
    return [...words, ...(needs ? [given[words.join(' ')] ?? '1'] : [])];
  });
  const more = ['explain 2', 'history --about 1', 'inbox list --rejected', 'failed list --stats'];
  return [...all, ...more.map((each) => each.split(' '))];
}

/** What differs from one moment to the next, and the setting itself. */
const PASSING = /\d{4}-\d{2}-\d{2}[T ][\d:.]+Z?|\d+ (?:MB|s)\b|\b(?:en|fr)\b/g;

test('a command that only looks fits the terminal, however narrow, is not steered there, in a pipe or in JSON, and speaks English in a French office', async () => {
  const cli = await aHostileStory();
  let shown = 0;
  for (const words of looking(cli)) {
    const on = (columns: number | undefined, locale = 'en') => {
      const terminal = columns ? { stdout: columns, stderr: columns } : {};
      return cli.runIn({ terminal, env: { TERM: 'dumb', NO_COLOR: '1', ESIGN_LOCALE: locale } }, ...words);
    };
    // No word of a sentence is broken.
    for (const columns of words[0] === 'explain' ? [40] : [40, 24])
      expect([words, columns, tooLong((await on(columns)).stdout, columns)]).toEqual([words, columns, []]);
    for (const columns of [COLUMNS, undefined]) {
      const { code, stdout, stderr } = await on(columns);
      const said = stdout + stderr;
      expect([words, code, stdout]).not.toEqual([words, code, '']);
      expect([words, columns && tooLong(said), STEERING.exec(said.replaceAll('\t', ' '))]).toEqual([
        words,
        columns && [],
        null,
      ]);
      if (stdout.includes('<U+202E>')) shown += 1;
      const french = await on(columns, 'fr');
      expect([words, french.code, (french.stdout + french.stderr).replaceAll(PASSING, '…')]).toEqual([
        words,
        code,
        said.replaceAll(PASSING, '…'),
      ]);
    }
    expect([words, STEERING.exec((await cli.run(...words, '--json')).stdout)]).toEqual([words, null]);
  }
  expect(shown).toBeGreaterThan(8);
  expect(json(await cli.run('requests show 1 --json'))).toMatchObject({ title: TITLE });
});

/** Each with its exit code. */
const ACTING = `
0 payments check 1
0 payments check --all
0 check-signature 3
3 check-signature 1
0 check-signature --all --dry-run
3 requests remind 3
0 requests remind 4
3 requests remind 4
2 requests cancel 1
0 requests cancel 1 --reason moved
3 reset-signature 1 --yes
0 users edit 1 --locale fr --dry-run
2 failed list --kind send-mial
2 requests list --status nonsense
4 explain 9999
2 nonsense
4 verify /nowhere/archive.zip
2 start-signature 3 --pdf /nowhere/that/exists/a-contract-with-a-long-name.pdf
`;

test('results, remarks and errors of what acts, and of wrong words', async () => {
  const cli = await aStory();
  const terminal = { stdout: COLUMNS, stderr: COLUMNS };
  for (const line of ACTING.trim().split('\n')) {
    const [exit, ...words] = line.split(' ');
    const { code, stdout, stderr } = await cli.runIn({ terminal, env: { TERM: 'dumb' } }, ...words);
    expect([line, code, tooLong(stdout + stderr)]).toEqual([line, Number(exit), []]);
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

let cli: Cli;

// It is only read from here on.
beforeAll(() =>
  forAll(async () => {
    cli = await aStory();
  }),
);

const HEADS: Record<string, string> = {
  'requests list': 'ID  STATUS  NAME  TITLE',
  'equipments list': 'ID  SERIAL NUMBER  OWNER  NAME',
  'contracts list': 'ID  REQUEST ID  STATUS  AMOUNT  ENDS (UTC)  SIGNED AT (UTC)',
  'users list': 'ID  ENABLED  E-MAIL',
  'inbox list': 'ID  STATE  REQUEST ID  EVENT NAME  OUTCOME',
  'failed list': 'ID  KIND  REQUEST  ERROR  NAME',
};

test('a list is a table, whose rows have a line each', async () => {
  for (const [words, heads] of Object.entries(HEADS)) {
    const { stdout } = await cli.runIn({ terminal: { stdout: COLUMNS } }, ...words.split(' '));
    const [head = '', ...rows] = stripVTControlCharacters(stdout).trimEnd().split('\n');
    expect(head.replaceAll(/ {2,}/g, '  ')).toBe(heads);
    expect(rows).toHaveLength(jsonList(await cli.run(...words.split(' '), '--json')).length);
  }
});

test('columns that do not fit are named, and --wide shows them; addresses and times are never cut', async () => {
  const terminal = { stdout: 120, stderr: 120 };
  const list = async (...more: string[]) => cli.runIn({ terminal }, 'requests list', ...more);
  const narrow = await list();
  expect(narrow.stderr).toContain('1 column hidden (created at): use a wider terminal, or --wide\n');
  expect(narrow.stdout).not.toContain('CREATED AT');
  const wide = await list('--wide');
  expect(wide.stdout).toContain('CREATED AT');
  expect(wide.stdout).not.toContain('…');
  expect(wide.stderr).not.toContain('hidden');
  expect((await cli.run('requests list')).stderr).not.toContain('hidden');
  for (const width of [[], ['--wide']]) {
    const { stdout } = await cli.runIn({ terminal: { stdout: 60 } }, 'users list', ...width);
    expect(stdout).toContain(CUSTOMER.username);
  }
});

test('a state has its colour and its words on a terminal, and its name in a pipe', async () => {
  const shown = (env: Record<string, string>, columns?: number) =>
    cli.runIn({ env, ...(columns && { terminal: { stdout: columns } }) }, 'requests list');
  const terminal = (await shown({}, COLUMNS)).stdout;
  expect(terminal).toContain('\u001b[33mWaiting for payment\u001b[39m');
  expect(terminal).toContain('\u001b[33mWaiting for signature\u001b[39m');
  const plain = (await shown({ NO_COLOR: '1' }, COLUMNS)).stdout;
  expect(plain).toContain('Waiting for payment');
  expect(plain).not.toContain('\u001b[');
  const piped = (await shown({})).stdout;
  expect(piped).toContain('\tWAITING_PAYMENT\t');
  expect(piped).not.toContain('\u001b[');
  const failed = (await cli.runIn({ terminal: { stdout: COLUMNS } }, 'explain 1 --offline')).stdout;
  expect(failed).toContain('\u001b[33mWaiting for payment\u001b[39m, customer ');
});

test('the reply to a customer is in the language of the mails', async () => {
  const cli = await startCli();
  const { request } = await cli.waitingRequest();
  const { stdout } = await cli.runIn({ env: { ESIGN_LOCALE: 'fr' } }, `explain ${request.id} --reply`);
  expect(stdout).toMatch(/^Le contrat de votre demande/);
});
