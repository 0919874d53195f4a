/** Which price a contract has that is made now (rules 1, "Price"), and that it keeps it. */
import { expect, test } from 'vitest';
import { editRequest } from '../../../src/core/requests/change-request.js';
import { typedMoney } from '../../../src/core/prices/typed-money.js';
import { whichPrice, type PriceFacts } from '../../../src/core/prices/which-price.js';
import { moneyWords, priceWords, sumsOf, sumWords } from '../../../src/core/payment/price.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { insertPrice } from '../../../src/db/prices/prices.js';
import { deliverPayment, signWithAllTries } from '../../support/webhooks.js';
import { startApp, TESTER } from '../../support/app.js';

const eur = (amount: number) => ({ amount, currency: 'eur' });
const BOILER = { name: 'Gas boiler', model: 'B-200 Éco' };

test.each<[string, Partial<PriceFacts>, number, string]>([
  ['nothing else says one', {}, 120, 'general'],
  ['the list names its equipment', { list: [{ words: 'boiler', ...eur(130) }] }, 130, 'list'],
  ['the list names its model without accents', { list: [{ words: 'ECO b 200', ...eur(130) }] }, 130, 'list'],
  [
    'several entries fit, of which the one with the most words counts',
    {
      list: [
        { words: 'boiler', ...eur(1) },
        { words: 'b-200 boiler', ...eur(130) },
        { words: 'gas', ...eur(2) },
      ],
    },
    130,
    'list',
  ],
  [
    'the list names only a part of a word, or a word more',
    {
      list: [
        { words: 'boil', ...eur(1) },
        { words: 'gas boiler x', ...eur(1) },
      ],
    },
    120,
    'general',
  ],
  [
    'it has an offer that was sent',
    { offers: [{ status: 'sent', ...eur(140) }], list: [{ words: 'gas', ...eur(1) }] },
    140,
    'offer',
  ],
  [
    'it has an accepted offer and a newer one',
    {
      offers: [
        { status: 'sent', ...eur(1) },
        { status: 'accepted', ...eur(150) },
      ],
    },
    150,
    'offer',
  ],
  [
    'it has only a draft and a refused offer',
    {
      offers: [
        { status: 'draft', ...eur(1) },
        { status: 'refused', ...eur(1) },
      ],
    },
    120,
    'general',
  ],
  [
    'it has a price of its own',
    { request: eur(160), offers: [{ status: 'accepted', ...eur(1) }] },
    160,
    'own',
  ],
])('the price of a request, where %s', (_, facts, amount, source) => {
  const none = { amount: null, currency: null };
  const all = { request: none, offers: [], list: [], equipment: BOILER, general: eur(120), ...facts };
  expect(whichPrice(all)).toEqual({ ...eur(amount), source });
});

test.each([
  ['180', 'eur', 18_000],
  ['180.5', 'eur', 18_050],
  ['1 234,50 €', 'eur', 123_450],
  ['180.00 EUR', 'eur', 18_000],
  ['180', 'jpy', 180],
])('%s is money in %s', (typed, currency, amount) => {
  expect(typedMoney(typed, currency)).toBe(amount);
});

test.each(['', '1,234', '1.234,50', '-5', '0', '180 usd', '1 80', '1e3', '12345678901'])(
  '%j is no amount of euros',
  (typed) => {
    expect(() => typedMoney(typed, 'eur')).toThrow('Validation failed');
  },
);

test('a euro sign is no other currency', () => {
  expect(() => typedMoney('180 €', 'gbp')).toThrow('Validation failed');
});

test('where the tax is known, a price is said with and without it', () => {
  expect(priceWords('en', { ...eur(12_000), vat: 20 })).toBe('€120.00 (€100.00 excl. 20% VAT)');
  expect(priceWords('fr', { ...eur(9_999), vat: 5.5 }).replaceAll(/\s/g, ' ')).toBe(
    '99,99 € TTC (94,78 € HT, TVA 5,5 %)',
  );
  expect(priceWords('en', eur(12_000))).toBe('€120.00');
});

test('amounts add up in each currency by itself, and what is not known adds nothing', () => {
  const usd = { amount: 500, currency: 'usd' };
  const unknown = [
    { amount: null, currency: 'eur' },
    { amount: 7, currency: null },
  ];
  const sums = sumsOf([eur(10_000), usd, ...unknown, eur(2_000)]);
  expect(sums).toEqual([eur(12_000), usd]);
  expect(sumWords('en', sums)).toBe('€120.00 + US$5.00');
});

test.each([
  [100, 'eur', '€1.00'],
  [100, 'EUR', '€1.00'],
  [0, 'eur', '€0.00'],
  [null, 'eur', 'unknown'],
  [100, null, 'unknown'],
  [100, 'eu', 'unknown'],
  [100, 'euro', 'unknown'],
  [100, '€', 'unknown'],
])(
  '%s of %s, as a provider may say it, is said as money only where it is some: %s',
  (amount, currency, words) => {
    expect(moneyWords('en', { amount, currency })).toBe(words);
  },
);

test('a contract keeps the price at which it was sent: list and request may change, and no other payment counts', async () => {
  const app = await startApp({ env: { ESIGN_VAT: '20' } });
  const { ctx } = app;
  const { id } = await app.addRequest();
  await ctx.writer.write((db) => insertPrice(db, { words: 'boiler', ...eur(15_000), now: 'then' }));
  const { signId, ...sent } = await startSignature(ctx, id, { actor: TESTER });
  expect(sent).toMatchObject({ amount: 15_000, vat: 20 });
  await ctx.writer.write((db) =>
    db.raw.exec("UPDATE prices SET amount = 9900; UPDATE requests SET amount = 9900, currency = 'eur'"),
  );
  await signWithAllTries(app, String(signId));
  expect(app.contract(id)).toMatchObject({ status: 'SIGNED', amount: 15_000 });
  const { paymentId } = app.request(id);
  expect(app.sandbox.state().sessions).toMatchObject([{ price: eur(15_000) }]);
  await deliverPayment(app, String(paymentId), { object: { amount_total: 9_900 } });
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
  const { client_reference_id } = app.sandbox.state().sessions[0] ?? {};
  await deliverPayment(app, 'cs_second', {
    object: { client_reference_id, amount_total: 15_000, currency: 'eur' },
  });
  expect(app.request(id).status).toBe('COMPLETE');
});

test('a start may set the price of its request; the next contract has it too, until it is taken away', async () => {
  const { ctx, ...app } = await startApp();
  const { id } = await app.addRequest();
  const by = { actor: TESTER, reason: 'agreed by phone' };
  await expect(startSignature(ctx, id, { ...by, amount: 10 })).rejects.toMatchObject({
    code: 'unpayable_price',
  });
  expect(await startSignature(ctx, id, { ...by, amount: 18_000, dryRun: true })).toBeUndefined();
  expect(app.request(id).amount).toBeNull();
  expect(await startSignature(ctx, id, { ...by, amount: 18_000 })).toMatchObject({ amount: 18_000 });
  await expect(editRequest(ctx, id, { amount: null }, by)).rejects.toMatchObject({
    code: 'cannot_be_changed',
  });
  expect(await resetSignature(ctx, id, by)).toMatchObject({ amount: 18_000 });
  expect(await resetSignature(ctx, id, { ...by, amount: 19_000 })).toMatchObject({ amount: 19_000 });
  expect(app.history(id).filter((word) => word === 'request.priced')).toHaveLength(2);
});

test.each(['start', 'reset'])(
  'a price with which an unfinished %s goes on, although its contract has it already, becomes the request’s own',
  async (what) => {
    const { ctx, ...app } = await startApp();
    const { id } = await app.addRequest();
    const by = { actor: TESTER };
    const send = (asked: { actor: typeof TESTER; amount?: number }) =>
      what === 'start' ? startSignature(ctx, id, asked) : resetSignature(ctx, id, asked);
    if (what === 'reset') await startSignature(ctx, id, by);
    app.sandbox.faults.add('signature.create:answer_lost:1');
    await expect(send(by)).rejects.toMatchObject({ code: 'provider_unavailable' });
    app.sandbox.faults.clear();
    expect(await send({ ...by, amount: 12_000 })).toMatchObject({ amount: 12_000 });
    expect(app.request(id)).toMatchObject({ amount: 12_000, currency: 'eur' });
  },
);
