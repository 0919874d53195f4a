/** Removing a request whose start stopped half-way: nothing of it is left here, nothing at the provider can be signed. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/core/context.js';
import { draftPdfPath } from '../../../src/core/contracts/contract-files.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { startSignature } from '../../support/start-signature.js';
import { findRequest, requireRequest } from '../../../src/db/requests/requests.js';
import { requireUser } from '../../../src/db/users/users.js';
import { startApp } from '../../support/app.js';
import { PDF, START_WORDS } from '../../support/start-words.js';
import { BY, story } from '../../support/story.js';
import { table } from '../../support/table.js';

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

table(
  `
  while the provider cannot be asked nothing is changed
    stoppedWithPdf activate:answer_lost; fault signature:500; unchanged: refusesRemoving provider_unavailable
    → in_progress; contracts PENDING
  with money that has come it is not removed: the start was forgotten by a restore, and a person must decide
    stoppedWithPdf activate:answer_lost; early type=checkout.session.expired paymentStatus=unpaid;
    refusesRemoving cannot_be_changed; early; refusesRemoving cannot_be_changed
    → payments case; documents ongoing`,
  { words: { ...START_WORDS, refusesRemoving: (s, code) => s.refuses(removes, { code }) } },
);

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
