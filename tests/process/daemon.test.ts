/** The daemon as a program: it starts, says what is wrong, ends, is killed. More of each is in tests/machines. */
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { startProgram } from '../support/processes.js';
import { aWorld, SECRETS } from '../support/world.js';

test.concurrent('the daemon says that it is ready, answers, keeps a second one out and says which one runs, and leaves with 0 on SIGTERM', async (t) => {
  const world = await aWorld(t);

  const daemon = await world.daemon();
  const second = await world.daemonProcess({ ESIGN_PORT: '0' }).ended;

  expect(second.code).not.toBe(0);
  expect(second.stderr).toContain(String(daemon.pid));
  for (const path of ['/healthz', '/readyz']) {
    expect((await fetch(world.baseUrl + path)).status).toBe(200);
  }
  expect(await daemon.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
  await expect(fetch(`${world.baseUrl}/healthz`)).rejects.toThrow();
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

test.concurrent('a manual check beside the daemon completes the signature; the daemon sends the mails', async (t) => {
  const world = await aWorld(t);
  const { requestId, signId } = await world.waitingRequest();
  world.fault({ target: 'webhook', kind: 'lost', times: 1 });
  await world.daemon();
  world.sign(signId);

  const { code, stdout } = await world.ctl('check-signature', String(requestId), '--json');

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ type: 'success', key: 'check_signature_success' });
  expect(world.status(requestId)).toBe('WAITING_PAYMENT');
  const sent = () => world.outside().mails.filter(({ source }) => source === 'smtp').length;
  await vi.waitUntil(() => sent() === 3, PATIENCE);
  expect(world.outside().sessions).toHaveLength(1);
});

test.concurrent('kill -9 while the signed PDF comes in: all is done after the restart, once', async (t) => {
  const world = await aWorld(t);
  const daemon = await world.daemon();
  const { requestId, signId } = await world.waitingRequest();
  world.fault({ target: 'signature', operation: 'download', kind: 'delay', delayMs: 600_000, times: 1 });
  world.sign(signId);
  await vi.waitUntil(() => world.outside().counters.calls['signature.download'] === 1, PATIENCE);

  await daemon.killHard();
  await world.daemon();

  await vi.waitUntil(() => world.status(requestId) === 'WAITING_PAYMENT' && world.openJobs() === 0, PATIENCE);
  expect(world.rows("SELECT 1 FROM jobs WHERE state <> 'completed'")).toEqual([]);
  expect(world.rows("SELECT 1 FROM inbox WHERE state = 'received'")).toEqual([]);
  expect(world.rows("SELECT 1 FROM history WHERE what = 'contract.signed'")).toHaveLength(1);
  expect(world.rows('SELECT paymentId FROM payments')).toEqual(
    world.outside().sessions.map(({ id }) => ({ paymentId: id })),
  );
  expect(world.outside().sessions).toHaveLength(1);
});
