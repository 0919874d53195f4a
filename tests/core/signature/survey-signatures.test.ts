/** The look before the bulk check: every class is found, and nothing is changed. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { surveySignatures } from '../../../src/core/signature/survey-signatures.js';
import { startApp, type TestApp } from '../../support/app.js';
import { becomes, BY } from '../../support/story.js';

const dump = (app: TestApp) =>
  ['requests', 'contracts', 'payments', 'jobs', 'history', 'runs'].map((table) =>
    app.ctx.db.raw.prepare(`SELECT * FROM ${table}`).all(),
  );

/** Made in the provider’s console. */
const byHand = ({ ctx }: TestApp) =>
  ctx.provider.createRequest({
    name: 'made by hand',
    externalId: 'contract-999',
    expirationDate: '2026-12-31',
    timeZone: 'UTC',
    locale: 'en',
  });

test('what only the provider knows is found where nothing waits, too', async () => {
  const app = await startApp();
  const signId = await byHand(app);
  expect(await surveySignatures(app.ctx, BY)).toMatchObject({ unknownHere: [signId] });
});

test('every class is counted, and not a row is changed', async () => {
  const app = await startApp();
  const sends = async (word: string) => {
    const one = await app.waitingRequest();
    becomes(word)(app.sandbox, one.signId);
    return one;
  };
  const [paid] = [await sends('signed'), await sends('signed')];
  await checkAllSignatures(app.ctx, BY);
  await app.drain();
  const paidContract = app.contract(paid.request.id);
  rmSync(signedPdfPath(app.ctx, paidContract.id));
  app.sandbox.pay(app.request(paid.request.id).paymentId as string);
  const words = [
    'signed',
    'expired',
    'declined',
    'rejected',
    'canceled',
    'deleted',
    'gone',
    'ongoing',
    'paused',
  ];
  for (const word of words) await sends(word);
  const signId = await byHand(app);
  const before = dump(app);

  const survey = await surveySignatures(app.ctx, BY);

  expect(survey.classes).toEqual({
    signed: 1,
    expired: 1,
    declined: 2,
    canceled: 2,
    gone: 1,
    late: 0,
    over: 0,
    waiting: 2,
    failed: 0,
  });
  expect(survey).toMatchObject({
    unknownHere: [signId],
    pdfMissing: [paidContract.id],
    paidThere: [paid.request.id],
  });
  expect(dump(app)).toEqual(before);
});

test('an interruption during the signatures leaves the payments unasked', async () => {
  const app = await startApp();
  const { signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await checkAllSignatures(app.ctx, BY);
  await app.drain();
  await app.waitingRequest();
  const asked = () => app.sandbox.state().counters.calls['payment.get'];
  const before = asked();
  const interrupt = new AbortController();
  const { signal } = interrupt;
  await surveySignatures(app.ctx, { ...BY, signal, onProgress: () => interrupt.abort() });
  expect(asked()).toBe(before);
  await surveySignatures(app.ctx, BY);
  expect(asked()).not.toBe(before);
});
