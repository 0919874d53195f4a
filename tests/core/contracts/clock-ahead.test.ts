/** A clock far ahead of the signature provider's expires nothing, and says so, until the two agree (rules 2). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openCasesOf } from '../../../src/core/cases/cases.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { startSchedules } from '../../../src/core/schedule/schedule.js';
import { SignatureProvider } from '../../../src/core/signature/provider.js';
import { readStatus } from '../../../src/core/status/status.js';
import { rejection, startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { until } from '../../support/queue.js';
import { deliver } from '../../support/webhooks.js';

/** One contract whose last day has passed by our clock, which is `aheadMs` ahead of the provider's. */
async function ahead(aheadMs: number, options: AppOptions = {}) {
  const behind = { ms: 0 };
  const app: TestApp = await startApp({
    ...options,
    sandbox: { now: () => app.clock.now().getTime() - behind.ms },
  });
  const { request } = await app.waitingRequest();
  const expire = (dryRun = false) => expireContracts(app.ctx, { actor: TESTER, dryRun });
  expect(await expire()).toMatchObject({ expired: 0 });
  expect(app.sandbox.state().counters.calls['signature.list']).toBeUndefined();
  app.clock.set('2026-04-02T00:00:01.000Z');
  behind.ms = aheadMs;
  return { app, expire, behind, status: () => app.contract(request.id).status };
}

test('the run is refused with both times, also as a dry run, and changes nothing', async () => {
  const { app, expire, status } = await ahead(40 * DAY);
  const { lastExpiry } = readStatus(app.ctx);
  for (const dryRun of [true, false]) {
    const error = await rejection(expire(dryRun));
    expect(error).toMatchObject({ kind: 'refused', code: 'clock_ahead' });
    expect(error.message).toContain('says 2026-04-02T00:00:01');
    expect(error.message).toContain('2026-02-21T00:00:01');
  }
  expect(status()).toBe('PENDING');
  expect(readStatus(app.ctx).lastExpiry).toEqual(lastExpiry);
});

test.each<[what: string, ms: number, happens?: (app: TestApp) => unknown]>([
  ['is five minutes ahead', 5 * MINUTE],
  ['is an answer ahead', 1_000],
  ['is a year behind', -365 * DAY],
  ...['500', '401', '404_html', 'reset'].map((fault): [string, number, (app: TestApp) => unknown] => [
    `is compared with nothing, because the provider answers ${fault},`,
    40 * DAY,
    ({ sandbox }) => sandbox.faults.add(`signature.list:${fault}`),
  ]),
  ['is compared with an answer that bears no time', 40 * DAY, answersWithoutTime],
])('a clock that %s expires as ever', async (_, ms, happens) => {
  const { app, expire, status } = await ahead(ms);
  await happens?.(app);
  expect(await expire()).toMatchObject({ expired: 1 });
  expect(status()).toBe('EXPIRED');
});

test('an error of our own in that comparison is not taken for silence', async () => {
  const { app, expire } = await ahead(0);
  app.ctx.provider.probe = () => Promise.reject(new Error('a bug'));
  await expect(expire()).rejects.toThrow('a bug');
});

async function answersWithoutTime({ ctx }: TestApp): Promise<void> {
  const server = createServer((_, response) => {
    response.sendDate = false;
    response.end(JSON.stringify({ meta: {}, data: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new SignatureProvider({ baseUrl, apiKey: () => 'key' });
  Object.defineProperty(ctx, 'provider', { value: provider });
}

test('a term that ends soon by such a clock alone is told to nobody, until the clocks agree', async () => {
  const behind = { ms: 0 };
  const app: TestApp = await startApp({
    sandbox: { now: () => app.clock.now().getTime() - behind.ms },
  });
  const { signId, request } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  const termEnds = Date.parse(app.contract(request.id).expiredAt as string);
  const told = () => openCasesOf(app.ctx.db, request.id).length;
  app.clock.set(new Date(termEnds - 10 * DAY).toISOString());
  behind.ms = 200 * DAY;
  for (const dryRun of [true, false]) {
    const error = await rejection(expireContracts(app.ctx, { actor: TESTER, dryRun }));
    expect(error).toMatchObject({ kind: 'refused', code: 'clock_ahead' });
  }
  expect(told()).toBe(0);
  behind.ms = 0;
  await expireContracts(app.ctx, { actor: TESTER });
  expect(told()).toBe(1);
});

test('the daemon that starts so expires nothing, tells status and the administrator, and expires once the clocks agree', async () => {
  const env = { ESIGN_RECONCILE_CRON: 'off', ESIGN_HOUSEKEEPING_CRON: 'off', ESIGN_DIGEST_CRON: 'off' };
  const { app, behind, status } = await ahead(40 * DAY, { env });

  const schedules = startSchedules(app.ctx);
  await until(() => readStatus(app.ctx).failing.length > 0);
  await schedules.stop();
  await app.drain();

  expect(status()).toBe('PENDING');
  expect(readStatus(app.ctx).failing).toMatchObject([
    { run: 'expire', times: 1, error: expect.stringContaining('no contract was closed') as string },
  ]);
  const mail = app.sandbox.mails().find(({ to }) => to.includes('office@acme.test'))?.text ?? '';
  expect(mail).toContain('no contract was closed');

  // As the bulk check comes by again.
  behind.ms = 0;
  const config = { ...app.ctx.config, expireCron: '0 0 1 1 *', reconcileCron: '* * * * * *' };
  const later = startSchedules({ ...app.ctx, config });
  onTestFinished(() => later.stop());
  await until(() => status() === 'EXPIRED');
  await until(() => readStatus(app.ctx).failing.length === 0);
});
