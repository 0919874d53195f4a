/** Removing a request whose start stopped half-way: nothing of it is left here, nothing at the provider can be signed. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { draftPdfPath } from '../../../src/core/contracts/contract-files.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { changeRequest } from '../../../src/core/requests/change-request.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { startSignature } from '../../support/start-signature.js';
import { findRequest } from '../../../src/db/requests/requests.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { deliverPayment } from '../../support/webhooks.js';

/** A request whose activation got through, while we never heard so. */
async function halfStarted() {
  const app = await startApp();
  const owner = await app.addUser();
  const { id } = await app.addRequest(owner);
  app.sandbox.faults.add('signature.activate:answer_lost:1');
  const pdf = await anyContractPdf();
  await rejection(startSignature(app.ctx, id, { actor: TESTER, pdf }));
  app.sandbox.faults.clear();
  return { app, owner, id, contract: app.contract(id) };
}

const there = (app: TestApp) => app.sandbox.state().signatureRequests.map(({ status }) => status);

test('it is closed at the provider, then contract, PDF and jobs go with it, and the history stays', async () => {
  const { app, owner, id, contract } = await halfStarted();

  await deleteRequest(app.ctx, owner, id);

  expect(findRequest(app.ctx.db, { id })).toBeUndefined();
  expect(app.contract(id)).toBeUndefined();
  expect(existsSync(draftPdfPath(app.ctx, contract.id))).toBe(false);
  expect(there(app)).not.toContain('ongoing');
  expect(app.history(id).at(-1)).toBe('request.deleted');
  expect(app.ctx.db.raw.pragma('foreign_key_check')).toEqual([]);
});

test('while the provider cannot be asked nothing is changed', async () => {
  const { app, owner, id } = await halfStarted();
  app.sandbox.faults.add('signature:500:9');

  expect(await rejection(deleteRequest(app.ctx, owner, id))).toMatchObject({ code: 'provider_unavailable' });
  expect(app.request(id).status).toBe('in_progress');
  expect(app.contract(id).status).toBe('PENDING');
});

test('the words of a contract that was begun stay as they are', async () => {
  const { app, owner, id } = await halfStarted();

  expect(await rejection(changeRequest(app.ctx, owner, id, { title: 'other' }))).toMatchObject({
    code: 'cannot_be_changed',
  });
});

test('with money that has come it is not removed: the start was forgotten by a restore, and a person must decide', async () => {
  const { app, owner, id, contract } = await halfStarted();
  const { externalId: client_reference_id, amount: amount_total, currency } = contract;
  const object = { client_reference_id, amount_total, currency };

  await deliverPayment(app, 'cs_over', {
    type: 'checkout.session.expired',
    paymentStatus: 'unpaid',
    object,
  });
  expect(await rejection(deleteRequest(app.ctx, owner, id))).toMatchObject({ code: 'cannot_be_changed' });
  await deliverPayment(app, 'cs_paid', { object });
  expect(await rejection(deleteRequest(app.ctx, owner, id))).toMatchObject({ code: 'cannot_be_changed' });

  expect(ourPayments(app.ctx.db, id).payments.map(({ state }) => state)).toEqual(['over', 'case']);
  expect(there(app)).toContain('ongoing');
});

test('a start and a removal at once: either it is started, or it is gone', async () => {
  const app = await startApp();
  const owner = await app.addUser();
  const { id } = await app.addRequest(owner);
  const pdf = await anyContractPdf();

  const [start, removal] = await Promise.allSettled([
    startSignature(app.ctx, id, { actor: TESTER, pdf }),
    deleteRequest(app.ctx, owner, id),
  ]);

  expect([start.status, removal.status].sort()).toEqual(['fulfilled', 'rejected']);
  expect(there(app)).toHaveLength(start.status === 'fulfilled' ? 1 : 0);
});
