/** What holds for every command: help, wrong words, settings, exit codes, and who may work on a data directory. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../support/app.js';
import { COMMANDS, LEAVES } from '../support/command-line.js';
import { jsonError, run, startCli } from './support.js';

const READING = [
  'todo',
  'find',
  'explain',
  'history',
  'verify',
  'status',
  'doctor',
  'backup',
  'snapshot',
  'init',
  'report',
  'completion',
  'webhooks deliveries',
  'webhooks delivery',
];

test.each([[], ...COMMANDS])('--help of "%s %s" goes to stdout with examples, exit 0', async (...words) => {
  const { code, stdout, stderr } = await run([...words.filter(Boolean), '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('Examples:\n  $ esignctl ');
  expect(stdout).toContain('--json');
  expect(stdout).toContain('--env-file <file>');
  expect(stderr).toBe('');
});

test('help exit-codes says what each means', async () => {
  const { code, stdout, stderr } = await run(['help', 'exit-codes']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^0 .*\n1 .*\n2 .*\n3 .*\n4 .*\n5 .*\n130 .*\n$/);
  expect((await run(['--help'])).stdout).toContain('`esignctl help exit-codes`');
});

test.each([
  [['--no-pager']],
  [['--env-file', '/etc/esign/esign.env']],
  [['--env-file=/etc/esign/esign.env', '--wide']],
  [['--instance', 'acme', '--no-pager']],
])('help is the same behind the options %j, and between them', async (options) => {
  const same = async (...words: string[]) => {
    const { code, stdout } = await run(['help', ...words]);
    expect(code).toBe(0);
    expect(await run([...options, 'help', ...words])).toEqual({ code: 0, stdout, stderr: '' });
    expect(await run(['help', ...options, ...words])).toEqual({ code: 0, stdout, stderr: '' });
  };
  await same('exit-codes');
  await same('failed', 'replay');
  await same();
  expect(await run([...options, 'help', 'faild'])).toMatchObject({ code: 2, stdout: '' });
});

test('the options of a command stand in groups: what it acts on, what it does, output', async () => {
  const { stdout } = await run(['failed', 'replay', '--help']);
  const groups = ['What it acts on:', 'What it does:', 'Output:'].map((head) =>
    stdout.indexOf(`\n${head}\n`),
  );
  expect(groups.every((at, i) => at > (groups[i - 1] ?? 0))).toBe(true);
  const groupOf = (option: string) => groups.findLastIndex((at) => at < stdout.indexOf(`  ${option} `));
  expect(
    ['--all', '--kind', '--env-file', '--instance', '--dry-run', '--reason', '--yes', '--json', '--wide'].map(
      groupOf,
    ),
  ).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2]);
});

test('--help shows the commands in groups, each command once', async () => {
  const { stdout } = await run(['--help']);
  const commands = stdout.slice(stdout.indexOf('See how things stand:'), stdout.indexOf('\nSettings come'));
  expect(commands.match(/^\S.*(?=:$)/gm)).toEqual([
    'See how things stand',
    'Signatures',
    'What is stored',
    'Webhooks and jobs',
    'People',
    'The installation',
    'The command line',
  ]);
  const names = COMMANDS.filter(({ length }) => length === 1).flat();
  expect(commands.match(/^ {2}[a-z-]+/gm)?.map((name) => name.trim())).toEqual([...names, 'help']);
});

test('every command takes --dry-run, --reason and --yes, but for the lists and those that only read', async () => {
  const without: string[] = [];
  for (const words of LEAVES) {
    const { stdout } = await run([...words, '--help']);
    const hasAll = ['--dry-run', '--reason <text>', '--yes'].every((option) => stdout.includes(option));
    if (!hasAll) without.push(words.join(' '));
  }
  const lists = LEAVES.map((words) => words.join(' ')).filter((name) => / (list|show)$/.test(name));
  expect(without.toSorted()).toEqual([...READING, ...lists].toSorted());
});

describe('wrong words: exit 2, nothing on stdout, one sentence and the next step on stderr', () => {
  test.each([
    [['meters'], "unknown command 'meters'", 'See `esignctl --help`.'],
    [['faild', 'list'], "unknown command 'faild'", 'Did you mean failed?'],
    [['failed', 'lst'], "unknown command 'lst'", 'Did you mean list?'],
    [['failed', 'list', '--limt', '3'], "unknown option '--limt'", 'Did you mean --limit?'],
    [['check-signature'], 'Which request?', '--all'],
    [['check-signature', '1', '--all'], 'not both', undefined],
    [['check-signature', 'REQ-26-1'], 'REQ-2026-000123', 'esignctl check-signature --help'],
    [['check-signature', '0'], 'Give the number of a request', undefined],
    [['start-signature'], "missing required argument 'request'", 'esignctl start-signature --help'],
    [
      ['failed', 'show', 'twelve'],
      "<id> cannot be 'twelve'. Give a number, as the list shows it.",
      undefined,
    ],
    [['failed', 'list', '--limit'], '--limit needs a value: --limit <count>', undefined],
    [['failed', 'list', '--kind', 'nonsense'], 'create-payment-session, complete-signature', '--help'],
    [['failed', 'list', '--kind', 'send-mial'], "--kind cannot be 'send-mial'", 'Did you mean send-mail?'],
    [['requests', 'list', '--status', 'waiting payment'], 'WAITING_PAYMENT', 'Did you mean WAITING_PAYMENT?'],
    [['users', 'set-role', '1', 'admn'], 'Give one of admin, user', 'Did you mean admin?'],
    [
      ['requests', 'complete', '1', '--reason', 'x'.repeat(1_001)],
      `--reason cannot be '${'x'.repeat(59)}…'.`,
      'esignctl requests complete --help',
    ],
    [['requests', 'list', '--ownr', 'x'], "unknown option '--ownr'", 'Did you mean --owner?'],
    [['todo', '--jsno'], "unknown option '--jsno'", 'Did you mean --json?'],
    [
      ['check-signature', '5', '--settle', 'X'],
      'neither a request nor --all',
      'esignctl check-signature --settle X',
    ],
    [
      ['check-signature', '--all', '--settle', 'X'],
      'neither a request nor --all',
      'esignctl check-signature --settle X',
    ],
    [
      ['failed', 'list', '--since', '2026-02-31'],
      "--since cannot be '2026-02-31'. Give a date or time",
      undefined,
    ],
    [['failed', 'list', '--limit', '0'], '1 or more', undefined],
    [['failed', 'replay'], 'Which jobs?', '--all'],
    [['failed', 'replay', '1', '--all'], 'not both', undefined],
    [['failed', 'replay', '1', '--kind', 'send-mail'], 'Filters go with --all', undefined],
    [['failed', 'remove'], "missing required argument 'ids'", undefined],
    [['users', 'create', 'a@b.test', '--role', 'king'], 'admin, user', undefined],
    [['users', 'create', 'a@b.test', '--generate', '--password-stdin'], 'cannot be used with', undefined],
    [['expire-contracts', '--reason', ' '], 'must not be empty', undefined],
    [['expire-contracts', 'now'], 'too many arguments', undefined],
    [['help', 'faild'], "unknown command 'faild'", 'Did you mean failed?'],
    [['help', 'failed', 'lst'], "unknown command 'lst'", 'Did you mean list?'],
  ])('%j', async (argv, sentence, hint) => {
    const plain = await run(argv);
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toContain(sentence);
    expect(plain.stderr).toMatch(/^esignctl: .*\n(hint: .*\n)?$/);
    expect(plain.stderr).toContain(hint ?? '');

    const machine = await run([...argv, '--json']);
    expect(machine).toMatchObject({ code: 2, stdout: '' });
    const error = jsonError(machine);
    expect(error).toMatchObject({ code: 'wrong_usage', message: expect.stringContaining(sentence) });
    expect(error.hint ?? '').toContain(hint ?? '');
  });

  test.each([[[]], [['failed']], [['users']]])(
    '%j without a command shows the help on stderr',
    async (argv) => {
      const { code, stdout, stderr } = await run(argv);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('Usage: esignctl');
      expect(jsonError(await run([...argv, '--json']))).toMatchObject({ code: 'wrong_usage' });
    },
  );
});

test('wrong settings: exit 2 with every fault at once, and no secret', async () => {
  const env = { ESIGN_API_URL: 'https://api.test', ESIGN_WEBHOOK_SECRET: 'hush', ESIGN_PORT: 'x' };
  const { code, stdout, stderr } = await run(['failed', 'list'], { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const name of [
    'ESIGN_API_URL',
    'ESIGN_API_KEY',
    'ESIGN_WEBHOOK_SECRET',
    'ESIGN_PORT',
    'ESIGN_SMTP_URL',
  ]) {
    expect(stderr).toContain(`  ${name}: `);
  }
  expect(stderr).not.toContain('hush');
  expect(jsonError(await run(['failed', 'list', '--json'], { env }))).toMatchObject({
    code: 'wrong_settings',
  });
});

test('an --env-file that cannot be read is a wrong setting, before or after the command', async () => {
  for (const argv of [
    ['--env-file', '/nowhere/esign.env', 'failed', 'list'],
    ['failed', 'list', '--env-file', '/nowhere/esign.env'],
  ]) {
    const { code, stderr } = await run(argv);
    expect(code).toBe(2);
    expect(stderr).toContain('/nowhere/esign.env cannot be read (ENOENT)');
  }
});

test('where no database is, nothing is made up: exit 4, and the directory is left as it was', async () => {
  const { env } = await startCli();
  const dataDir = join(temporaryDirectory(), 'elsewhere');
  for (const argv of [['failed', 'list'], ['status'], ['expire-contracts'], ['explain', '1']]) {
    const ran = await run([...argv, '--json'], { env: { ...env, ESIGN_DATA_DIR: dataDir } });
    expect({ code: ran.code, error: jsonError(ran) }).toMatchObject({
      code: 4,
      error: {
        code: 'no_data',
        message: `There is no database in ${dataDir}.`,
        hint: expect.stringContaining('init'),
      },
    });
  }
  expect(existsSync(dataDir)).toBe(false);

  // Nor is anything made of an empty file, by a command that writes or one that reads.
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'esign.db'), '');
  for (const argv of [['status'], ['migrate'], ['backup', 'x.tar'], ['snapshot', 'x']]) {
    const ran = await run([...argv, '--json'], { env: { ...env, ESIGN_DATA_DIR: dataDir } });
    expect(jsonError(ran)).toMatchObject({ code: 'no_data', hint: expect.stringContaining('init') });
  }
  expect(readFileSync(join(dataDir, 'esign.db'))).toHaveLength(0);
});

test('a damaged database is reported with its fix', async () => {
  const { env } = await startCli();
  const dataDir = temporaryDirectory();
  writeFileSync(join(dataDir, 'esign.db'), 'no database, but long enough to be looked at '.repeat(100));
  const ran = await run(['failed', 'list', '--json'], { env: { ...env, ESIGN_DATA_DIR: dataDir } });
  expect(ran.code).toBe(1);
  expect(jsonError(ran)).toMatchObject({
    code: 'database_damaged',
    hint: expect.stringContaining('esignctl restore'),
  });
});

test('an advised command reads the settings of the command that advises it', async () => {
  const { env } = await startCli();
  const dataDir = temporaryDirectory();
  writeFileSync(join(dataDir, 'esign.db'), 'no database, but long enough to be looked at '.repeat(100));
  const file = join(dataDir, 'my settings.env');
  writeFileSync(file, `ESIGN_DATA_DIR='${dataDir}'\n`);
  const { ESIGN_DATA_DIR: _, ...others } = env;
  const { stderr } = await run(['failed', 'list', '--env-file', file], { env: others });
  expect(stderr).toContain(`esignctl restore FILE --env-file '${file}'`);
});

test('a failure that is nobody’s mistake: exit 1, one line, no stack unless debugging', async () => {
  const { env } = await startCli();
  const broken = { ...env, ESIGN_DATA_DIR: '/dev/null/data' };
  const { code, stderr } = await run(['init'], { env: broken });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^esignctl: .*ENOTDIR.* \[internal_error\]\nhint: .*\n$/);
  const traced = await run(['init'], { env: { ...broken, ESIGN_LOG_LEVEL: 'debug' } });
  expect(traced.stderr).toContain('    at ');
});

describe('colours', () => {
  const { terminal } = { terminal: { stdout: 80, stderr: 80 } };

  test.each([
    ['a terminal', {}, terminal, true],
    ['a pipe', {}, {}, false],
    ['NO_COLOR', { NO_COLOR: '1' }, terminal, false],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, terminal, false],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, {}, true],
    ['a dumb terminal', { TERM: 'dumb' }, terminal, false],
  ])('%s', async (_, env, terminal, isColoured) => {
    const { stderr } = await run(['nonsense'], { env, terminal });
    expect(stderr.includes('\u001b[')).toBe(isColoured);
  });
});

test('a takeover goes on without answers only for a reason: exit 2', async () => {
  const cli = await startCli();
  const ran = await cli.run('takeover --leave --yes --json');
  expect(ran.code).toBe(2);
  expect(jsonError(ran)).toMatchObject({ message: '--leave needs --reason.' });
  expect((await cli.run('takeover --leave --yes --reason', 'they are lost')).code).toBe(0);
});
