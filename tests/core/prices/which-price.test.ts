/** Which price a contract has that is made now (rules 1, "Price"), and that it keeps it. */
import { expect, test } from 'vitest';
import { editRequest } from '../../../src/core/requests/change-request.js';
import { typedMoney } from '../../../src/core/prices/typed-money.js';
import { priceListOf, whichPrice, type PriceFacts } from '../../../src/core/prices/which-price.js';
import { moneyWords, priceWords, sumsOf, sumWords } from '../../../src/core/payment/price.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { insertPrice } from '../../../src/db/prices/prices.js';
import { BY, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';

const eur = (amount: number) => ({ amount, currency: 'eur' });
const BOILER = { name: 'Gas boiler', model: 'B-200 Éco' };

const entries = (...all: [words: string, amount: number][]) =>
  priceListOf(all.map(([words, amount]) => ({ words, ...eur(amount) })));
const offers = (...all: [status: PriceFacts['offers'][number]['status'], amount: number][]) =>
  all.map(([status, amount]) => ({ status, ...eur(amount) }));

test.each<[string, Partial<PriceFacts>, number, string]>([
  ['nothing else says one', {}, 120, 'general'],
  ['the list names its equipment', { list: entries(['boiler', 130]) }, 130, 'list'],
  ['the list names its model without accents', { list: entries(['ECO b 200', 130]) }, 130, 'list'],
  [
    'several entries fit, of which the one with the most words counts',
    { list: entries(['boiler', 1], ['b-200 boiler', 130], ['gas', 2]) },
    130,
    'list',
  ],
  [
    'the list names only a part of a word, or a word more',
    { list: entries(['boil', 1], ['gas boiler x', 1]) },
    120,
    'general',
  ],
  [
    'it has an offer that was sent',
    { offers: offers(['sent', 140]), list: entries(['gas', 1]) },
    140,
    'offer',
  ],
  [
    'it has an accepted offer and a newer one',
    { offers: offers(['sent', 1], ['accepted', 150]) },
    150,
    'offer',
  ],
  [
    'it has only a draft and a refused offer',
    { offers: offers(['draft', 1], ['refused', 1]) },
    120,
    'general',
  ],
  ['it has a price of its own', { request: eur(160), offers: offers(['accepted', 1]) }, 160, 'own'],
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
  expect(typedMoney({ currency, locale: 'en' }).parse(typed)).toBe(amount);
});

const NO_AMOUNT = 'Give an amount such as 180.00.';

test.each([
  ...['', '1,234', '1.234,50', '-5', '180 usd', '1 80', '1e3'].map(
    (typed) => [typed, 'eur', NO_AMOUNT] as const,
  ),
  ['180 €', 'gbp', NO_AMOUNT],
  ['0', 'eur', 'The payment provider accepts no less than €0.50.'],
  ['0.001', 'kwd', 'The payment provider accepts only multiples of KWD 0.010.'],
  ['1000000', 'eur', 'The payment provider accepts no more than €999,999.99.'],
  ['1000000000', 'jpy', 'The payment provider accepts no more than JP¥99,999,999.'],
] as const)('%j is no amount in %s, which is said in the unit typed', (typed, currency, fault) => {
  const { error } = typedMoney({ currency, locale: 'fr' }).safeParse(typed);
  expect(error?.issues.map(({ message }) => message.replaceAll('\u00a0', ' '))).toEqual([fault]);
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
  const s = story({ env: { ESIGN_VAT: '20' } }).entered();
  s.does(({ ctx }) =>
    ctx.writer.write((db) => insertPrice(db, { words: 'boiler', ...eur(15_000), now: 'then' })),
  );
  s.sentNext()
    .is({ contract: { amount: 15_000, vat: 20 } })
    .sql("UPDATE prices SET amount = 9900; UPDATE requests SET amount = 9900, currency = 'eur'")
    .signed()
    .drained()
    .does((app) => expect(app.sandbox.state().sessions).toMatchObject([{ price: eur(15_000) }]))
    .hears('older', { object: { amount_total: 9_900 } });
  await s.is({ status: 'WAITING_PAYMENT' }).early().is({ status: 'COMPLETE' }).end();
});

const words: Words = {
  startedAt: (s, amount) => s.by((ctx, id) => startSignature(ctx, id, { ...BY, amount: Number(amount) })),
  startPreviewedAt: (s, amount) =>
    s.by((ctx, id) => startSignature(ctx, id, { ...BY, amount: Number(amount), dryRun: true })),
  refusesStartingAt: (s, amount, code) =>
    s.refuses((ctx, id) => startSignature(ctx, id, { ...BY, amount: Number(amount) }), { code }),
  refusesResettingAt: (s, amount, code) =>
    s.refuses((ctx, id) => resetSignature(ctx, id, { ...BY, amount: Number(amount) }), { code }),
  resetAt: (s, amount) => s.by((ctx, id) => resetSignature(ctx, id, { ...BY, amount: Number(amount) })),
  keepsItsPrice: (s, code) => s.refuses((ctx, id) => editRequest(ctx, id, { amount: null }, BY), { code }),
  requestCosts: (s, amount) =>
    s.does((app, id) => expect(app.request(id)).toMatchObject(eur(Number(amount)))),
};

table(
  `
  a start may set the price of its request; the next contract has it too, until another is set
    entered; refusesStartingAt 10 unpayable_price; unchanged: startPreviewedAt 18000
    startedAt 18000; keepsItsPrice cannot_be_changed → contract amount=18000
    reset → contract amount=18000
    unchanged: refusesResettingAt 10 unpayable_price; resetAt 19000
    → contract amount=19000; told request.priced 2
  a price with which a start goes on, although its contract has it already, becomes the request’s own
    entered; fault signature.create:answer_lost:1; refuses start provider_unavailable; startedAt 12000;
    requestCosts 12000 → contract amount=12000
  so does a price with which a reset goes on
    sent; fault signature.create:answer_lost:1; refuses reset provider_unavailable; resetAt 12000;
    requestCosts 12000 → contract amount=12000
  another price with which it goes on is that of its contract
    sent; fault signature.create:answer_lost:1; refuses reset provider_unavailable; resetAt 19000
    → contract amount=19000`,
  { words },
);
