/** --instance: one of several installations on this machine, each with its own settings and data (rules 10). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/settings/config.js';
import { instanceName } from '../../../src/core/settings/instance.js';
import { temporaryDirectory } from '../../support/app.js';
import { jsonError, jsonList, run, startCli } from '../support.js';

/** Two firms: the first has a request, the second a damaged database. */
async function twoFirms() {
  const cli = await startCli();
  await cli.waitingRequest();
  const { ESIGN_DATA_DIR: _, ...rest } = cli.env;
  const settings = temporaryDirectory();
  const damaged = temporaryDirectory();
  writeFileSync(join(damaged, 'esign.db'), 'no database, but long enough to be looked at '.repeat(100));
  writeFileSync(join(settings, 'acme.env'), `ESIGN_DATA_DIR=${cli.ctx.config.dataDir}\n`);
  writeFileSync(join(settings, 'bolt.env'), `ESIGN_DATA_DIR=${damaged}\n`);
  writeFileSync(join(settings, 'esign.env'), '');
  return {
    settings,
    env: { ...rest, ESIGN_SETTINGS_DIR: settings },
    sandbox: cli.sandbox,
    raw: cli.ctx.db.raw,
  };
}

test('stands before or behind any command, and goes before ESIGN_ENV_FILE', async () => {
  const { env } = await twoFirms();
  for (const argv of [
    ['--instance', 'acme', 'requests', 'list', '--json'],
    ['requests', 'list', '--json', '--instance=acme'],
  ]) {
    expect(jsonList(await run(argv, { env: { ...env, ESIGN_ENV_FILE: '/nowhere' } }))).toHaveLength(1);
  }
});

test('commands that are advised carry it', async () => {
  const { env } = await twoFirms();
  const { stderr } = await run(['failed', 'list', '--instance', 'bolt'], { env });
  expect(stderr).toContain('esignctl restore FILE --instance bolt');
});

test('a command within a sentence of explain carries it, too', async () => {
  const { env } = await twoFirms();
  const inAcme = (...words: string[]) => run([...words, '--instance', 'acme'], { env });
  expect((await inAcme('requests', 'cancel', '1', '--reason', 'sold', '--yes')).code).toBe(0);
  const advice = '`esignctl requests reopen 1 --reason … --instance acme`';
  expect((await inAcme('explain', '1', '--offline')).stdout).toContain(advice);
});

test('so does one within the answer of a check', async () => {
  const { env, sandbox } = await twoFirms();
  sandbox.faults.add({ target: 'signature', kind: '500' });
  const { stderr } = await run(['check-signature', '1', '--instance', 'acme'], { env });
  expect(stderr).toContain('`esignctl doctor --instance acme` shows why');
});

test('so do those that explain why a job of several was not tried, and lead to the whole list', async () => {
  const { env, raw } = await twoFirms();
  raw.exec(
    `INSERT INTO jobs (id, kind, payload, state, attempt, runAt, createdAt, finishedAt)
     VALUES (97, 'send-mail', '{"mail":"run-failing"}', 'failed', 7, '2026-03-02', '2026-03-02', '2026-03-02')`,
  );
  for (const words of [
    ['jobs', 'push'],
    ['jobs', 'push', '--dry-run'],
  ]) {
    const { stdout } = await run([...words, '97', '98', '--instance', 'acme'], { env });
    expect(stdout).toContain('`esignctl failed replay 97 --instance acme` instead');
    const json = await run([...words, '97', '98', '--instance', 'acme', '--json'], { env });
    expect(json.stdout).toContain('`esignctl failed replay 97 --instance acme` instead');
  }
  const { stdout: status } = await run(['status', '--instance', 'acme'], { env });
  expect(status).toContain('(esignctl failed replay 97 --instance acme); all: esignctl todo --instance acme');
});

test('one that there is not is refused with those that there are, and so is a name that is a path', async () => {
  const { env } = await twoFirms();
  for (const name of ['acmee', '../acme', 'esign', '']) {
    const ran = await run(['todo', '--json', '--instance', name], { env });
    expect(ran.code).toBe(2);
    expect(jsonError(ran)).toMatchObject({
      code: 'wrong_usage',
      message: expect.stringMatching(`no instance “${name}” in .*There are: acme, bolt\\.`) as string,
    });
  }
});

test('with --env-file it is refused: one of them would not be read', async () => {
  const { env, settings } = await twoFirms();
  const both = ['todo', '--instance', 'acme', '--env-file', join(settings, 'bolt.env')];
  expect(await run(both, { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('together') });
});

test('Tab offers the names, and then what is stored there', async () => {
  const { env } = await twoFirms();
  const offered = async (...words: string[]) =>
    (await run(['__complete', '--', ...words], { env })).stdout
      .split('\n')
      .flatMap((line) => line.split('\t')[0] || []);
  expect(await offered('--instance', '')).toEqual(['acme', 'bolt']);
  expect(await offered('--instance', 'acme', 'contracts', 'show', '')).toEqual(['1']);
  expect(await offered('--instance=acme', 'contracts', 'show', '')).toEqual(['1']);
  expect(await offered('--instance', 'bolt', 'contracts', 'show', '')).toEqual([]);
});

test('its data are in a directory of its own, unless its settings name another', async () => {
  const { env } = await twoFirms();
  writeFileSync(join(env.ESIGN_SETTINGS_DIR, 'core.env'), '');
  const { config, given } = loadConfig({ ...env, ESIGN_INSTANCE: 'core' });
  expect(config).toMatchObject({ instance: 'core', dataDir: '/var/lib/esign-core' });
  expect(given['ESIGN_DATA_DIR']?.from).toBe('ESIGN_INSTANCE');
});

test('where the directory cannot be read, the settings are what is wrong', async () => {
  const { env, settings } = await twoFirms();
  mkdirSync(join(settings, 'dir.env'));
  const { code, stderr } = await run(['todo', '--instance', 'dir'], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('dir.env cannot be read (EISDIR)')]);
});

test.each(['', 'esign', 'restic', 'Acme', '1a', '-a', 'a_b', 'a b', '../x', 'a'.repeat(25)])(
  'esign-instance, which makes one, refuses the name %j as the settings do',
  (name) => {
    const script = fileURLToPath(new URL('../../../ops/deb/esign-instance', import.meta.url));
    expect(spawnSync('sh', [script, name], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Usage: esign-instance NAME') as string,
    });
    expect(() => instanceName(name)).toThrow('is not the name of an instance');
  },
);

test('the longest name is one', () => expect(instanceName('a'.repeat(24))).toHaveLength(24));

test('the units give each its own user, directory and settings, and differ in nothing else', () => {
  const read = (unit: string) => readFileSync(new URL(`../../../ops/${unit}`, import.meta.url), 'utf8');
  const UNITS = [
    'systemd/esignd',
    'systemd/esign-expire',
    'restic/esign-restic',
    'restic/esign-restic-check',
  ];
  for (const unit of UNITS) {
    const one = read(`${unit}@.service`)
      .replaceAll('esign-%i', 'esign')
      .replaceAll(' --instance %i', '')
      .replaceAll('/etc/esign/%i.env', '/etc/esign/esign.env')
      .replaceAll('/etc/esign/%i.restic.', '/etc/esign/restic.')
      .replaceAll('esign-restic-%i', 'esign-restic')
      .replaceAll(/^Environment=ESIGN_INSTANCE=%i .*\n/gm, '')
      .replaceAll(/^(Description=.*) \(%i\)$/gm, '$1');
    expect(one).toBe(read(`${unit}.service`));
  }
});
