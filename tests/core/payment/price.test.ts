/** A price that the payment provider will refuse is refused here before its contract is sent (rules 2). */
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { explain } from '../../../src/core/explain/explain.js';
import { checkPayments } from '../../../src/core/doctor/upkeep-checks.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { changeOffer, createOffer } from '../../../src/core/offers/offers.js';
import { sumsOf, unpayable } from '../../../src/core/payment/price.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { priceFault } from '../../../src/core/settings/currencies.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../support/start-signature.js';
import type { RequestRow } from '../../../src/db/schema.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { aSandbox, createSession, SESSION } from '../../sandbox/support.js';
import { story } from '../../support/story.js';
import { signWithAllTries } from '../../support/webhooks.js';

const BY = { actor: TESTER };
const CURRENCIES =
  `aed aud bgn brl cad chf czk dkk eur gbp hkd huf inr jpy mxn myr nok nzd pln ron sek sgd thb usd
  bhd jod kwd omr tnd isk ugx krw clp xof zar`.split(/\s+/);

test('what we take is what the payment provider takes: every currency at its limits', async () => {
  const sandbox = await aSandbox();
  const takes = async (amount: number, currency: string) => {
    const body = SESSION.replace('12000', String(amount)).replace('eur', currency);
    return (await createSession(sandbox, undefined, body)).ok;
  };
  const amounts = [1, 10, 29, 30, 49, 50, 99, 100, 199, 200, 12_300, 12_340, 12_345, 17_499, 17_500];
  for (const currency of CURRENCIES)
    for (const amount of amounts) {
      const isTaken = priceFault({ amount, currency }) === undefined;
      expect([amount, currency, isTaken]).toEqual([amount, currency, await takes(amount, currency)]);
    }
});

test.each([
  [{ amount: 10, currency: 'eur' }, 'The payment provider accepts no less than €0.50.'],
  [{ amount: 20, currency: 'jpy' }, 'The payment provider accepts no less than JP¥50.'],
  [{ amount: 15_050, currency: 'isk' }, 'The payment provider accepts only multiples of ISK 1.00.'],
  [{ amount: 12_345, currency: 'ugx' }, 'The payment provider accepts only multiples of UGX 1.00.'],
  [{ amount: 12_345, currency: 'kwd' }, 'The payment provider accepts only multiples of KWD 0.010.'],
])('%j is refused in words that say what is taken', (price, fault) => {
  expect(unpayable('en', price)?.fault.replaceAll('\u00a0', ' ')).toBe(fault);
});

test('what is unknown adds nothing to a sum', () => {
  const unknown = [
    { amount: null, currency: 'eur' },
    { amount: 100, currency: null },
  ];
  expect(sumsOf(unknown)).toEqual([]);
});

/** Its offer is from before the rule. */
async function oldOffer(
  app: TestApp,
  { amount = 10, currency = 'eur', status = 'sent' } = {},
  of?: RequestRow,
) {
  const request = of ?? (await app.addRequest());
  app.ctx.db.raw
    .prepare(
      `INSERT INTO offers (requestId, ownerId, amount, currency, description, status, createdAt, updatedAt)
       VALUES (?, ?, ?, ?, '', ?, '2026-01-01', '2026-01-01')`,
    )
    .run(request.id, request.ownerId, amount, currency, status);
  return request;
}

const needs = async (app: TestApp) =>
  (await listNeeds(app.ctx, 9)).needs.map(({ kind, request }) => [kind, request?.id]);
const firstFinding = async ({ ctx }: TestApp, id: number, offline = false) =>
  (await explain(ctx, String(id), { offline })).findings[0];
const UNPAYABLE = { code: 'unpayable_price', kind: 'refused' };

test.each([
  ['is less than the least charge', { amount: 10 }],
  ['has a step that the currency does not have', { amount: 12_345, currency: 'kwd' }],
])(
  'of an offer that %s the start is refused, and explain, todo and doctor say so before',
  async (_, offer) => {
    const app = await startApp();
    const { id, reference } = await oldOffer(app, offer);
    await app.addRequest();
    expect(await firstFinding(app, id)).toMatchObject({
      key: 'unpayable',
      cause: 'unsent',
      level: 'trouble',
      next: null,
      message: expect.stringContaining('The payment provider') as unknown,
    });
    expect(await needs(app)).toEqual([['not_sent', id]]);
    expect(checkPayments(app.ctx.config, app.ctx.db)).toMatchObject([
      { name: 'prices', state: 'warning', message: expect.stringContaining(reference) as unknown },
    ]);
    for (const options of [{ dryRun: true }, {}, { pdf: await anyContractPdf() }])
      expect(await rejection(startSignature(app.ctx, id, { ...BY, ...options }))).toMatchObject(UNPAYABLE);
    expect(app.sandbox.state().signatureRequests).toEqual([]);
    expect(app.history(id)).not.toContain('contract.created');
  },
);

test('an offer that nobody can pay is no matter while it is a draft, or once the request is over', async () => {
  const app = await startApp();
  await oldOffer(app, { status: 'draft' });
  const { id } = await oldOffer(app);
  await cancelRequest(app.ctx, id, { ...BY, reason: 'gave up' });
  expect(await needs(app)).toEqual([]);
  expect(checkPayments(app.ctx.config, app.ctx.db)).toEqual([]);
});

test('it can be refused or given another amount, but not accepted', async () => {
  const app = await startApp();
  const admin = await app.addUser({ role: 'ROLE_ADMIN' });
  const { id } = await oldOffer(app);
  const change = (wanted: object) => changeOffer(app.ctx, admin, 1, wanted);
  expect(await rejection(change({ status: 'accepted' }))).toMatchObject({
    fields: { amount: 'The payment provider accepts no less than €0.50.' },
  });
  await change({ amount: 50, status: 'accepted' });
  expect(await needs(app)).toEqual([]);
  expect((await startSignature(app.ctx, id, BY)).amount).toBe(50);
  const other = await oldOffer(app);
  await changeOffer(app.ctx, admin, 2, { status: 'refused' });
  expect((await startSignature(app.ctx, other.id, BY)).amount).toBe(12_000);
});

test('no offer is made, or changed to one, that nobody can pay: its amount is named', async () => {
  const app = await startApp();
  const admin = await app.addUser({ role: 'ROLE_ADMIN' });
  const { id: requestId } = await app.addRequest();
  const fault = expect.stringContaining('The payment provider') as unknown;
  const refused = { code: 'invalid_input', fields: { amount: fault } };
  expect(await rejection(createOffer(app.ctx, admin, { requestId, amount: 49 }))).toMatchObject(refused);
  const { id } = await createOffer(app.ctx, admin, { requestId, amount: 50 });
  for (const wanted of [{ amount: 49 }, { currency: 'huf' }])
    expect(await rejection(changeOffer(app.ctx, admin, id, wanted))).toMatchObject(refused);
  expect(app.ctx.db.raw.prepare('SELECT amount, currency FROM offers').all()).toEqual([
    { amount: 50, currency: 'eur' },
  ]);
});

describe('a contract that was sent with such a price all the same', () => {
  async function sent() {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.ctx.db.raw.exec("UPDATE contracts SET amount = 10, currency = 'eur'");
    return { app, request, id: request.id, signId };
  }

  test('is told while it waits for the signature, and replaced by a reset', async () => {
    const { app, id } = await sent();
    for (const offline of [false, true])
      expect(await firstFinding(app, id, offline)).toMatchObject({
        key: 'unpayable',
        cause: 'sent',
        next: command('reset-signature', id),
      });
    expect((await resetSignature(app.ctx, id, BY)).amount).toBe(12_000);
  });

  test('is not replaced by one with such a price', async () => {
    const { app, id, request } = await sent();
    await oldOffer(app, {}, request);
    expect(await rejection(resetSignature(app.ctx, id, BY))).toMatchObject(UNPAYABLE);
    expect(app.sandbox.state().signatureRequests).toMatchObject([{ status: 'ongoing' }]);
  });

  test('and that is signed needs another way to pay: nobody is told to run the job again', async () => {
    const { app, id, signId } = await sent();
    await signWithAllTries(app, signId);
    expect(app.jobs('create-payment-session')).toMatchObject([{ state: 'failed' }]);
    const { findings } = await explain(app.ctx, String(id));
    const next = { name: 'requests complete' };
    expect(findings[0]).toMatchObject({ key: 'unpayable', cause: 'signed', next });
    expect(findings.map((one) => one.next?.name)).not.toContain('failed replay');
    expect(await needs(app)).toEqual([['payment', id]]);
  });
});

test('a price that only the provider can convert, and refuses as too small, needs another way to pay', async () => {
  const { app, waiting } = await story().completed().end();
  const refusal = { status: 400, type: 'amount_too_small', detail: 'too little', fields: {} };
  app.ctx.payment.createSession = () =>
    Promise.reject(new ProviderError('rejected', 'too little', { refusal }));
  await app.drain();
  const message = expect.stringContaining('too little') as unknown;
  const found = { key: 'unpayable', cause: 'signed', message };
  expect(await firstFinding(app, waiting.request.id)).toMatchObject(found);
});
