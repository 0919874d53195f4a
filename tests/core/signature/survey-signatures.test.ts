/** The look before the bulk check: every class is found, nothing is changed; what can be fixed is fixed by the check. */
import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { ANSWERS, type SignatureClass } from '../../../src/core/signature/answers.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import type { SignatureAnswer } from '../../../src/core/signature/decide.js';
import { fetchMissingPdfs } from '../../../src/core/signature/signed-pdf.js';
import { surveySignatures } from '../../../src/core/signature/survey-signatures.js';
import { startApp, type TestApp } from '../../support/app.js';
import { becomes, BY } from '../../support/story.js';

const dump = (app: TestApp) =>
  ['requests', 'contracts', 'payments', 'jobs', 'history', 'runs'].map((table) =>
    app.ctx.db.raw.prepare(`SELECT * FROM ${table}`).all(),
  );

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
  for (const word of ['signed', 'expired', 'declined', 'canceled', 'gone', 'ongoing']) await sends(word);
  const signId = await app.ctx.provider.createRequest({
    name: 'made by hand',
    externalId: 'contract-999',
    expirationDate: '2026-12-31',
    timeZone: 'UTC',
    locale: 'en',
  });
  const before = dump(app);

  const survey = await surveySignatures(app.ctx, BY);

  expect(survey.classes).toEqual({
    signed: 1,
    expired: 1,
    declined: 1,
    canceled: 1,
    gone: 1,
    late: 0,
    over: 0,
    waiting: 1,
    failed: 0,
  });
  expect(survey).toMatchObject({
    unknownHere: [signId],
    pdfMissing: [paidContract.id],
    paidThere: [paid.request.id],
  });
  expect(dump(app)).toEqual(before);
});

test.each<[SignatureAnswer, SignatureClass]>([
  ['signed', 'signed'],
  ['late', 'late'],
  ['ongoing_but_closed', 'over'],
  ['foreign', 'failed'],
  ['other', 'waiting'],
  ['rejected', 'declined'],
  ['deleted', 'canceled'],
])('%s is counted as %s', (answer, counted) => {
  expect(ANSWERS[answer].class).toBe(counted);
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

test('a signed PDF that is gone is fetched again; one that cannot be is reported', async () => {
  const app = await startApp();
  const { request, contract, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await checkAllSignatures(app.ctx, BY);
  const file = signedPdfPath(app.ctx, contract.id);
  rmSync(file);

  app.sandbox.faults.add({ target: 'signature', operation: 'download', kind: '404', times: 1 });
  const [failed] = await fetchMissingPdfs(app.ctx, BY);
  expect(failed).toMatchObject({ contractId: contract.id, error: expect.stringContaining('404') });

  expect(await fetchMissingPdfs(app.ctx, BY)).toEqual([
    { requestId: request.id, contractId: contract.id, error: null },
  ]);
  expect(existsSync(file)).toBe(true);
  expect(app.history(request.id)).toContain('contract.pdf_fetched');
  expect(await fetchMissingPdfs(app.ctx, BY)).toEqual([]);
});
