/** The files for systemd and Prometheus fit the programs they are about. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/core/settings/config.js';
import { SETTINGS, type Setting } from '../../src/core/settings/settings.js';
import { settingsTemplate } from '../../ops/deb/template.js';
import { DaemonMetrics } from '../../src/server/operations/metrics.js';
import { startApp, temporaryDirectory } from '../support/app.js';

const OPS = fileURLToPath(new URL('../../ops', import.meta.url));
const read = (file: string) => readFileSync(join(OPS, file), 'utf8');

test('wrong settings end in `failed` at once, other trouble after a limit', () => {
  const unit = read('systemd/esignd.service');
  expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
  // As many starts, also those that the watchdog ends, take no longer than the interval: the limit is reached.
  const number = (name: string) => Number(new RegExp(`^${name}=(\\d+)`, 'm').exec(unit)?.[1]);
  expect(number('StartLimitBurst') * (number('RestartSec') + number('WatchdogSec') + 10)).toBeLessThanOrEqual(
    number('StartLimitIntervalSec') * 60,
  );
});

test('the template of the settings names each, and works once what is required is filled in', () => {
  const template = settingsTemplate();
  for (const name of Object.keys(SETTINGS)) expect(template).toMatch(new RegExp(`^#?${name}=`, 'm'));
  const values: Record<string, string> = {
    ESIGN_BASE_URL: 'https://contracts.acme.example',
    ESIGN_API_URL: 'https://provider.example/v3',
    ESIGN_PAYMENT_API_URL: 'https://payment.example',
    ESIGN_WEBHOOK_SECRET: '0123456789abcdef',
    ESIGN_SMTP_URL: 'smtp://mail.example:25',
    ESIGN_MAIL_FROM: '"Acme <contracts@acme.example>"',
    ESIGN_ADMIN_EMAIL: 'office@acme.example',
  };
  const filled = template.replaceAll(
    /^(ESIGN_\w+)=$/gm,
    (_, name: string) => `${name}=${values[name] ?? 'key'}`,
  );
  const file = join(temporaryDirectory(), 'esign.env');
  writeFileSync(file, filled);
  const { config } = loadConfig({}, file);

  // Every line that was commented out said what holds without it.
  writeFileSync(file, filled.replaceAll(/^#(ESIGN_\w+=.+)$/gm, '$1'));
  expect(loadConfig({}, file).config).toEqual(config);
  const withDefault = Object.values<Setting>(SETTINGS).filter(({ required }) => !required);
  expect(withDefault.length).toBeGreaterThan(15);
});

test('alerts and dashboard ask for numbers that the daemon gives', async () => {
  const metrics = new DaemonMetrics();
  const { ctx } = await startApp();
  metrics.watch(ctx);
  const { text } = await metrics.page();
  const given = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name as string));
  const asked = [
    ...(read('prometheus/alerts.yml') + read('grafana/esign.json')).matchAll(/\b(?:esign|nodejs)_\w+/g),
  ].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''));
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((name) => !given.has(name))).toEqual([]);
});

test.each(['deb/postinst', 'deb/prerm', 'deb/postrm', 'deb/esign-instance', 'restic/esign-restic'])(
  '%s is a shell script without faults of syntax',
  (script) => {
    expect(spawnSync('sh', ['-n', join(OPS, script)]).status).toBe(0);
  },
);

test('no unit starts without the file system of the data', () => {
  const units = [
    'systemd/esignd',
    'systemd/esign-expire',
    'restic/esign-restic',
    'restic/esign-restic-check',
  ];
  for (const unit of units) expect(read(`${unit}.service`)).toMatch(/^RequiresMountsFor=\/var\/lib\/esign$/m);
});
