/** Long output on a terminal goes through a pager; nothing else does. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/app.js';
import { startCli, type Surroundings } from '../support.js';

const LIST = ['failed', 'list'];

/** A list of three jobs, on a terminal so many rows high, with a pager that writes down what it is given. */
async function aTerminal() {
  const cli = await startCli();
  for (let i = 0; i < 3; i += 1) await cli.addFailedJob();
  const paged = async (rows: number, words = LIST, env: Surroundings['env'] = {}) => {
    const file = join(temporaryDirectory(), 'pages');
    const terminal = { stdout: 120, stderr: 120, rows };
    const ran = await cli.runIn({ env: { PAGER: `cat > '${file}'`, ...env }, terminal }, ...words);
    return { ...ran, pages: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
  };
  return { cli, paged };
}

const REMARK = '3 failed jobs\n';

test('what fills the screen is read in the pager, with its colours; remarks follow', async () => {
  const { paged } = await aTerminal();
  const { pages, ...ran } = await paged(5, LIST, { FORCE_COLOR: '1' });
  expect(pages?.split('\n')).toHaveLength(5);
  expect(pages).toContain('\u001b[1mKIND');
  expect(ran).toEqual({ code: 0, stdout: '', stderr: REMARK });

  const { pages: none, stdout, stderr } = await paged(6);
  expect(none).toBeUndefined();
  expect(stdout.split('\n')).toHaveLength(5);
  expect(stderr).toBe(REMARK);
  expect((await paged(10, ['--help'])).pages).toContain('Usage: esignctl');
});

test('a pipe, --json, --no-pager, no pager in PAGER and a dumb terminal get everything at once', async () => {
  const { cli, paged } = await aTerminal();
  const cases: [string[], Surroundings['env']][] = [
    [['--no-pager'], {}],
    [['--json'], {}],
    [[], { PAGER: '' }],
    [[], { PAGER: 'cat' }],
    [[], { TERM: 'dumb' }],
    [[], { PAGER: 'no-such-pager 2> /dev/null' }],
  ];
  for (const [words, env] of cases) {
    const { code, stdout, pages } = await paged(2, [...LIST, ...words], env);
    expect({ words, env, pages, code }).toEqual({ words, env, pages: undefined, code: 0 });
    expect(stdout.match(/the mail server answered 451/g)).toHaveLength(3);
  }
  const piped = await cli.runIn({ env: { PAGER: 'exit 3' } }, ...LIST);
  expect(piped.stdout.split('\n')).toHaveLength(5);
});

test('a pager that is left early changes neither the exit code nor what is said', async () => {
  const { paged } = await aTerminal();
  const PAGER = 'exit 3';
  expect(await paged(2, LIST, { PAGER })).toMatchObject({ code: 0, stdout: '', stderr: REMARK });
});

test('what a command does is told as it happens; only its dry run has pages', async () => {
  const { paged } = await aTerminal();
  const all = ['failed', 'replay', '--all'];
  expect((await paged(2, [...all, '--dry-run'])).pages).toContain('would replay 3 jobs');
  const { pages, stdout } = await paged(2, [...all, '--yes']);
  expect(pages).toBeUndefined();
  expect(stdout).toContain('replayed 3, failed 0');
});

test('the pager gets none of our settings, less starts no other program, and behind sudo there is only less', async () => {
  const { paged } = await aTerminal();
  const PAGER = 'test -z "$ESIGN_API_KEY" && test "$LESSSECURE" = 1 || exit 127';
  expect((await paged(2, LIST, { PAGER })).stdout).toBe('');
  const sudo = await paged(2, LIST, { SUDO_USER: 'anna', PATH: '/nonexistent' });
  expect(sudo.pages).toBeUndefined();
  expect(sudo.stdout).toContain('the mail server answered 451');
});

test('a question is asked before anything is shown', async () => {
  const cli = await startCli();
  const { request, owner } = await cli.waitingRequest();
  cli.ctx.db.raw
    .prepare('UPDATE requests SET title = ? WHERE id = ?')
    .run('Yearly maintenance of the boiler', request.id);
  await cli.waitingRequest();
  const { code, stdout } = await cli.runIn(
    {
      stdin: '\r',
      terminal: { stdin: true, stdout: 80, stderr: 80, rows: 4 },
      env: { PAGER: 'exit 0' },
    },
    'explain',
    owner.lastName,
    '--offline',
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});
