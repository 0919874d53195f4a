/** The link to sign that a contract shows. */
import { expect, test } from 'vitest';
import { withFreshSignLink } from '../../../src/core/signature/sent.js';
import { startApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';

test('a link that still works is shown as it is, without a call to the provider', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  app.clock.advance(HOUR);

  expect(await withFreshSignLink(app.ctx, contract)).toEqual(contract);
  expect(app.sandbox.state().counters.calls['signature.signer_get']).toBeUndefined();
});

test('a link that has ended is renewed at the provider, once', async () => {
  const app = await startApp();
  const { contract, request } = await app.waitingRequest();
  app.clock.advance(5 * DAY);

  const shown = await withFreshSignLink(app.ctx, contract);

  expect(shown.signUrl).not.toBe(contract.signUrl);
  expect((shown.signUrlExpiresAt ?? '') > app.clock.now().toISOString()).toBe(true);
  expect((await fetch(shown.signUrl as string)).status).toBe(200);
  expect(await withFreshSignLink(app.ctx, app.contract(request.id))).toEqual(shown);
  expect(app.sandbox.state().counters.calls['signature.signer_get']).toBe(1);
});

test('while the provider is down a dead link is not shown, and nothing fails', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  app.clock.advance(5 * DAY);
  app.sandbox.faults.add('signature.signer_get:401');

  expect(await withFreshSignLink(app.ctx, contract)).toMatchObject({ id: contract.id, signUrl: null });
});

test('the link of somebody who has become the signer there is not shown to the customer', async () => {
  const app = await startApp();
  const { contract, signId, request } = await app.waitingRequest();
  const sam = { firstName: 'Sam', lastName: 'Stranger', email: 'sam@example.org' };
  await app.ctx.provider.updateSigner(signId, contract.signerId as string, {
    ...sam,
    phone: null,
    locale: 'en',
  });
  app.clock.advance(5 * DAY);

  expect(await withFreshSignLink(app.ctx, contract)).toEqual({ ...contract, signUrl: null });
  expect(app.contract(request.id).signUrl).toBe(contract.signUrl);
});

test('a link without an end is shown as it is', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  app.clock.advance(5 * DAY);
  const endless = { ...contract, signUrlExpiresAt: null };

  expect(await withFreshSignLink(app.ctx, endless)).toEqual(endless);
  expect(app.sandbox.state().counters.calls['signature.signer_get']).toBeUndefined();
});

test('a database that fails is not taken for a provider that does not answer', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  app.clock.advance(5 * DAY);
  app.ctx.db.raw.exec('ALTER TABLE contracts RENAME TO elsewhere');

  await expect(withFreshSignLink(app.ctx, contract)).rejects.toThrow('no such table');
});

test('a signed contract keeps what it had', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  app.clock.advance(5 * DAY);
  const signed = { ...contract, status: 'SIGNED' as const };

  expect(await withFreshSignLink(app.ctx, signed)).toEqual(signed);
});
