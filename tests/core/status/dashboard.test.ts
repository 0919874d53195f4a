/** The start page of the office: what it lists, and by how many queries. */
import type { Statement } from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { readDashboard, readTrend } from '../../../src/core/status/dashboard.js';
import { startSignature } from '../../support/start-signature.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliver, deliverOtherAmount, deliverPayment } from '../../support/webhooks.js';

test('contracts with few days left to sign are listed with their requests, the first to end first', async () => {
  const app = await startApp();
  const first = await app.waitingRequest();
  expect(readDashboard(app.ctx).endingSoon).toEqual([]);
  app.clock.advance(DAY);
  const second = await app.waitingRequest();

  app.clock.advance(25 * DAY);

  expect(readDashboard(app.ctx).endingSoon).toMatchObject(
    [first, second].map(({ request: { id, reference }, contract }) => ({
      id,
      reference,
      signBefore: contract.expiredAt,
    })),
  );
});

test('it takes as many queries for many requests as for one', async () => {
  const app = await startApp();
  const add = async () => {
    await app.waitingRequest();
    await aLostAnswer(app);
  };
  await add();
  app.clock.advance(25 * DAY);
  const forOne = queriesOf(app);
  expect(forOne).toBeGreaterThan(5);
  app.clock.advance(-25 * DAY);
  await add();
  await add();
  app.clock.advance(25 * DAY);
  expect(readDashboard(app.ctx).endingSoon.length).toBe(6);
  expect(queriesOf(app)).toBe(forOne);
});

/** The provider sends the contract, and its answer is lost. */
async function aLostAnswer(app: TestApp): Promise<void> {
  const { id } = await app.addRequest();
  app.sandbox.faults.add('signature.activate:answer_lost:1');
  await rejection(startSignature(app.ctx, id, { actor: TESTER, pdf: await anyContractPdf() }));
}

function queriesOf({ ctx }: TestApp): number {
  const statement = Object.getPrototypeOf(ctx.db.raw.prepare('SELECT 1')) as Statement;
  const spies = (['all', 'get'] as const).map((name) => vi.spyOn(statement, name));
  readDashboard(ctx);
  const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return calls;
}

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
