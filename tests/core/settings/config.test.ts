/** The settings: defaults, checks, how to fix every fault, where values come from, and no secret in any message. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseEnvFile } from '../../../src/core/settings/instance.js';
import { ConfigError, loadConfig, type Config, type Environment } from '../../../src/core/settings/config.js';
import { SETTINGS } from '../../../src/core/settings/settings.js';
import { systemZone } from '../../../src/core/zone.js';
import { temporaryDirectory } from '../../support/app.js';

const REQUIRED: Environment = {
  ESIGN_BASE_URL: 'https://contracts.acme.example',
  ESIGN_API_URL: 'https://api.signature.example/v3',
  ESIGN_API_KEY: 'signature-key',
  ESIGN_WEBHOOK_SECRET: 'webhook-secret-16',
  ESIGN_PAYMENT_API_URL: 'https://api.payment.example',
  ESIGN_PAYMENT_API_KEY: 'payment-key',
  ESIGN_SMTP_URL: 'smtp://mail.example:587',
  ESIGN_MAIL_FROM: 'Acme Maintenance <contracts@acme.example>',
  ESIGN_ADMIN_EMAIL: 'office@acme.example',
};

const load = (env: Environment = {}, envFile?: string) => loadConfig({ ...REQUIRED, ...env }, envFile);
const configOf = (env: Environment): Config => load(env).config;

function faultsOf(env: Environment): ConfigError {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('expected a ConfigError');
}

function aFile(name: string, text: string): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, text);
  return file;
}

const WRONG: [string, string][] = [
  ['ESIGN_INSTANCE', 'Acme'],
  ['ESIGN_INSTANCE', 'esign'],
  ['ESIGN_INSTALLATION', 'acme'],
  ['ESIGN_HOST', '127.0.0.1 x'],
  ['ESIGN_PORT', '65536'],
  ['ESIGN_PORT', '80 80'],
  ['ESIGN_PORT', '-1'],
  ['ESIGN_BASE_URL', 'contracts.example.org'],
  ['ESIGN_BASE_URL', 'https://user:word@contracts.example.org'],
  ['ESIGN_BASE_URL', 'https://contracts.example.org/?a=1'],
  ['ESIGN_BASE_URL', 'https://contracts.example.org/?'],
  ['ESIGN_BASE_URL', 'https://contracts.example.org/#'],
  ['ESIGN_BASE_URL', 'https://contracts.example.org/esign'],
  ['ESIGN_BASE_URL', 'https://@contracts.example.org'],
  ['ESIGN_BASE_URL', 'https:contracts.example.org'],
  ['ESIGN_BASE_URL', 'https:///contracts.example.org'],
  ['ESIGN_BASE_URL', 'https:\\\\contracts.example.org'],
  ['ESIGN_BASE_URL', 'https://contracts.exam\u00adple.org'],
  ['ESIGN_API_URL', 'https://api.example/v2'],
  ['ESIGN_API_URL', 'ftp://api.example/v3'],
  ['ESIGN_API_KEY', 'two words'],
  ['ESIGN_API_KEY', 'ключ'],
  ['ESIGN_WEBHOOK_SECRET', 'only-15-charact'],
  ['ESIGN_WEBHOOK_SECRET', 'new-secret-of-2026,short'],
  ['ESIGN_WEBHOOK_SECRET', 'new-secret-of-2026,old-secret-of-2025,older-secret-2024'],
  ['ESIGN_WEBHOOK_HEADER', 'X Header'],
  ['ESIGN_WEBHOOK_HEADER', 'X-Header: '],
  ['ESIGN_WEBHOOK_REPEAT_STATUS', '204'],
  ['ESIGN_PAYMENT_API_URL', 'api.payment.example'],
  ['ESIGN_PAYMENT_API_KEY', 'a\nb'],
  ['ESIGN_PAYMENT_WEBHOOK_SECRET', 'short'],
  ['ESIGN_CONTRACT_AMOUNT', '0'],
  ['ESIGN_CONTRACT_AMOUNT', '120.00'],
  ['ESIGN_CURRENCY', 'EUR'],
  ['ESIGN_CURRENCY', 'euro'],
  ['ESIGN_CURRENCY', 'eux'],
  ['ESIGN_CURRENCY', 'frf'],
  ['ESIGN_CURRENCY', 'xau'],
  ['ESIGN_CURRENCY', 'xxx'],
  ['ESIGN_VAT', 'twenty'],
  ['ESIGN_VAT', '100'],
  ['ESIGN_COUNTRY', 'France'],
  ['ESIGN_CONTRACT_VALID_DAYS', '0'],
  ['ESIGN_CONTRACT_VALID_DAYS', '366'],
  ['ESIGN_CONTRACT_TERM_DAYS', '-1'],
  ['ESIGN_NEW_DAYS', '0'],
  ['ESIGN_RENEW_DAYS', '366'],
  ['ESIGN_RETENTION_YEARS', '-1'],
  ['ESIGN_RETENTION_YEARS', 'ten'],
  ['ESIGN_SMTP_URL', 'mail.example'],
  ['ESIGN_SMTP_URL', 'http://mail.example'],
  ['ESIGN_SMTP_URL', 'smtp://'],
  ['ESIGN_SMTP_URL', 'smtp://mail.example?wrong=1'],
  ['ESIGN_SMTP_URL', 'file:'],
  ['ESIGN_MAIL_FROM', 'Acme'],
  ['ESIGN_COMPANY_NAME', 'ሀ Maintenance'],
  ['ESIGN_COMPANY_ADDRESS', 'a\nb'],
  ['ESIGN_COMPANY_ADDRESS', 'x'.repeat(201)],
  ['ESIGN_COMPANY_REGISTRATION', 'a\nb'],
  ['ESIGN_COMPANY_EMAIL', 'office'],
  ['ESIGN_COMPANY_PHONE', 'call us'],
  ['ESIGN_ADMIN_EMAIL', 'office'],
  ['ESIGN_ADMIN_EMAIL', 'a@acme.example=digest'],
  ['ESIGN_ADMIN_EMAIL', 'a@acme.example=all'],
  ['ESIGN_ADMIN_EMAIL', 'a@acme.example, A@acme.example'],
  ['ESIGN_LOCALE', 'de'],
  ['ESIGN_JWT_SECRET', 'x'.repeat(31)],
  ['ESIGN_REFRESH_SINGLE_USE', 'yes'],
  ['ESIGN_REMIND_DAYS', '7,3'],
  ['ESIGN_TRUSTED_PROXIES', '10.0.0.0/40'],
  ['ESIGN_TRUSTED_PROXIES', 'proxy.local'],
  ['ESIGN_RATE_LIMIT_IP', 'none'],
  ['ESIGN_RATE_LIMIT_USER', '1e3'],
  ['ESIGN_WEBHOOK_ALLOW_PRIVATE', 'a b'],
  ['ESIGN_WEBHOOK_ALLOW_PRIVATE', 'http://hooks.local'],
  ['ESIGN_WEBHOOK_PORTS', '443,https'],
  ['ESIGN_METRICS_TOKEN', 'short'],
  ['ESIGN_CORS_ORIGINS', 'https://app.example/'],
  ['ESIGN_CORS_ORIGINS', '*'],
  ['ESIGN_EXPIRE_CRON', 'daily'],
  ['ESIGN_EXPIRE_CRON', '0 5 0 * * *'],
  ['ESIGN_EXPIRE_CRON', '99 0 * * *'],
  ['ESIGN_RECONCILE_CRON', '* * * * FOO'],
  ['ESIGN_HOUSEKEEPING_CRON', 'nightly'],
  ['ESIGN_DIGEST_CRON', 'weekly'],
  ['ESIGN_BACKUP_DIR', 'backups'],
  ['ESIGN_BACKUP_CRON', '61 * * * *'],
  ['ESIGN_BACKUP_KEEP', '0'],
  ['ESIGN_OFFSITE_MAX_AGE', '0'],
  ['ESIGN_METRICS_TOKEN', 'long enough but with spaces'],
  ['ESIGN_TIMEZONE', 'Europe/Pariss'],
  ['ESIGN_TIMEZONE', '+02:00'],
  ['ESIGN_LOG_LEVEL', 'loud'],
];

describe('with only what is required', () => {
  test('everything else has the default of the handbook', () => {
    expect(configOf({})).toEqual({
      dataDir: './var',
      host: '127.0.0.1',
      port: 8080,
      baseUrl: 'https://contracts.acme.example',
      apiUrl: 'https://api.signature.example/v3',
      apiKey: 'signature-key',
      webhookSecrets: ['webhook-secret-16'],
      webhookHeader: 'X-Esign-Signature-256',
      webhookRepeatStatus: 422,
      paymentApiUrl: 'https://api.payment.example',
      paymentApiKey: 'payment-key',
      paymentWebhookSecrets: [],
      contractAmount: 12_000,
      currency: 'eur',
      contractValidDays: 30,
      contractTermDays: 365,
      retentionYears: 10,
      smtpUrl: 'smtp://mail.example:587',
      mailFrom: { name: 'Acme Maintenance', address: 'contracts@acme.example' },
      adminEmail: [{ address: 'office@acme.example', hears: ['cases', 'digest', 'signatures', 'payments'] }],
      locale: 'en',
      timeZone: systemZone(),
      jwtSecret: undefined,
      refreshSingleUse: true,
      remindDays: [3, 7],
      newDays: 2,
      renewDays: 60,
      trustedProxies: [],
      rateLimitIp: 60,
      rateLimitUser: 1000,
      webhookAllowPrivate: [],
      webhookPorts: [443],
      corsOrigins: [],
      expireCron: '5 0 * * *',
      reconcileCron: '*/30 * * * *',
      housekeepingCron: '35 3 * * *',
      digestCron: '0 7 * * 1-5',
      backupDir: undefined,
      backupCron: '15 2 * * *',
      backupKeep: 14,
      offsiteMinutesMax: 60,
      logLevel: 'info',
    });
  });

  test.each(Object.keys(REQUIRED))('%s must be there', (name) => {
    const { faults } = faultsOf({ ...REQUIRED, [name]: undefined });
    expect(faults).toMatchObject([{ variable: name, fault: 'is required and not set' }]);
  });
});

describe('values', () => {
  test.each<[string, string, keyof Config, unknown]>([
    ['ESIGN_DATA_DIR', '/var/lib/esign', 'dataDir', '/var/lib/esign'],
    ['ESIGN_HOST', '::1', 'host', '::1'],
    ['ESIGN_PORT', '0', 'port', 0],
    ['ESIGN_BASE_URL', 'https://contracts.example.org/', 'baseUrl', 'https://contracts.example.org'],
    ['ESIGN_API_URL', 'https://api.example/v3/', 'apiUrl', 'https://api.example/v3'],
    [
      'ESIGN_WEBHOOK_SECRET',
      'new-secret-of-2026, old-secret-of-2025',
      'webhookSecrets',
      ['new-secret-of-2026', 'old-secret-of-2025'],
    ],
    ['ESIGN_WEBHOOK_HEADER', 'X-Other-256', 'webhookHeader', 'X-Other-256'],
    ['ESIGN_WEBHOOK_REPEAT_STATUS', '200', 'webhookRepeatStatus', 200],
    ['ESIGN_PAYMENT_WEBHOOK_SECRET', 'whsec_0123456789', 'paymentWebhookSecrets', ['whsec_0123456789']],
    ['ESIGN_CONTRACT_AMOUNT', '50', 'contractAmount', 50],
    ['ESIGN_CURRENCY', 'chf', 'currency', 'chf'],
    ['ESIGN_CONTRACT_VALID_DAYS', '365', 'contractValidDays', 365],
    ['ESIGN_CONTRACT_TERM_DAYS', '0', 'contractTermDays', 0],
    ['ESIGN_SMTP_URL', 'file:./mails', 'smtpUrl', 'file:./mails'],
    ['ESIGN_SMTP_URL', 'smtps://u:p%20w@mail.example', 'smtpUrl', 'smtps://u:p%20w@mail.example'],
    [
      'ESIGN_ADMIN_EMAIL',
      'The Office <office@acme.example>=cases, b@acme.example=digest+payments',
      'adminEmail',
      [
        { address: 'office@acme.example', hears: ['cases'] },
        { address: 'b@acme.example', hears: ['digest', 'payments'] },
      ],
    ],
    ['ESIGN_LOCALE', 'fr', 'locale', 'fr'],
    ['ESIGN_TIMEZONE', 'america/los_angeles', 'timeZone', 'America/Los_Angeles'],
    ['ESIGN_JWT_SECRET', 'x'.repeat(32), 'jwtSecret', 'x'.repeat(32)],
    ['ESIGN_REFRESH_SINGLE_USE', '0', 'refreshSingleUse', false],
    ['ESIGN_TRUSTED_PROXIES', '10.0.0.0/8, ::1 ,', 'trustedProxies', ['10.0.0.0/8', '::1']],
    ['ESIGN_RATE_LIMIT_IP', '0', 'rateLimitIp', 0],
    ['ESIGN_RATE_LIMIT_USER', '5000', 'rateLimitUser', 5000],
    [
      'ESIGN_WEBHOOK_ALLOW_PRIVATE',
      'hooks.local,10.1.0.0/16',
      'webhookAllowPrivate',
      ['hooks.local', '10.1.0.0/16'],
    ],
    ['ESIGN_CORS_ORIGINS', 'https://app.example', 'corsOrigins', ['https://app.example']],
    ['ESIGN_EXPIRE_CRON', 'off', 'expireCron', undefined],
    ['ESIGN_RECONCILE_CRON', '0 6-20/2 * * MON-FRI', 'reconcileCron', '0 6-20/2 * * MON-FRI'],
    ['ESIGN_HOUSEKEEPING_CRON', 'off', 'housekeepingCron', undefined],
    ['ESIGN_DIGEST_CRON', 'off', 'digestCron', undefined],
    ['ESIGN_BACKUP_DIR', '/var/backups/esign', 'backupDir', '/var/backups/esign'],
    ['ESIGN_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
  ])('%s=%s', (name, text, key, value) => {
    expect(configOf({ [name]: text })[key]).toEqual(value);
  });

  test.each(WRONG)('%s=%s is an error of that variable, reported with its fix', (name, text) => {
    const { faults, message } = faultsOf({ ...REQUIRED, [name]: text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({
      variable: name,
      fix: SETTINGS[name as keyof typeof SETTINGS].fix,
    });
    expect(message).toBe(`Wrong settings:\n  ${name}: ${faults[0]?.fault}. ${faults[0]?.fix}`);
  });

  test('of every setting a wrong value is tried', () => {
    // ESIGN_DATA_DIR takes any text; whether it can be used is seen when it is opened.
    const tried = new Set(['ESIGN_DATA_DIR', ...WRONG.map(([name]) => name)]);
    expect([...tried].sort()).toEqual(Object.keys(SETTINGS).sort());
  });
});

test.each([
  [{ ESIGN_CONTRACT_AMOUNT: '49' }, '49 eur', 'accepts no less than 50'],
  [{ ESIGN_CONTRACT_AMOUNT: '15050', ESIGN_CURRENCY: 'isk' }, '15050 isk', 'accepts only multiples of 100'],
  [{ ESIGN_CONTRACT_AMOUNT: '12345', ESIGN_CURRENCY: 'kwd' }, '12345 kwd', 'accepts only multiples of 10'],
  [{ ESIGN_CURRENCY: 'huf' }, '12000 huf', 'accepts no less than 17500'],
])('a price that nobody can pay is an error: %j', (settings, price, taken) => {
  const { faults } = faultsOf({ ...REQUIRED, ...settings });
  expect(faults).toMatchObject([
    { variable: 'ESIGN_CONTRACT_AMOUNT', fault: expect.stringContaining(price) },
  ]);
  expect(faults[0]?.fault).toContain(taken);
  expect(faults[0]?.fix).toContain('ESIGN_CURRENCY');
});

test('all errors are reported together, each on one line', () => {
  const { faults, message } = faultsOf({ ESIGN_PORT: 'x', ESIGN_LOCALE: 'de', ESIGN_API_KEY: 'a key' });
  const names = faults.map(({ variable }) => variable);
  expect(names).toEqual([
    'ESIGN_PORT',
    'ESIGN_BASE_URL',
    'ESIGN_API_URL',
    'ESIGN_API_KEY',
    'ESIGN_WEBHOOK_SECRET',
    'ESIGN_PAYMENT_API_URL',
    'ESIGN_PAYMENT_API_KEY',
    'ESIGN_SMTP_URL',
    'ESIGN_MAIL_FROM',
    'ESIGN_ADMIN_EMAIL',
    'ESIGN_LOCALE',
  ]);
  expect(message.split('\n')).toHaveLength(names.length + 1);
});

test('empty and blank values count as not set', () => {
  expect(
    configOf({ ESIGN_PORT: '', ESIGN_LOCALE: '  ', ESIGN_JWT_SECRET: '', ESIGN_ENV_FILE: '' }),
  ).toMatchObject({
    port: 8080,
    locale: 'en',
    jwtSecret: undefined,
  });
  expect(faultsOf({ ...REQUIRED, ESIGN_API_KEY: ' ' }).faults).toMatchObject([{ variable: 'ESIGN_API_KEY' }]);
});

/** A key in a file. */
const aKey = (text = 'from-a-file') => ({ ESIGN_API_KEY: undefined, ESIGN_API_KEY_FILE: aFile('key', text) });

test.each<[string, () => [env: Environment, envFile?: string], string]>([
  ['X_FILE names the file that has it, without its line end', () => [aKey('from-a-file\n')], 'from-a-file'],
  ['the variable itself goes before X_FILE', () => [{ ...aKey(), ESIGN_API_KEY: 'direct' }], 'direct'],
  [
    'X_FILE of the environment goes before the env file',
    () => [aKey(), aFile('esign.env', 'ESIGN_API_KEY=from-the-env-file')],
    'from-a-file',
  ],
  [
    'the env file may itself name a file',
    () => [
      { ESIGN_API_KEY: undefined },
      aFile('esign.env', `ESIGN_API_KEY_FILE=${aKey().ESIGN_API_KEY_FILE}`),
    ],
    'from-a-file',
  ],
])('a secret: %s', (_, given, key) => {
  expect(load(...given()).config.apiKey).toBe(key);
});

test.each<[Environment, object[]]>([
  [
    { ...REQUIRED, ESIGN_API_KEY: undefined, ESIGN_API_KEY_FILE: '/nowhere/key' },
    [
      {
        variable: 'ESIGN_API_KEY',
        fault: 'the file that ESIGN_API_KEY_FILE names cannot be read (ENOENT)',
      },
    ],
  ],
  [
    { ...REQUIRED, ESIGN_API_KEY: undefined, ESIGN_API_KEY_FILE: '/dev/null' },
    [{ variable: 'ESIGN_API_KEY', fault: 'is required and not set' }],
  ],
  [
    { ...REQUIRED, ESIGN_ENV_FILE: '/nowhere/esign.env', ESIGN_PORT: 'x' },
    [
      { variable: 'ESIGN_ENV_FILE', fault: '/nowhere/esign.env cannot be read (ENOENT)' },
      { variable: 'ESIGN_PORT' },
    ],
  ],
  // What is required may well stand in it.
  [{ ESIGN_ENV_FILE: '/' }, [{ variable: 'ESIGN_ENV_FILE', fault: expect.stringContaining('EISDIR') }]],
])('a file that cannot be read is a fault of its variable: %#', (env, faults) => {
  expect(faultsOf(env).faults).toMatchObject(faults);
});

test('the env file fills what the environment leaves open; an option names it before ESIGN_ENV_FILE does', () => {
  const file = aFile('esign.env', '# a comment\nESIGN_PORT=9000\nESIGN_LOCALE="fr"\n');
  const { config, given } = load({ ESIGN_LOCALE: 'en' }, file);
  expect(config).toMatchObject({ port: 9000, locale: 'en' });
  expect(given).toMatchObject({
    ESIGN_PORT: { text: '9000', from: file },
    ESIGN_LOCALE: { text: 'en', from: 'environment' },
    ESIGN_HOST: { from: 'default' },
  });
  expect(load({ ESIGN_ENV_FILE: file }).config.port).toBe(9000);
  expect(load({ ESIGN_ENV_FILE: file }, aFile('b.env', 'ESIGN_PORT=9002')).config.port).toBe(9002);
});

describe('a line of the env file', () => {
  const LINES: [string, string][] = [
    ['ESIGN_X=8080', '8080'],
    ['ESIGN_X=', ''],
    ['  ESIGN_X=8080  ', '8080'],
    ['export ESIGN_X=8080', '8080'],
    ['ESIGN_X=whsec_ab#cd', 'whsec_ab#cd'],
    ['ESIGN_X=#not-a-comment', '#not-a-comment'],
    ['ESIGN_X= # nothing', ''],
    ['ESIGN_X=8080 # the port', '8080'],
    ['ESIGN_X=8080\t#the port', '8080'],
    ['ESIGN_X=a=b==', 'a=b=='],
    ['ESIGN_X="a # b"', 'a # b'],
    ["ESIGN_X='a # b' # why", 'a # b'],
    ['ESIGN_X="say \\"yes\\" \\\\ \\$5"', 'say "yes" \\ $5'],
    ["ESIGN_X='say \\\\'", 'say \\\\'],
    ['ESIGN_X=""', ''],
  ];

  test.each(LINES)('%s says %j', (line, value) => {
    expect(parseEnvFile(`# first\n\n${line}\nESIGN_Y=1\n`)).toEqual({ ESIGN_X: value, ESIGN_Y: '1' });
  });

  test.each(LINES)('a shell reads the same: %s', (line, value) => {
    const file = aFile('esign.env', `${line}\n`);
    const read = execFileSync('sh', ['-c', `set -a; . ${file}; printf %s "$ESIGN_X"`], { encoding: 'utf8' });
    expect(read).toBe(value);
  });

  test.each<[string, string, Environment]>([
    ['a byte order mark before it', '\uFEFFESIGN_X=1', { ESIGN_X: '1' }],
    ['Windows line ends', 'ESIGN_X=1\r\nESIGN_Y="2"\r\n', { ESIGN_X: '1', ESIGN_Y: '2' }],
    ['the same name later', 'ESIGN_X=1\nESIGN_X=2', { ESIGN_X: '2' }],
    ['spaces around the sign', 'ESIGN_X = 1', { ESIGN_X: '1' }],
    [
      'a quote that is part of the value',
      'ESIGN_X="Acme, Ltd." <a@b.example>',
      { ESIGN_X: '"Acme, Ltd." <a@b.example>' },
    ],
    ['a quote that is never closed', 'ESIGN_X="1\nESIGN_Y=2', { ESIGN_X: '"1', ESIGN_Y: '2' }],
    ['nothing that has a name', '; a comment\nwords\n=1\n', {}],
  ])('with %s', (_, text, values) => {
    expect(parseEnvFile(text)).toEqual(values);
  });
});

describe('a name that begins with ESIGN_ and is no setting', () => {
  test('is reported with its place and the setting spelt most alike; nothing is wrong', () => {
    const file = aFile('esign.env', 'ESIGN_CURENCY=usd\nOTHER_NAME=1\nESIGN_API_KEY_FILE=\n');
    const { unknown } = load(
      { ESIGN_PROT: '9000', esign_port: '1', ESIGN_HOST_FILE: '', ESIGN_CARE_CRON: 'off' },
      file,
    );
    expect(unknown).toEqual([
      { name: 'ESIGN_PROT', nearest: 'ESIGN_PORT', from: 'environment' },
      { name: 'esign_port', nearest: 'ESIGN_PORT', from: 'environment' },
      // The word most alike is the daily expiry, which nobody should switch off for it.
      { name: 'ESIGN_CARE_CRON', nearest: 'ESIGN_HOUSEKEEPING_CRON', from: 'environment' },
      { name: 'ESIGN_CURENCY', nearest: 'ESIGN_CURRENCY', from: file },
    ]);
  });

  test('is told beside the fault when a required one is missing', () => {
    const { message } = faultsOf({ ...REQUIRED, ESIGN_API_KEY: undefined, ESIGN_API_KYE: 'S3CR3T' });
    expect(message).toContain('ESIGN_API_KEY: is required and not set');
    expect(message).toContain(
      'ESIGN_API_KYE (environment) is not a setting and is not read; the nearest is ESIGN_API_KEY.',
    );
    expect(message).not.toContain('S3CR3T');
  });
});

test('no message shows a secret, whatever is wrong with it', () => {
  const secret = 'S3CR3T';
  const wrong: Environment = {
    ESIGN_API_KEY: `${secret} key`,
    ESIGN_WEBHOOK_SECRET: secret,
    ESIGN_PAYMENT_API_KEY: `${secret}\u0001`,
    ESIGN_PAYMENT_WEBHOOK_SECRET: secret,
    ESIGN_SMTP_URL: `smtp://user:${secret}@mail.example?x=1`,
    ESIGN_JWT_SECRET: secret,
    ESIGN_BASE_URL: `https://user:${secret}@a.example`,
    ESIGN_API_URL: `https://${secret}:x@a.example/v3`,
  };
  const error = faultsOf({ ...REQUIRED, ...wrong });
  expect(error.faults).toHaveLength(8);
  expect(JSON.stringify(error.faults) + error.message).not.toContain(secret);
});
