/** A clock far ahead of the signature provider's expires nothing, and says so, until the two agree (rules 2). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { startSchedules } from '../../../src/core/schedule/schedule.js';
import { SignatureProvider } from '../../../src/core/signature/provider.js';
import { readStatus } from '../../../src/core/status/status.js';
import { rejection, startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { until } from '../../support/queue.js';

/** One contract whose last day has passed by our clock, which is `aheadMs` ahead of the provider's. */
async function ahead(aheadMs: number, options: AppOptions = {}) {
  const behind = { ms: 0 };
  const app: TestApp = await startApp({
    ...options,
    sandbox: { now: () => app.clock.now().getTime() - behind.ms },
  });
  const { request } = await app.waitingRequest();
  app.clock.set('2026-04-02T00:00:01.000Z');
  behind.ms = aheadMs;
  return { app, request, behind };
}

const expire = (app: TestApp, dryRun = false) => expireContracts(app.ctx, { actor: TESTER, dryRun });
const status = (app: TestApp, id: number) => app.contract(id).status;

test.each([false, true])(
  'the run is refused with both times, and changes nothing (dry run: %s)',
  async (dryRun) => {
    const { app, request } = await ahead(40 * DAY);
    const error = await rejection(expire(app, dryRun));
    expect(error).toMatchObject({ kind: 'refused', code: 'clock_ahead' });
    expect(error.message).toContain('says 2026-04-02T00:00:01');
    expect(error.message).toContain('2026-02-21T00:00:01');
    expect(status(app, request.id)).toBe('PENDING');
    expect(readStatus(app.ctx).lastExpiry).toBeNull();
  },
);

test.each([
  ['five minutes ahead', 5 * MINUTE],
  ['an answer ago', 1_000],
  ['a year behind', -365 * DAY],
])('a clock that is %s expires as ever', async (_, ms) => {
  const { app, request } = await ahead(ms);
  expect(await expire(app)).toMatchObject({ expired: 1 });
  expect(status(app, request.id)).toBe('EXPIRED');
});

test('with nothing due nobody is asked', async () => {
  const app = await startApp();
  await app.waitingRequest();
  expect(await expire(app)).toMatchObject({ expired: 0 });
  expect(app.sandbox.state().counters.calls['signature.list']).toBeUndefined();
});

describe('when there is nothing to compare with, our own clock is gone by:', () => {
  test.each(['500', '401', '404_html', 'reset'])('the provider answers %s', async (fault) => {
    const { app, request } = await ahead(40 * DAY);
    app.sandbox.faults.add(`signature.list:${fault}`);
    expect(await expire(app)).toMatchObject({ expired: 1 });
    expect(status(app, request.id)).toBe('EXPIRED');
  });

  test('its answer bears no time', async () => {
    const { app } = await ahead(40 * DAY);
    const server = createServer((_, response) => {
      response.sendDate = false;
      response.end(JSON.stringify({ meta: {}, data: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.defineProperty(app.ctx, 'provider', {
      value: new SignatureProvider({ baseUrl, apiKey: () => 'key' }),
    });
    expect(await expire(app)).toMatchObject({ expired: 1 });
  });
});

test('the daemon that starts so expires nothing, tells status and the administrator, and expires once the clocks agree', async () => {
  const env = { ESIGN_RECONCILE_CRON: 'off', ESIGN_HOUSEKEEPING_CRON: 'off', ESIGN_DIGEST_CRON: 'off' };
  const { app, request, behind } = await ahead(40 * DAY, { env });

  const schedules = startSchedules(app.ctx);
  await until(() => readStatus(app.ctx).failing.length > 0);
  await schedules.stop();
  await app.drain();

  expect(status(app, request.id)).toBe('PENDING');
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
  await until(() => status(app, request.id) === 'EXPIRED');
  await until(() => readStatus(app.ctx).failing.length === 0);
});
