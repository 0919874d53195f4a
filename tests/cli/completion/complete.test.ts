/** The Tab key: what is offered where, and the scripts as real shells run them. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { BuiltOption } from '../../../src/cli/verb/build.js';
import { temporaryDirectory } from '../../support/app.js';
import { PROGRAM as DECLARED } from '../../support/command-line.js';
import { deliver } from '../../support/webhooks.js';
import { PROGRAM, run, startCli } from '../support.js';

/** What stands before the tab in each line of the answer. */
async function offered(words: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { code, stdout, stderr } = await run(['__complete', '--', ...words], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0] as string);
}

describe('words', () => {
  test.each([
    [['fai'], ['failed']],
    [
      ['failed', ''],
      ['list', 'show', 'replay', 'remove'],
    ],
    [['failed', 'replay', '--ki'], ['--kind']],
    [['failed', 'replay', '--kind', 'send'], ['send-mail']],
    [['failed', 'replay', '--kind=send'], ['--kind=send-mail']],
    [
      ['requests', 'list', '--status', 'W'],
      ['WAITING_SIGNATURE', 'WAITING_PAYMENT'],
    ],
    [['requests', 'list', '--status=new,in'], ['--status=new,in_progress']],
    [
      ['contracts', 'list', '--status', 'SIGNED,'],
      ['SIGNED,PENDING', 'SIGNED,EXPIRED'],
    ],
    [['webhooks', 'deliveries', '--status', 'p'], ['pending']],
    [['history', '--what', 'request.mo'], ['request.moved']],
    [
      ['users', 'create', '--role', ''],
      ['admin', 'user'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['restore', ''], [':files']],
    [['start-signature', '1', '--pdf', ''], [':files']],
    [['--env-file', ''], [':files']],
    [['failed', 'list', '--limit', ''], []],
    [['nonsense', ''], []],
    [['failed', 'nonsense', ''], []],
    [['failed', 'list', '--json', '--js'], []],
  ])('%j offers %j', async (words, wanted) => expect(await offered(words)).toEqual(wanted));

  test('every command is offered, the hidden question is not', async () => {
    const words = await offered(['']);
    expect(words).toEqual(expect.arrayContaining(['check-signature', 'backup', 'config']));
    expect(words).not.toContain('__complete');
  });
});

describe('ids', () => {
  test('requests by reference or number, failed jobs by number', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const { id: requestId, reference } = cli.request(1);
    expect(await offered(['check-signature', ''], cli.env)).toEqual([reference]);
    expect(await offered(['check-signature', 'req-'], cli.env)).toEqual([]);
    expect(await offered(['reset-signature', '--reason', 'x', String(requestId)], cli.env)).toEqual([
      String(requestId),
    ]);
    expect(await offered(['failed', 'replay', '7', ''], cli.env)).toEqual([String(id)]);
    expect(await offered(['failed', 'show', '99'], cli.env)).toEqual([]);
    expect(await offered(['contracts', 'list', '--request', ''], cli.env)).toEqual([reference]);
    expect(await offered(['contracts', 'list', '--request=REQ'], cli.env)).toEqual([
      `--request=${reference}`,
    ]);
  });

  test('contracts, inbound events, waiting jobs and users', async () => {
    const cli = await startCli();
    const { contract, owner, signId } = await cli.waitingRequest();
    await deliver(cli, signId, { name: 'signer.notified' });
    const job = await cli.addFailedJob();
    cli.ctx.db.raw.prepare("UPDATE jobs SET state = 'available', finishedAt = NULL WHERE id = ?").run(job);
    expect(await offered(['contracts', 'show', ''], cli.env)).toContain(String(contract.id));
    expect(await offered(['inbox', 'replay', ''], cli.env)).toEqual(['1']);
    expect(await offered(['jobs', 'push', ''], cli.env)).toContain(String(job));
    expect(await offered(['failed', 'replay', ''], cli.env)).toEqual([]);
    expect(await offered(['users', 'disable', owner.username.slice(0, 3)], cli.env)).toContain(
      owner.username,
    );
  });

  test('without data, settings or a usable database nothing is offered and nothing said', async () => {
    const dataDir = temporaryDirectory();
    expect(await offered(['failed', 'show', ''], { ESIGN_DATA_DIR: dataDir })).toEqual([]);
    writeFileSync(join(dataDir, 'esign.db'), 'ruined');
    expect(await offered(['failed', 'show', ''], { ESIGN_DATA_DIR: dataDir })).toEqual([]);
    expect(await offered(['--env-file', '/nowhere', 'failed', 'show', ''])).toEqual([]);
  });
});

describe('in a real bash', () => {
  /** Presses Tab behind `line`; bash is asked the way readline asks it. */
  function tab(line: string, env: Record<string, string>): string[] {
    const bin = temporaryDirectory();
    const program = join(bin, 'esignctl');
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
    chmodSync(program, 0o755);
    const words: string[] = line.match(/=|[^\s=]+/g) ?? [];
    if (line.endsWith(' ')) words.push('');
    const script = `
      source <(esignctl completion bash)
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length - 1}
      $(complete -p esignctl | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-c', script], {
      encoding: 'utf8',
      env: { ...env, PATH: `${bin}${delimiter}${process.env['PATH']}` },
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  }

  test('commands, values behind an equals sign, ids', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    expect(tab('esignctl failed re', cli.env)).toEqual(['replay', 'remove']);
    expect(tab('esignctl failed replay --kind=s', cli.env)).toEqual(['send-mail']);
    expect(tab('esignctl failed show ', cli.env)).toEqual([String(id)]);
    expect(tab('esignctl contracts list --status=PENDING,S', cli.env)).toEqual(['PENDING,SIGNED']);
  });

  test('a name that bash would run is inserted as one word', async () => {
    const cli = await startCli();
    const username = "a`touch x`$(y)'b@example.org";
    await cli.addUser({ username });

    const [word = ''] = tab('esignctl users enable a`', cli.env);

    const read = spawnSync('bash', ['-c', `PATH=; printf '%s\\n' ${word}`], { encoding: 'utf8' });
    expect([read.stdout, read.stderr]).toEqual([`${username}\n`, '']);
  });
});

/** Their values are prose, numbers, times, the names of something new, or are copied from what `explain` says. */
const WITHOUT_OFFERS =
  /^--(reason|limit|cursor|after|before|since|until|error|per-minute|out|payment|subject|search|username|serial-number|equipment|first-name|last-name|phone|sent-to|month|amount|title|description|name|model|address)$/;

test('the values of every other option are offered', () => {
  const silent = optionsBelow(DECLARED).filter(
    (option) =>
      option.required &&
      !WITHOUT_OFFERS.test(option.long ?? '') &&
      !option.argChoices &&
      !option.flags.includes('<file>') &&
      !(option instanceof BuiltOption && option.param.offers),
  );
  expect(silent.map(({ flags }) => flags)).toEqual([]);
});

function optionsBelow({ options, commands }: Command): Option[] {
  return [...options, ...commands.flatMap(optionsBelow)];
}

test.each(['bash', 'zsh', 'fish'])('the script for %s is as it was', async (shell) => {
  const { code, stdout } = await run(['completion', shell]);
  expect(code).toBe(0);
  await expect(stdout).toMatchFileSnapshot(`snapshots/completion.${shell}`);
});
