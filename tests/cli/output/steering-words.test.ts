/** Words of customers and providers on a terminal: they turn nothing around, and no table is wider than it is. */
import { expect, test } from 'vitest';
import { displayWidth } from '../../../src/cli/output/text-width.js';
import { startCli, type Cli } from '../support.js';

const TITLE = 'invoice\u202efdp.exe\u2066 \u001b[31mred\u200b';
const STEERING =
  /[\u0000-\u0009\u000b-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** A request with such a title, and something in every list. */
async function aStory(): Promise<Cli> {
  const cli = await startCli();
  const { request, contract } = await cli.waitingRequest({ username: 'ada@example.org' });
  const { raw } = cli.ctx.db;
  raw.prepare('UPDATE requests SET title = ?, description = ? WHERE id = ?').run(TITLE, TITLE, request.id);
  raw.prepare('UPDATE users SET firstName = ?, lastName = ?').run(TITLE, TITLE);
  await cli.addFailedJob({ kind: 'create-payment-session', error: `refused: ${TITLE}` });
  cli.sandbox.decline(contract.signId as string, { reason: TITLE });
  return cli;
}

const COMMANDS = [
  ['requests', 'list'],
  ['requests', 'show', '1'],
  ['users', 'list'],
  ['failed', 'list'],
  ['failed', 'list', '--stats'],
  ['failed', 'show', '1'],
  ['jobs', 'list'],
  ['contracts', 'list'],
  ['payments', 'list'],
  ['contracts', 'show', '1'],
  ['inbox', 'list'],
  ['inbox', 'list', '--rejected'],
  ['webhooks', 'list'],
  ['webhooks', 'deliveries'],
  ['config', 'show'],
  ['status'],
  ['doctor'],
];

test('no letter of theirs steers a terminal, a pipe or a JSON document', async () => {
  const cli = await aStory();
  const failed = String(cli.jobs('create-payment-session').find(({ state }) => state === 'failed')?.id);
  let seen = 0;

  for (const words of [...COMMANDS, ['explain', '1'], ['check-signature', '1']]) {
    const argv = words.map((word, i) => (words[0] === 'failed' && i === 2 && word === '1' ? failed : word));
    for (const more of [{ terminal: { stdout: 100, stderr: 100 } }, {}]) {
      const { stdout, stderr } = await cli.runIn({ ...more, env: { NO_COLOR: '1' } }, ...argv);
      expect([argv, STEERING.exec((stdout + stderr).replaceAll('\t', ' '))]).toEqual([argv, null]);
      if (stdout.includes('<U+202E>')) seen += 1;
    }
    const { stdout } = await cli.run(...argv, '--json');
    expect([argv, STEERING.exec(stdout)]).toEqual([argv, null]);
  }
  expect(seen).toBeGreaterThan(8);
  const { stdout } = await cli.run('requests', 'show', '1', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ title: TITLE });
});

test.each([40, 24])(
  'no line is wider than a terminal of %i columns, but an address alone on its line',
  async (columns) => {
    const cli = await aStory();
    const failed = String(cli.jobs('create-payment-session').find(({ state }) => state === 'failed')?.id);

    for (const words of COMMANDS) {
      const argv = words.map((word, i) => (words[0] === 'failed' && i === 2 && word === '1' ? failed : word));
      const { stdout } = await cli.runIn({ terminal: { stdout: columns }, env: { NO_COLOR: '1' } }, ...argv);
      const lines = stdout.split('\n').filter((line) => !/^ *https?:\/\/\S+$/.test(line));
      const wide = lines.filter((line) => displayWidth(line) > columns);
      expect([argv, wide]).toEqual([argv, []]);
    }
  },
);
