/** The shipped program as a shell meets it: more of what tests/cli/start.test.ts begins. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ended, launch, onTerminal, PROGRAM, startCli } from '../cli/support.js';

describe('the zone', () => {
  test('on a machine that names no zone, times are in UTC', async () => {
    const { env } = await startCli();
    const { code, stdout } = await ended(launch(['config', 'show', '--json'], { ...env, TZ: '' }));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ name: 'ESIGN_TIMEZONE', value: 'UTC', from: 'default' }),
    );
  });

  test.each(['GMT+2', 'CET-1CEST,M3.5.0,M10.5.0/3', 'Mars/Olympus'])(
    'TZ=%s is no zone that we can count with: status, doctor and start-signature name ESIGN_TIMEZONE before they do anything, and with it all is well',
    async (TZ) => {
      const { env } = await startCli();
      const words = `is not set, and TZ=${TZ} is not an IANA name`;
      for (const command of [['status'], ['start-signature', '1', '--yes']]) {
        const { code, stderr } = await ended(launch(command, { ...env, TZ }));
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining(`ESIGN_TIMEZONE: ${words}. Give an IANA name`),
        ]);
      }
      const examined = await ended(launch(['doctor', '--json'], { ...env, TZ }));
      expect(JSON.parse(examined.stdout).checks).toEqual([
        expect.objectContaining({ name: 'setting ESIGN_TIMEZONE', state: 'failed', message: words }),
      ]);
      expect((await ended(launch(['status'], { ...env, TZ, ESIGN_TIMEZONE: 'Europe/Paris' }))).code).toBe(0);
    },
  );
});

describe('pipes', () => {
  test('a reader that goes away early is no fault', async () => {
    const { env } = await startCli();
    const program = launch(['failed', 'list'], env);
    program.child.stdout?.destroy();
    expect(await ended(program)).toMatchObject({ code: 0, stderr: '0 failed jobs\n' });
  });

  describe.each([
    ['users create', ['users', 'create', 'anna@example.org', '--generate']],
    ['users set-password', ['users', 'set-password', 'bert@example.org', '--generate']],
  ])('%s --generate', (_, words) => {
    test.each(['>&-', '> /dev/null', '> /dev/full'])(
      'refuses a stdout that keeps nothing before anything is done: %s',
      async (redirection) => {
        const cli = await startCli();
        const bert = await cli.addUser({ username: 'bert@example.org' });
        const command = `exec '${process.execPath}' '${PROGRAM}' ${words.join(' ')} ${redirection}`;

        const { code, stderr } = await ended(launch(['-c', command], cli.env, 'sh'));

        expect(code).toBe(2);
        expect(stderr).toContain('this stdout discards everything');
        expect(cli.ctx.db.raw.prepare('SELECT id, passwordHash FROM users').all()).toEqual([
          { id: bert.id, passwordHash: bert.passwordHash },
        ]);
      },
    );

    test('says how to fix it when the reader has gone', async () => {
      const cli = await startCli();
      await cli.addUser({ username: 'bert@example.org' });
      const program = launch(words, cli.env);
      program.child.stdout?.destroy();

      const { code, stderr } = await ended(program);

      expect(code).toBe(1);
      expect(stderr).toMatch(/^esignctl: .*nobody knows it \[password_lost\]$/m);
      expect(stderr).toContain(`esignctl users set-password ${words[2]}`);
    });

    test('prints it into a file', async () => {
      const cli = await startCli();
      await cli.addUser({ username: 'bert@example.org' });
      const file = join(cli.dataDir, 'password');
      const command = `exec '${process.execPath}' '${PROGRAM}' ${words.join(' ')} > '${file}'`;

      expect(await ended(launch(['-c', command], cli.env, 'sh'))).toMatchObject({ code: 0 });

      expect(readFileSync(file, 'utf8')).toMatch(/^[A-Za-z2-9]{24}\n$/);
    });
  });

  test('stdin may be closed', async () => {
    const { env } = await startCli();
    const program = launch(['-c', `exec '${process.execPath}' '${PROGRAM}' expire-contracts <&-`], env, 'sh');
    expect(await ended(program)).toMatchObject({ code: 0, stdout: 'expired 0 contracts\n' });
  });
});

// `script` of util-linux gives a command a terminal of its own.
describe('on a terminal', () => {
  test('of a customer with several requests the one that is chosen is shown', async () => {
    const cli = await startCli();
    const { request, owner } = await cli.waitingRequest();
    await cli.addRequest(owner);

    const { code, stdout } = await onTerminal(['requests', 'show', owner.username], cli.env, {
      answers: [{ prompt: `Which request of ${owner.username}?`, typed: '\u001b[B\r' }],
    });

    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`reference +${request.reference}`));
  });

  test('failed replay without ids shows each job and does what is chosen', async () => {
    const cli = await startCli();
    const [replayed, skipped, removed] = [
      await cli.addFailedJob(),
      await cli.addFailedJob(),
      await cli.addFailedJob(),
    ];
    const down = '\u001b[B';

    const { code, stdout } = await onTerminal(['failed', 'replay'], cli.env, {
      answers: [
        { prompt: `Job ${replayed}?`, typed: '\r' },
        { prompt: `Job ${skipped}?`, typed: `${down}\r` },
        { prompt: `Job ${removed}?`, typed: `${down}${down}\r` },
      ],
    });

    expect(code).toBe(0);
    expect(stdout).toContain(`2 of 3: ${skipped} send-mail, 7 attempts`);
    expect(cli.jobs('send-mail').map(({ id, state }) => [id, state])).toEqual([
      [replayed, 'completed'],
      [skipped, 'failed'],
    ]);
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s at a question: exit 130, nothing changed', async (_, typed) => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const answers = [{ prompt: 'for good?', typed }];
    const { code, stdout } = await onTerminal(['failed', 'remove', String(id)], cli.env, { answers });
    expect(code).toBe(130);
    expect(stdout).toContain('interrupted');
    expect(cli.jobs('send-mail')).toHaveLength(1);
  });

  test('NO_COLOR leaves no colour in lists, faults and questions', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const env = { ...cli.env, NO_COLOR: '1' };
    const said = [
      await onTerminal(['failed', 'list'], env),
      await onTerminal(['failed', 'lst'], env),
      await onTerminal(['check-signature', '--all'], env),
      await onTerminal(['failed', 'remove', String(id)], env, {
        answers: [{ prompt: 'for good?', typed: 'y\r' }],
      }),
    ];
    // eslint-disable-next-line no-control-regex
    for (const { stdout } of said) expect(stdout).not.toMatch(/\u001b\[[\d;]*m/);
    expect(said.map(({ code }) => code)).toEqual([0, 2, 0, 0]);
  });

  test('a terminal without columns is not flooded while something takes its time', async () => {
    const cli = await startCli();
    await cli.waitingRequest();
    cli.sandbox.faults.add({ target: 'signature', kind: 'delay', delayMs: 700 });
    const { code, stdout } = await onTerminal(['check-signature', '--all'], cli.env, { columns: 0 });
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThan(500);
  });

  test('with columns it shows that it is at work, and cleans up', async () => {
    const cli = await startCli();
    await cli.waitingRequest();
    cli.sandbox.faults.add({ target: 'signature', kind: 'delay', delayMs: 300 });
    const { code, stdout } = await onTerminal(['check-signature', '--all'], cli.env);
    expect(code).toBe(0);
    expect(stdout).toContain('asking the signature provider');
    expect(stdout).toContain('checked 1, changed 0, failed 0');
  });
});
