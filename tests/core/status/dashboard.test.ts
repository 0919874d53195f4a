/** The start page of the office: what it lists, and by how many queries. */
import type { Statement } from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { readDashboard } from '../../../src/core/status/dashboard.js';
import { startSignature } from '../../support/start-signature.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';

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
