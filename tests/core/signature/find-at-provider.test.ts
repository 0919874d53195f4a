/** Which of the provider's records is the contract's, when there are several, or one that says less than it should. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAtProvider } from '../../../src/core/signature/observe.js';
import { sendDocument } from '../../../src/core/signature/start-signature.js';
import { sentAs } from '../../../src/core/signature/sent.js';
import { startSignature } from '../../support/start-signature.js';
import { tellForeign } from '../../../src/core/signature/told.js';
import { change } from '../../../src/core/change.js';
import { anyContractPdf, rejection, startApp, TESTER } from '../../support/app.js';
import { sendSecond } from '../../support/second-document.js';

/** A contract that was sent twice, as after a lost answer and a restore; no signId says which one is meant. */
async function sentTwice() {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  const { contract, signId } = waiting;
  const other = await sendSecond(app, waiting);
  const named = { ...contract, signId: null };
  return { app, contract, named, signId, other };
}

test('of two records, the signed one counts before one that was sent, this before a draft, and any before an ended one', async () => {
  const { app, named, signId, other } = await sentTwice();
  const order = ['done', 'ongoing', 'draft', 'declined'];
  for (const [i, better] of order.entries()) {
    for (const worse of order.slice(i + 1)) {
      for (const [first, second] of [
        [signId, other],
        [other, signId],
      ] as const) {
        app.sandbox.setStatus(first, better);
        app.sandbox.setStatus(second, worse);
        const { ours, foreign } = await findAtProvider(app.ctx, named);
        expect(ours).toMatchObject({ signId: first, status: better });
        expect(foreign).toEqual([]);
      }
    }
  }
});

test('where all have ended, one of them says how', async () => {
  const { app, named, signId, other } = await sentTwice();
  app.sandbox.setStatus(signId, 'declined');
  app.sandbox.setStatus(other, 'declined');
  expect((await findAtProvider(app.ctx, named)).ours?.status).toBe('declined');
});

test('the record under the contract’s own signId that was sent to somebody else is reported once, although list and signId both lead to it', async () => {
  const app = await startApp();
  const { contract, signId } = await app.waitingRequest();
  app.ctx.db.raw.prepare("UPDATE users SET username = 'else@example.org'").run();
  const found = await findAtProvider(app.ctx, { ...contract, signerEmail: null });
  expect(found.ours).toBeUndefined();
  expect(found.foreign.map((state) => state.signId)).toEqual([signId]);
});

test('a signed record without a signer counts as sent; an open one without a signer is refused as unavailable', async () => {
  const app = await startApp();
  const { signId, contract } = await app.waitingRequest();
  const state = { ...(await app.ctx.provider.getSignatureStatus({ ...contract, signId })), signers: [] };
  expect(await sentAs(app.ctx, { ...state, status: 'done' })).toMatchObject({
    signId,
    signerId: signId,
    signUrl: null,
  });
  expect(await rejection(sentAs(app.ctx, state))).toMatchObject({
    reason: 'unavailable',
    message: 'signature provider gave no link for the signer',
  });
});

test('a signed record keeps the name of its signer', async () => {
  const app = await startApp();
  const { signId, contract } = await app.waitingRequest();
  const state = await app.ctx.provider.getSignatureStatus({ ...contract, signId });
  const { signerId } = await sentAs(app.ctx, { ...state, status: 'done' });
  expect(signerId).toBe(contract.signerId);
});

test('each foreign record is reported once, and the mail says whether the contract went out under another name', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  const tell = (signId: string, isServed: boolean) =>
    change(app.ctx, { actor: TESTER }, (tx) =>
      tellForeign(tx, contract, { signId, externalId: 'theirs' }, { isServed }),
    );
  await tell('sr_1', true);
  await tell('sr_1', true);
  await tell('sr_2', false);
  const mails = app.jobs('send-mail').map(({ payload }) => JSON.parse(payload) as object);
  expect(mails.filter((mail) => 'isServed' in mail)).toMatchObject([
    {
      mail: 'foreign-signature',
      contractId: contract.id,
      signId: 'sr_1',
      externalId: 'theirs',
      isServed: true,
    },
    {
      mail: 'foreign-signature',
      contractId: contract.id,
      signId: 'sr_2',
      externalId: 'theirs',
      isServed: false,
    },
  ]);
});

test('a contract whose PDF is gone is not sent, and the way out is named', async () => {
  const app = await startApp();
  const { request, contract, owner: customer } = await app.waitingRequest();
  await rm(join(app.ctx.config.dataDir, 'contracts'), { recursive: true });
  const asked = {
    contract: { ...contract, signId: null },
    request,
    customer,
    isNew: true,
    actor: TESTER,
  };
  expect(await rejection(sendDocument(app.ctx, asked))).toMatchObject({
    kind: 'refused',
    code: 'contract_pdf_missing',
    hint: expect.stringContaining('Start the signature or send a new contract again'),
  });
  expect(app.sandbox.state().signatureRequests).toHaveLength(1);
});

test('what the provider’s failure is called begins like a sentence, and names the way out', async () => {
  const app = await startApp();
  const { id } = await app.addRequest();
  app.sandbox.faults.add('signature.create:500:1');
  expect(
    await rejection(startSignature(app.ctx, id, { actor: TESTER, pdf: await anyContractPdf() })),
  ).toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/^Signature provider [a-z].*\.$/),
    hint: expect.any(String),
    cause: expect.any(Error),
  });
});
