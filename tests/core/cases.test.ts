/** A case is opened once, and waits until it is decided, once. */
import { expect, test } from 'vitest';
import { decideCase, openCase, openCasesOf } from '../../src/core/cases/cases.js';
import { change } from '../../src/core/change.js';
import { listOpenCases } from '../../src/db/cases/cases.js';
import { startApp, TESTER } from '../support/app.js';

test('a case is told once, and not again after its decision', async () => {
  const app = await startApp();
  const { id: requestId } = await app.addRequest();
  const told = () =>
    change(app.ctx, { actor: TESTER }, (tx) =>
      openCase(tx, { kind: 'payment', subject: 'cs_1' }, { requestId, contractId: null }, { amount: 1 }),
    );
  expect([await told(), await told()]).toEqual([true, false]);
  expect(openCasesOf(app.ctx.db, requestId)).toMatchObject([
    { kind: 'payment', subject: 'cs_1', decidedAt: null },
  ]);
  expect(openCasesOf(app.ctx.db, requestId, ['signed_late'])).toEqual([]);
  expect(listOpenCases(app.ctx.db, { limit: 1 })).toHaveLength(1);

  const decide = (subject: string, reason: string) =>
    change(app.ctx, { actor: TESTER, reason }, (tx) => decideCase(tx, ['payment'], [subject], 'settled'));
  expect(await decide('cs_2', 'another')).toBe(0);
  expect([await decide('cs_1', 'refunded'), await decide('cs_1', 'again')]).toEqual([1, 0]);
  expect(openCasesOf(app.ctx.db, requestId)).toEqual([]);
  expect(await told()).toBe(false);
  expect(listOpenCases(app.ctx.db, { limit: 1 })).toEqual([]);
});
