/** The shipped program as a shell meets it: start-up, pipes, signals, a terminal. `npm test` builds it first. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ended, launch, onTerminal, PROGRAM, startCli } from './support.js';

describe('start-up', () => {
  /** Tells on stderr what is loaded: ES modules as they come, what was required, and Node's own, at the end. */
  const SPY = `data:text/javascript,${encodeURIComponent(`
    import { createRequire, register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(
      'export async function load(url, context, next) { process._rawDebug("loaded " + url); return next(url, context); }'));
    process.on('exit', () => {
      for (const file of Object.keys(createRequire('file:///').cache)) process._rawDebug("loaded file://" + file);
      for (const name of process.moduleLoadList) process._rawDebug(name);
    });
  `)}`;

  /** The modules that `words` load: Node's, packages, and our own, also those that a chunk of the built program holds. */
  function modulesOf(words: string, env = {}): { ofNode: string[]; others: string[] } {
    const { status, stderr } = spawnSync(process.execPath, ['--import', SPY, PROGRAM, ...words.split(' ')], {
      encoding: 'utf8',
      env,
    });
    expect(status).toBe(0);
    const ofNode = stderr.match(/(?<=^NativeModule )(?!internal)\S+$/gm) ?? [];
    const files = (stderr.match(/(?<=^loaded file:\/\/).*/gm) ?? []).map((path) =>
      path.replace(/^.*(?=node_modules)/, ''),
    );
    const others = [...new Set(files)].flatMap((file) =>
      file.startsWith('node_modules/')
        ? [file]
        : (readFileSync(file, 'utf8').match(/(?<=^\/\/ )(?:src|node_modules)\/\S+$/gm) ?? []),
    );
    return { ofNode, others };
  }

  test('--version loads nothing but itself and the numbers of the migrations', () => {
    const loaded = modulesOf('--version').others.filter((name) => !name.startsWith('src/db/migrations/'));
    expect(loaded.sort()).toEqual(['src/cli/start.ts', 'src/core/installation/version.ts']);
  });

  test('--version tells program, schema and Node, wherever it stands, without settings', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { ctx } = await startCli();
    const schema = Number(ctx.db.raw.pragma('user_version', { simple: true }));
    const node = process.versions.node;
    const said = (...words: string[]) =>
      spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8', env: {} });
    for (const words of [['-V'], ['failed', 'list', '--version']])
      expect(said(...words)).toMatchObject({
        status: 0,
        stdout: `${version} (schema ${schema}, Node ${node})\n`,
        stderr: '',
      });
    expect(JSON.parse(said('--version', '--json').stdout)).toEqual({ version, schema, node });
  });

  test('--help of a command loads commander and our words, nothing that works', () => {
    const loaded = modulesOf('failed replay --help').others;
    const packages = loaded.filter((name) => name.startsWith('node_modules/'));
    expect(packages.filter((name) => !name.startsWith('node_modules/commander/'))).toEqual([]);
    const ours = loaded.filter((name) => /^src\/(core|db)\//.test(name));
    expect(
      ours.filter(
        (name) =>
          !/^src\/(core\/(calls\/(asked-time|each-act|listing|reason)|clock|commands|errors|history\/words|installation\/version|jobs\/names|lifecycle|payment\/decide|requests\/acts|resources\/\w+|texts\/(plain|stored-errors)|users\/(names|rights)|webhooks\/words|zone)|db\/caught)\.ts$/.test(
            name,
          ),
      ),
    ).toEqual([]);
  });

  test.each(['failed list', 'requests list', 'explain 1 --offline', 'todo'])(
    '%s loads the database, and nothing that judges input, asks providers, draws, sends, logs or starts programs',
    async (words) => {
      const cli = await startCli();
      await cli.waitingRequest();
      const { ofNode, others } = modulesOf(words, cli.env);
      const loaded = others.join(' ');
      expect(loaded).toContain('better-sqlite3');
      for (const heavy of ['zod', 'chalk', 'src/core/http/client', 'pdfkit', 'nodemailer', 'pino', 'argon2'])
        expect(loaded).not.toContain(heavy);
      for (const heavy of ['child_process', 'http']) expect(ofNode).not.toContain(heavy);
    },
  );
});

describe('pipes', () => {
  test('settings from --env-file, tab-separated lines, no escape codes, exit codes as documented', async () => {
    const cli = await startCli();
    const id = await cli.addFailedJob();
    const file = join(cli.dataDir, 'esign.env');
    writeFileSync(
      file,
      Object.entries(cli.env)
        .map(([name, value]) => `${name}="${value}"\n`)
        .join(''),
    );

    const listed = await ended(launch(['failed', 'list', '--env-file', file], {}));
    const unknown = await ended(launch(['check-signature', '999', '--env-file', file, '--json'], {}));

    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(new RegExp(`^ID\tKIND\t.*\n${id}\tsend-mail\t.*\n$`));
    expect(listed.stdout + listed.stderr).not.toContain('\u001b');
    expect(unknown).toMatchObject({ code: 4, stdout: '' });
    expect(JSON.parse(unknown.stderr)).toMatchObject({ error: { code: 'request_not_found' } });
  });

  test('a result that cannot be written makes the exit code 1', async () => {
    const { env } = await startCli();
    const program = launch(
      ['-c', `exec '${process.execPath}' '${PROGRAM}' failed list --json > /dev/full`],
      env,
      'sh',
    );
    const { code, stderr } = await ended(program);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^esignctl: the result could not be written: .*ENOSPC/);
  });
});

describe('Ctrl-C', () => {
  test('leaves in the list what it has not come to, exit 130', async () => {
    const cli = await startCli();
    const ids = [await cli.addFailedJob(), await cli.addFailedJob(), await cli.addFailedJob()];
    cli.sandbox.faults.add({ target: 'smtp', kind: 'delay', delayMs: 50 });

    const program = launch(['failed', 'replay', ...ids.map(String)], cli.env);
    program.child.stdout?.once('data', () => program.kill('SIGINT'));
    const { code, stdout } = await ended(program);

    expect(code).toBe(130);
    const done = stdout.match(/^replayed \d+ send-mail$/gm)?.length ?? 0;
    expect([1, 2, 3]).toContain(done);
    const states = cli.jobs('send-mail').map(({ state }) => state);
    expect(states.filter((state) => state === 'completed')).toHaveLength(done);
    expect(states.filter((state) => state === 'failed')).toHaveLength(3 - done);
  });
});

// `script` of util-linux gives a command a terminal of its own.
describe('on a terminal', () => {
  test('the password is asked twice on the terminal and never shown', async () => {
    const cli = await startCli();
    const typed = 'correct horse battery\r';

    const { code, stdout } = await onTerminal(['users', 'create', 'anna@example.org'], cli.env, {
      answers: [
        { prompt: 'Password', typed },
        { prompt: 'Repeat password', typed: 'something else entirely\r' },
        { prompt: 'Password', typed },
        { prompt: 'Repeat password', typed },
      ],
    });

    expect(code).toBe(0);
    expect(stdout).toContain('The passwords differ');
    expect(stdout).toMatch(/created user \d+ anna@example\.org as user/);
    expect(stdout).not.toContain('horse');
  });
});
