/** The provider's audit trail is kept after the signature (rules 13): nothing waits for it, and exports use it. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportRequest } from '../../../src/core/evidence/export-request.js';
import { keepAuditTrails } from '../../../src/core/evidence/audit-trail.js';
import { findAuditTrail } from '../../../src/db/contracts/lists.js';
import { rejection, temporaryDirectory, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { story } from '../../support/story.js';
import { deliver } from '../../support/webhooks.js';

const kept = (app: TestApp) =>
  readdirSync(join(app.dataDir, 'contracts')).filter((name) => /audit/.test(name));
const exported = async (app: TestApp, id: number) => {
  const file = join(temporaryDirectory(), 'evidence.zip');
  const { files } = await exportRequest(app.ctx, id, file, { actor: TESTER });
  return files.map(({ name }) => name).filter((name) => name.includes('audit-trail'));
};

test('it is kept once, and an export then needs no provider, nor does one with a damaged copy fail while it answers', async () => {
  const { app, waiting } = await story().completed().end();
  const { id } = waiting.request;
  expect(await keepAuditTrails(app.ctx)).toEqual({ kept: 1, missing: 0 });
  expect(await keepAuditTrails(app.ctx)).toEqual({ kept: 0, missing: 0 });
  expect(kept(app)).toEqual(['1.audit-trail.json', '1.audit-trail.pdf']);
  expect(app.history(id).filter((what) => what === 'contract.trail_kept')).toHaveLength(1);

  app.sandbox.faults.add('signature:503');
  const names = ['contracts/1/audit-trail.json', 'contracts/1/audit-trail.pdf'];
  expect((await exported(app, id)).toSorted()).toEqual(names);
  writeFileSync(join(app.dataDir, 'contracts', '1.audit-trail.pdf'), '%PDF- nonsense %%EOF');
  expect(await rejection(exported(app, id))).toMatchObject({ code: 'provider_unavailable' });
  app.sandbox.faults.clear();
  expect((await exported(app, id)).toSorted()).toEqual(names);
});

test('while the provider is down it is tried again, ever more rarely and for a month; the request goes its way', async () => {
  const { app, waiting } = await story().completed().end();
  app.sandbox.faults.add('signature:503');
  const dueAt = () => findAuditTrail(app.ctx.db, { contractId: waiting.contract.id })?.dueAt;
  expect(await keepAuditTrails(app.ctx)).toEqual({
    kept: 0,
    missing: 1,
    trouble: `request ${waiting.request.id}: signature provider answered 503 (We are currently under maintenance.)`,
  });
  expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
  // Not due yet.
  expect(await keepAuditTrails(app.ctx)).toEqual({ kept: 0, missing: 0 });
  app.clock.advance(2 * DAY);
  expect(await keepAuditTrails(app.ctx)).toMatchObject({ kept: 0, missing: 1 });
  expect(Date.parse(dueAt() as string) - app.clock.now().getTime()).toBe(DAY);
  app.clock.advance(30 * DAY);
  await keepAuditTrails(app.ctx);
  expect(dueAt()).toBeNull();
  expect(kept(app)).toEqual([]);
});

test('one that lags behind is no trouble; one that is not answered keeps no other waiting, and three in a row end the round', async () => {
  const { app, waiting } = await story().completed().end();
  for (let i = 0; i < 4; i += 1) {
    const { signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    await deliver(app, signId);
  }
  app.sandbox.faults.add('audit_trail:not_ready:1');
  app.sandbox.faults.add('signature.audit_pdf:500:12');
  // The first lags behind; the next three hang; the last is not asked for.
  const round = await keepAuditTrails(app.ctx);
  expect(round).toMatchObject({ kept: 0, missing: 3 });
  expect(round.trouble).toContain('broke off: 3 failed in a row');
  app.sandbox.faults.clear();
  expect(await keepAuditTrails(app.ctx)).toEqual({ kept: 2, missing: 0 });
  expect(waiting.contract.id).toBe(1);
});
