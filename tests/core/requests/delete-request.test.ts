/** Removing a request whose start stopped half-way: nothing of it is left here, nothing at the provider can be signed. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/core/context.js';
import { draftPdfPath } from '../../../src/core/contracts/contract-files.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { startSignature } from '../../support/start-signature.js';
import { findRequest, requireRequest } from '../../../src/db/requests/requests.js';
import { requireUser } from '../../../src/db/users/users.js';
import { anyContractPdf, startApp } from '../../support/app.js';
import { tell } from '../../support/histories.js';
import { BY, story, UNPAID } from '../../support/story.js';

const PDF = await anyContractPdf();
/** By its owner. */
const removes = (ctx: Context, id: number) =>
  deleteRequest(ctx, requireUser(ctx.db, { id: requireRequest(ctx.db, { id }).ownerId }), id);

test('it is closed at the provider, then contract, PDF and jobs go with it, and the history stays', async () => {
  const { app, id } = await story().stopped('activate:answer_lost', PDF).end();
  const draft = draftPdfPath(app.ctx, app.contract(id).id);

  await removes(app.ctx, id);

  expect(findRequest(app.ctx.db, { id })).toBeUndefined();
  expect(app.contract(id)).toBeUndefined();
  expect(existsSync(draft)).toBe(false);
  expect(app.sandbox.state().signatureRequests).toMatchObject([{ status: 'canceled' }]);
  expect(app.history(id).at(-1)).toBe('request.deleted');
  expect(app.ctx.db.raw.pragma('foreign_key_check')).toEqual([]);
});

tell([
  [
    'while the provider cannot be asked nothing is changed',
    (s) =>
      s
        .stopped('activate:answer_lost', PDF)
        .fault('signature:500')
        .unchanged((t) => t.refuses(removes, { code: 'provider_unavailable' })),
    { status: 'in_progress', contracts: ['PENDING'] },
  ],
  [
    'with money that has come it is not removed: the start was forgotten by a restore, and a person must decide',
    (s) =>
      s
        .stopped('activate:answer_lost', PDF)
        .early({ type: 'checkout.session.expired', ...UNPAID })
        .refuses(removes, { code: 'cannot_be_changed' })
        .early()
        .refuses(removes, { code: 'cannot_be_changed' }),
    { payments: ['case'], documents: ['ongoing'] },
  ],
]);

test('a start and a removal at once: either it is started, or it is gone', async () => {
  const app = await startApp();
  const { id } = await app.addRequest();
  const both = await Promise.allSettled([
    startSignature(app.ctx, id, { ...BY, pdf: PDF }),
    removes(app.ctx, id),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const isStarted = both[0].status === 'fulfilled';
  expect(app.sandbox.state().signatureRequests).toHaveLength(isStarted ? 1 : 0);
});
