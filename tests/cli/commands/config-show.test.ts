/** esignctl config show: what is in force and who says so; no secret is ever shown. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../../src/core/settings/settings.js';
import { temporaryDirectory } from '../../support/app.js';
import { jsonList, run, startCli } from '../support.js';

test('every setting with its value and its source; secrets are masked, the mail server stays readable', async () => {
  const { env } = await startCli();
  const file = join(temporaryDirectory(), 'esign.env');
  writeFileSync(file, 'ESIGN_CURRENCY=usd\nESIGN_SMTP_URL=smtp://other\nESIGN_EXPIRE_CRON=off\n');
  const key = join(temporaryDirectory(), 'key');
  writeFileSync(key, 'key-from-a-file');
  const { ESIGN_API_KEY: _, ...others } = env;
  const given = {
    ...others,
    ESIGN_API_KEY_FILE: key,
    ESIGN_SMTP_URL: 'smtps://anna:hushhush@mail.test:465',
    ESIGN_ENV_FILE: file,
  };

  const ran = await run(['config', 'show', '--json'], { env: given });

  const shown = jsonList(ran);
  expect(shown.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
  const of = (name: string) => shown.find((setting) => setting['name'] === name);
  expect(of('ESIGN_CURRENCY')).toEqual({
    name: 'ESIGN_CURRENCY',
    value: 'usd',
    from: file,
    secret: false,
    nearest: null,
  });
  expect(of('ESIGN_EXPIRE_CRON')).toMatchObject({ value: 'off', from: file });
  expect(of('ESIGN_API_KEY')).toMatchObject({ value: '********', from: 'environment', secret: true });
  expect(of('ESIGN_SMTP_URL')).toMatchObject({ value: 'smtps://********@mail.test:465' });
  expect(of('ESIGN_JWT_SECRET')).toMatchObject({ value: null, from: 'default' });
  expect(of('ESIGN_PORT')).toMatchObject({ value: '8080', from: 'default' });
  const plain = await run(['config', 'show'], { env: given });
  for (const secret of ['hushhush', 'key-from-a-file', 'test-webhook-secret-1', 'sandbox-payment-key']) {
    expect(`${plain.stdout}${ran.stdout}`).not.toContain(secret);
  }
});

test('names that are no settings are reported once, with the nearest, and never their values', async () => {
  const { env } = await startCli();
  const file = join(temporaryDirectory(), 'esign.env');
  writeFileSync(file, 'ESIGN_WEBHOK_SECRET=S3CR3T\n');
  const given = { ...env, ESIGN_PROT: '9000', ESIGN_ENV_FILE: file };

  const shown = jsonList(await run(['config', 'show', '--json'], { env: given }));
  const status = await run(['status'], { env: given });
  const doctor = await run(['doctor'], { env: given });

  expect(shown.slice(-2)).toEqual([
    { name: 'ESIGN_PROT', value: null, from: 'environment', secret: false, nearest: 'ESIGN_PORT' },
    { name: 'ESIGN_WEBHOK_SECRET', value: null, from: file, secret: false, nearest: 'ESIGN_WEBHOOK_SECRET' },
  ]);
  expect(status).toMatchObject({
    code: 0,
    stderr: [
      'esignctl: warning: ESIGN_PROT (environment) is not a setting and is not read; the nearest is ESIGN_PORT',
      `esignctl: warning: ESIGN_WEBHOK_SECRET (${file}) is not a setting and is not read; the nearest is ESIGN_WEBHOOK_SECRET`,
      '',
    ].join('\n'),
  });
  expect(doctor.stdout).toMatch(/^setting ESIGN_PROT\twarning\tit is not a setting/m);
  expect(JSON.stringify([shown, status, doctor])).not.toContain('S3CR3T');
});

test('wrong settings are told instead: exit 2', async () => {
  const { code, stdout, stderr } = await run(['config', 'show'], { env: { ESIGN_PORT: 'x' } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('ESIGN_PORT');
});
