/** The weeks of the dashboard, and how long customers took. */
import { expect, test } from 'vitest';
import { readTrend } from '../../../src/core/status/dashboard.js';
import { startApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';

test('an empty firm has thirteen weeks of nothing, and no medians', async () => {
  const { ctx } = await startApp();
  const { weeks, ...medians } = readTrend(ctx);
  expect(weeks).toHaveLength(13);
  expect(weeks.at(-1)).toEqual({ monday: '2026-03-02', made: 0, signed: 0, paid: 0 });
  expect(weeks.every(({ made, signed, paid }) => made + signed + paid === 0)).toBe(true);
  expect(medians).toEqual({ daysToSign: null, daysToPay: null });
});

test('a contract counts in the week in which it was made, signed and paid, by the calendar of ESIGN_TIMEZONE', async () => {
  const app = await startApp({ env: { ESIGN_TIMEZONE: 'Europe/Paris' } });
  // A Sunday in London, already Monday in Paris.
  app.clock.set('2026-03-08T23:30:00.000Z');
  const { request, signId } = await app.waitingRequest();
  app.clock.advance(9 * DAY);
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  app.clock.advance(DAY / 2);
  await deliverPayment(app, app.request(request.id).paymentId as string);

  const { weeks, daysToSign, daysToPay } = readTrend(app.ctx);
  expect(weeks.slice(-3)).toEqual([
    { monday: '2026-03-02', made: 0, signed: 0, paid: 0 },
    { monday: '2026-03-09', made: 1, signed: 0, paid: 0 },
    { monday: '2026-03-16', made: 0, signed: 1, paid: 1 },
  ]);
  expect([daysToSign, daysToPay]).toEqual([9, 0.5]);
});

test('a contract that is signed within a second takes no time, although the provider tells whole seconds', async () => {
  const app = await startApp();
  app.clock.set('2026-03-04T10:00:00.700Z');
  const { signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  expect(readTrend(app.ctx).daysToSign).toBe(0);
});
