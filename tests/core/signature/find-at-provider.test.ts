/** Which of the provider's records is the contract's, when there are several, or one that says less than it should. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { furthest } from '../../../src/core/signature/next-step.js';
import { findAtProvider } from '../../../src/core/signature/observe.js';
import { sendDocument } from '../../../src/core/signature/start-signature.js';
import { sentAs } from '../../../src/core/signature/sent.js';
import { listOpenCasesOfKind } from '../../../src/db/cases/cases.js';
import { tellForeign } from '../../../src/core/signature/told.js';
import { change } from '../../../src/core/change.js';
import { anyContractPdf, rejection, startApp } from '../../support/app.js';
import { sendSecond } from '../../support/second-document.js';
import { startSignature } from '../../support/start-signature.js';
import { BY, story } from '../../support/story.js';

test('a signed record counts before one that was sent, this before a draft, and any before an ended one', () => {
  const order = ['done', 'ongoing', 'paused', 'draft', 'declined'].map((status) => ({ status }));
  const of = order.map((_, n) => [furthest(order.slice(n)), furthest(order.slice(n).toReversed())]);
  expect(of).toEqual(order.map((one) => [one, one]));
});

/** Sent twice, as after a lost answer and a restore; no signId says which one is meant. */
test('of two records under its name the contract’s is the one that went furthest, and none is foreign', async () => {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  const other = await sendSecond(app, waiting);
  const found = () => findAtProvider(app.ctx, { ...waiting.contract, signId: null });
  app.sandbox.decline(waiting.signId);
  expect(await found()).toMatchObject({ ours: { signId: other, status: 'ongoing' }, foreign: [] });
  app.sandbox.decline(other);
  expect(await found()).toMatchObject({ ours: { status: 'declined' }, doubles: [{ status: 'declined' }] });
});

test('the record under the contract’s own signId that was sent to somebody else is reported once, although list and signId both lead to it', async () => {
  const { app, id } = await story().sent().sql("UPDATE users SET username = 'else@example.org'").end();
  const { signId, ...contract } = app.contract(id);
  const found = await findAtProvider(app.ctx, { ...contract, signId, signerEmail: null });
  expect(found).toMatchObject({ ours: undefined, foreign: [{ signId }] });
});

test('a signed record counts as sent to its signer, and without one as well; an open one without a signer is refused as unavailable', async () => {
  const { app, id } = await story().sent().end();
  const { signId, signerId, externalId } = app.contract(id);
  const state = await app.ctx.provider.getSignatureStatus({ externalId, signId: signId as string });
  const done = { ...state, status: 'done' };
  expect(await sentAs(app.ctx, done)).toMatchObject({ signerId });
  const unsigned = { signId, signerId: signId, signUrl: null };
  expect(await sentAs(app.ctx, { ...done, signers: [] })).toMatchObject(unsigned);
  expect(await rejection(sentAs(app.ctx, { ...state, signers: [] }))).toMatchObject({
    reason: 'unavailable',
    message: 'signature provider gave no link for the signer',
  });
});

test('each foreign record is reported once, and waits for the office unless the contract went out under another name', async () => {
  const foreign = (signId: string, isServed: boolean) => ({ signId, isServed, externalId: 'theirs' });
  const told = story().sent();
  for (const { isServed, ...one } of [foreign('1', true), foreign('1', true), foreign('2', false)])
    told.does((app, id) => change(app.ctx, BY, (tx) => tellForeign(tx, app.contract(id), one, { isServed })));
  const mail = 'foreign-signature';
  await told
    .is({
      ordered: [
        { mail, ...foreign('1', true) },
        { mail, ...foreign('2', false) },
      ],
      contract: { told: null },
    })
    .does(({ ctx: { db } }) => {
      const open = listOpenCasesOfKind(db, { kind: 'foreign_signature', limit: 9 });
      expect(open.map(({ subject }) => subject)).toEqual(['2']);
    })
    .end();
});

test('a contract whose PDF is gone is not sent, and the way out is named', async () => {
  const app = await startApp();
  const { request, contract, owner: customer } = await app.waitingRequest();
  await rm(join(app.dataDir, 'contracts'), { recursive: true });
  const asked = { contract: { ...contract, signId: null }, request, customer, isNew: true, ...BY };
  expect(await rejection(sendDocument(app.ctx, asked))).toMatchObject({
    code: 'contract_pdf_missing',
    hint: expect.stringContaining('Start the signature or send a new contract again'),
  });
  expect(app.sandbox.state().signatureRequests).toHaveLength(1);
});

test('what the provider’s failure is called begins like a sentence, and names the way out', async () => {
  const starts = async () => startSignature(app.ctx, id, { ...BY, pdf: await anyContractPdf() });
  const { app, id } = await story().entered().fault('signature.create:500:1').end();
  expect(await rejection(starts())).toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^Signature provider [a-z].*\.$/),
    hint: 'Nothing is lost: try again later.',
    cause: expect.any(Error),
  });
});
