/** The daemon's ways to start, and to refuse to. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { startProgram } from '../support/processes.js';
import { aWorld, SECRETS } from '../support/world.js';

test.concurrent('an --env-file gives the settings, one that cannot be read is named; SIGINT ends the daemon with 0', async (t) => {
  const world = await aWorld(t);
  const file = join(world.dataDir, '..', 'esign.env');
  writeFileSync(
    file,
    Object.entries(world.env)
      .map(([name, value]) => `${name}="${value}"`)
      .join('\n'),
  );

  const daemon = startProgram(t, 'esignd', { args: ['--env-file', file], env: { ESIGN_PROT: '1' } });
  await daemon.said(/\bready\b/);
  expect(daemon.stderr.match(/ESIGN_PROT/g)).toHaveLength(1);
  expect(daemon.stderr).toContain('"nearest":"ESIGN_PORT"');
  const { code, stderr } = await startProgram(t, 'esignd', { args: ['--env-file', `${file}.gone`] }).ended;

  expect(code).toBe(2);
  expect(stderr).toContain(`${file}.gone`);
  expect(await daemon.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
});

test.concurrent('a port in use: exit 1 and the port named', async (t) => {
  const world = await aWorld(t);
  const other = createServer().listen(Number(world.env['ESIGN_PORT']), '127.0.0.1');
  await once(other, 'listening');
  t.onTestFinished(() => void other.close());

  const { code, stderr } = await world.daemonProcess().ended;

  expect(code).toBe(1);
  expect(stderr).toContain(world.env['ESIGN_PORT']);
  expect(stderr).not.toContain('    at ');
});

test.concurrent('a key that cannot be read: exit 1 and the key named, not the port', async (t) => {
  const world = await aWorld(t);
  mkdirSync(join(world.dataDir, 'keys', 'jwt.secret'), { recursive: true });

  const { code, stderr } = await world.daemonProcess().ended;

  expect(code).toBe(1);
  expect(stderr).toContain(`${join(world.dataDir, 'keys', 'jwt.secret')} cannot be used (EISDIR`);
  expect(stderr).not.toContain('listen');
});

test.concurrent('a database of a newer version is refused, in words, and not touched', async (t) => {
  const world = await aWorld(t);
  await world.newRequest();
  const db = new Database(join(world.dataDir, 'esign.db'));
  db.pragma('user_version = 9999');
  db.close();

  const { code, stderr } = await world.daemonProcess().ended;

  expect(code).not.toBe(0);
  expect(stderr).toMatch(/newer version/);
  expect(stderr).not.toContain('    at ');
  expect(world.rows('PRAGMA user_version')).toEqual([{ user_version: 9999 }]);
});

test.concurrent('wrong settings: exit 2, every fault named at once, no secret told', async (t) => {
  const env = {
    ...SECRETS,
    ESIGN_API_URL: 'ftp://provider.example',
    ESIGN_PORT: '99999',
    ESIGN_WEBHOOK_SECRET: 'too-short',
    ESIGN_SMTP_URL: 'mailto:admin:hunter2@example.org',
    TZ: 'GMT+2',
  };

  const { code, stdout, stderr } = await startProgram(t, 'esignd', { env }).ended;

  expect(code).toBe(2);
  const wrong = ['ESIGN_API_URL', 'ESIGN_PORT', 'ESIGN_WEBHOOK_SECRET', 'ESIGN_SMTP_URL', 'ESIGN_TIMEZONE'];
  const missing = ['ESIGN_BASE_URL', 'ESIGN_PAYMENT_API_URL', 'ESIGN_MAIL_FROM', 'ESIGN_ADMIN_EMAIL'];
  for (const variable of [...wrong, ...missing]) expect(stderr).toContain(variable);
  for (const told of ['too-short', 'hunter2', SECRETS.ESIGN_API_KEY])
    expect(stdout + stderr).not.toContain(told);
  expect(stderr).not.toContain('    at ');
});

test.concurrent('SIGTERM while a job runs: it is finished, then exit 0', async (t) => {
  const world = await aWorld(t);
  const daemon = await world.daemon();
  const { requestId, signId } = await world.waitingRequest();
  world.fault({ target: 'signature', operation: 'download', kind: 'delay', delayMs: 2_000, times: 1 });
  world.sign(signId);
  await vi.waitUntil(() => world.outside().counters.calls['signature.download'] === 1, PATIENCE);

  const { code } = await daemon.stop('SIGTERM');

  expect(code).toBe(0);
  expect(world.status(requestId)).toBe('WAITING_PAYMENT');
  expect(world.rows("SELECT 1 FROM jobs WHERE state = 'running'")).toEqual([]);
});
