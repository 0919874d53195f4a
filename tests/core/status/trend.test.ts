/** The weeks of the dashboard, and how long customers took. */
import { expect, test } from 'vitest';
import { readTrend } from '../../../src/core/status/dashboard.js';
import { startApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliver, deliverOtherAmount, deliverPayment } from '../../support/webhooks.js';

test('an empty firm has thirteen weeks of nothing, and no medians', async () => {
  const { ctx } = await startApp();
  const { weeks, ...medians } = readTrend(ctx);
  expect(weeks).toHaveLength(13);
  expect(weeks.at(-1)).toEqual({ monday: '2026-03-02', sent: 0, signed: 0, paid: 0 });
  expect(weeks.every(({ sent, signed, paid }) => sent + signed + paid === 0)).toBe(true);
  expect(medians).toEqual({ daysToSign: null, daysToPay: null });
});

test('a contract counts in the week in which it was sent, signed and paid, by the calendar of ESIGN_TIMEZONE', async () => {
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
    { monday: '2026-03-02', sent: 0, signed: 0, paid: 0 },
    { monday: '2026-03-09', sent: 1, signed: 0, paid: 0 },
    { monday: '2026-03-16', sent: 0, signed: 1, paid: 1 },
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

test('the weeks count what the report counts: money that does not count is no payment, and its mail says how much it is', async () => {
  const app = await startApp();
  const { request, contract, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  await deliverPayment(app, app.request(request.id).paymentId as string);
  const { externalId: client_reference_id, amount: amount_total, currency } = contract;
  await deliverPayment(app, 'cs_second', { object: { client_reference_id, amount_total, currency } });
  await deliverOtherAmount(app, request.id);
  expect(readTrend(app.ctx).weeks.at(-1)).toMatchObject({ sent: 1, signed: 1, paid: 1 });
  await app.drain();
  const troubles = app.sandbox.mails().filter(({ text }) => /cs_(second|other)/.test(text ?? ''));
  expect(troubles.map(({ text }) => /^Paid: .*$/m.exec(text ?? '')?.[0])).toEqual([
    'Paid: €120.00',
    'Paid: US$99.00',
  ]);
  expect(troubles.map(({ text }) => text).join()).not.toContain('was not completed');
});
