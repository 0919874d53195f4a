/** The link to sign that a contract shows. */
import { expect, test } from 'vitest';
import { withFreshSignLink } from '../../../src/core/signature/sent.js';
import { startApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';

/** Sent so long ago. */
async function sentBefore(ms: number) {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  app.clock.advance(ms);
  const asked = () => app.sandbox.state().counters.calls['signature.signer_get'] ?? 0;
  return { app, ...waiting, asked };
}

test.each([
  ['a link that still works', HOUR, {}],
  ['a link without an end', 5 * DAY, { signUrlExpiresAt: null }],
  ['the link of a signed contract', 5 * DAY, { status: 'SIGNED' as const }],
])('%s is shown as it is, without a call to the provider', async (_, ms, changes) => {
  const { app, contract, asked } = await sentBefore(ms);
  const its = { ...contract, ...changes };
  expect([await withFreshSignLink(app.ctx, its), asked()]).toEqual([its, 0]);
});

test('a link that has ended is renewed at the provider, once', async () => {
  const { app, contract, request, asked } = await sentBefore(5 * DAY);

  const shown = await withFreshSignLink(app.ctx, contract);

  expect(shown.signUrl).not.toBe(contract.signUrl);
  expect((shown.signUrlExpiresAt ?? '') > app.clock.now().toISOString()).toBe(true);
  expect((await fetch(shown.signUrl as string)).status).toBe(200);
  expect(await withFreshSignLink(app.ctx, app.contract(request.id))).toEqual(shown);
  expect(asked()).toBe(1);
});

test('while the provider is down a dead link is not shown, and nothing fails', async () => {
  const { app, contract } = await sentBefore(5 * DAY);
  app.sandbox.faults.add('signature.signer_get:401');
  expect(await withFreshSignLink(app.ctx, contract)).toMatchObject({ id: contract.id, signUrl: null });
});

test('the link of somebody who has become the signer there is not shown to the customer', async () => {
  const { app, contract, signId, request } = await sentBefore(5 * DAY);
  const sam = { firstName: 'Sam', lastName: 'Stranger', email: 'sam@example.org', phone: null } as const;
  await app.ctx.provider.updateSigner(signId, contract.signerId as string, { ...sam, locale: 'en' });
  expect(await withFreshSignLink(app.ctx, contract)).toEqual({ ...contract, signUrl: null });
  expect(app.contract(request.id).signUrl).toBe(contract.signUrl);
});

test('a database that fails is not taken for a provider that does not answer', async () => {
  const { app, contract } = await sentBefore(5 * DAY);
  app.ctx.db.raw.exec('ALTER TABLE contracts RENAME TO elsewhere');
  await expect(withFreshSignLink(app.ctx, contract)).rejects.toThrow('no such table');
});
