/** What our rows and the provider's answers say of a request's payments (rules 2). */
import { describe, expect, test } from 'vitest';
import { ABSENT, type Answer } from '../../../src/core/payment/answers.js';
import {
  factsOf,
  pendingPayments,
  refusedSince,
  shownPayment,
  type OurPayments,
} from '../../../src/core/payment/our-payments.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../../src/db/schema.js';
import { aDatabase } from '../../db/support.js';

const PRICE = { amount: 12_000, currency: 'eur' };
const OTHER = { amount: 9_900, currency: 'eur' };
/** The earlier contract cost less. */
const contracts = [
  { id: 1, ...OTHER },
  { id: 2, ...PRICE },
] as ContractRow[];
const request = { status: 'WAITING_PAYMENT', paymentId: null, paymentUrl: null } as RequestRow;

const row = (paymentId: string, state: PaymentRow['state'], more: Partial<PaymentRow> = {}) =>
  ({ paymentId, state, contractId: 2, ...PRICE, expiresAt: null, refusedAt: null, ...more }) as PaymentRow;
const ours = (payments: PaymentRow[], more: Partial<RequestRow> = {}): OurPayments => ({
  request: { ...request, ...more },
  contract: contracts[1],
  contracts,
  payments,
});

const EARLIER = { contractId: 1 };

test.each<[string, PaymentRow[], string | undefined]>([
  ['nothing of the earlier contract', [row('a', 'open', EARLIER)], undefined],
  ['what was paid, although other money is on its way', [row('a', 'paid'), row('b', 'pending')], 'a'],
  [
    'what was accepted, although it is of the earlier contract',
    [row('a', 'paid', EARLIER), row('b', 'over')],
    'a',
  ],
  ['money on its way, although another page is open', [row('a', 'pending'), row('b', 'open')], 'a'],
  ['the last money on its way', [row('a', 'pending'), row('b', 'pending')], 'b'],
  ['the open page, although it is older', [row('a', 'open'), row('b', 'over')], 'a'],
  [
    'of two open pages the one that ends last',
    [row('a', 'open', { expiresAt: '2026-03-04' }), row('b', 'open', { expiresAt: '2026-03-03' })],
    'a',
  ],
  ['or else the newest', [row('a', 'over'), row('b', 'given_up')], 'b'],
])('the payment that is shown is %s', (_, payments, shown) => {
  expect(shownPayment(ours(payments))?.paymentId).toBe(shown);
});

test('the money on its way is that of the contract that counts, the oldest first', () => {
  const payments = [
    row('a', 'pending', EARLIER),
    row('b', 'pending'),
    row('c', 'given_up'),
    row('d', 'pending'),
  ];
  expect(pendingPayments(ours(payments)).map(({ paymentId }) => paymentId)).toEqual(['b', 'd']);
});

const MADE = '2026-03-02';
const REFUSED = '2026-03-03';
const LATER = '2026-03-04';
const made = (createdAt: string, refusedAt: string | null = null, more: Partial<PaymentRow> = {}) =>
  row('a', 'over', { createdAt, refusedAt, ...more });

test.each<[string, PaymentRow[], string | undefined]>([
  ['since it did', [made(MADE, REFUSED)], REFUSED],
  ['since it last did', [made(MADE, REFUSED), made(MADE, LATER)], LATER],
  ['although a page was made before', [made(MADE, REFUSED), made(MADE)], REFUSED],
  ['no longer once a page was made since', [made(MADE, REFUSED), made(LATER)], undefined],
  ['not for the earlier contract', [made(MADE, REFUSED, EARLIER)], undefined],
  ['not before there is a page', [], undefined],
])('the bank is said to have refused the money %s', (_, payments, since) => {
  expect(refusedSince(ours(payments))).toBe(since);
});

describe('the decision looks at', () => {
  test.each<[string, RequestRow['paymentUrl'], PaymentRow, unknown]>([
    ['the page that the request names', 'https://pay.example/a', row('a', 'over'), { isPage: true }],
    ['an open page without an address', null, row('a', 'open', { paymentUrl: null }), { isPage: true }],
    ['money on its way, which is no page', null, row('a', 'pending'), { isPage: false }],
    ['nothing where the page is over', null, row('a', 'over', { paymentUrl: null }), null],
    ['nothing where its address is not shown', null, row('a', 'open', { paymentUrl: 'https://a' }), null],
  ])('%s as what is shown', (_, paymentUrl, payment, shown) => {
    const named = ours([payment], { paymentId: 'a', paymentUrl });
    const { db } = aDatabase();
    expect(factsOf(db, named, new Map()).shown).toEqual(shown && { paymentId: 'a', ...shown });
    expect(factsOf(db, ours([payment]), new Map()).shown).toBeNull();
  });

  const says = (theirs: Answer['theirs'], money: Answer['money'], more: Partial<Answer> = {}): Answer => ({
    ...ABSENT,
    theirs,
    money,
    ...more,
  });
  const UNSAID = { amount: null, currency: null };

  test.each<[string, PaymentRow[], Answer | undefined, object]>([
    [
      'ours at the price, though nobody was asked',
      [row('a', 'open')],
      undefined,
      { theirs: 'silent', hasPrice: true },
    ],
    ['ours at another price', [row('a', 'open', OTHER)], says('open', PRICE), { hasPrice: false }],
    ['ours that was paid with the price', [row('a', 'open', OTHER)], says('paid', PRICE), { hasPrice: true }],
    ['ours that was paid with another amount', [row('a', 'open')], says('paid', OTHER), { hasPrice: false }],
    [
      'ours that was paid with an amount unsaid',
      [row('a', 'open')],
      says('paid', UNSAID),
      { hasPrice: false },
    ],
    ['one unknown here of another price', [], says('open', OTHER, { contractId: 2 }), { hasPrice: false }],
    [
      'one unknown here whose price is unsaid',
      [],
      says('open', UNSAID, { contractId: 2 }),
      { hasPrice: true },
    ],
    [
      'one unknown here, paid with an amount unsaid',
      [],
      says('paid', UNSAID, { contractId: 2 }),
      { hasPrice: false },
    ],
    [
      'one of the earlier contract at its price',
      [],
      says('paid', OTHER, EARLIER),
      { ours: null, hasPrice: true, isOfCurrentContract: false },
    ],
    ['one of nobody', [], says('paid', PRICE), { hasPrice: false, isOfCurrentContract: false }],
    [
      'when it ends as we have it',
      [row('a', 'open', { expiresAt: MADE })],
      says('open', PRICE, { expiresAt: LATER }),
      { expiresAt: MADE },
    ],
    ['when it ends as the provider says', [], says('open', PRICE, { expiresAt: MADE }), { expiresAt: MADE }],
  ])('%s', (_, payments, answer, session) => {
    const answers = new Map(answer && [['a', answer]]);
    const { sessions } = factsOf(aDatabase().db, ours(payments), answers);
    expect(sessions).toMatchObject([{ paymentId: 'a', ...session }]);
    expect(sessions).toHaveLength(1);
  });
});
