/** A case is opened once, and waits until it is decided, once. */
import { expect, test } from 'vitest';
import { actorName } from '../../../src/core/actor.js';
import { decideCase, openCase, openCaseAgain, openCasesOf } from '../../../src/core/cases/cases.js';
import { change } from '../../../src/core/change.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { listCasesOf, listOpenCases } from '../../../src/db/cases/cases.js';
import { startApp, TESTER } from '../../support/app.js';

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

test('what may happen again is open again when it does; what a person settled, only when its status is another', async () => {
  const app = await startApp();
  const about = { requestId: null, contractId: null };
  const found = (status: string) =>
    change(app.ctx, { actor: TESTER }, (tx) =>
      openCaseAgain(tx, { kind: 'unknown_document', subject: 'sr_1' }, about, { status }),
    );
  const decide = (decision: 'settled' | 'overtaken') =>
    change(app.ctx, { actor: TESTER }, (tx) => decideCase(tx, ['unknown_document'], ['sr_1'], decision));
  const isOpen = () => listOpenCases(app.ctx.db, { limit: 9 }).length === 1;
  await found('ongoing');
  expect([isOpen(), await decide('overtaken'), isOpen()]).toEqual([true, 1, false]);
  await found('ongoing');
  expect([isOpen(), await decide('settled'), isOpen()]).toEqual([true, 1, false]);
  await found('ongoing');
  expect(isOpen()).toBe(false);
  await found('done');
  expect(isOpen()).toBe(true);
});

test('a later contract decides about what concerned the one before; a move of the request about every signature', async () => {
  const app = await startApp();
  const { request, contract } = await app.waitingRequest();
  const about = { requestId: request.id, contractId: contract.id };
  const kinds = [
    'signed_late',
    'foreign_signature',
    'recipient_refused',
    'replaced_signed',
    'payment',
  ] as const;
  await change(app.ctx, { actor: TESTER }, (tx) =>
    kinds.forEach((kind) => openCase(tx, { kind, subject: `of ${kind}` }, about)),
  );
  const open = () => openCasesOf(app.ctx.db, request.id).map(({ kind }) => kind);
  await resetSignature(app.ctx, request.id, { actor: TESTER });
  expect(open()).toEqual(['replaced_signed', 'payment']);
  await cancelRequest(app.ctx, request.id, { actor: TESTER, reason: 'moved away' });
  expect(open()).toEqual(['payment']);
  const decided = listCasesOf(app.ctx.db, { requestId: request.id }).filter(({ kind }) => kind !== 'payment');
  expect(decided.map(({ decision, decidedBy }) => `${decision} ${decidedBy}`)).toEqual(
    Array(4).fill(`overtaken ${actorName(TESTER)}`),
  );
});
