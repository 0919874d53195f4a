/** What our rows and the provider's answers say of a request's payments (rules 2). */
import { expect, test } from 'vitest';
import { ABSENT, type Answer } from '../../../src/core/payment/answers.js';
import {
  factsOf,
  pendingPayments,
  refusedSince,
  shownPayment,
  standingOfPayments,
  type OurPayments,
} from '../../../src/core/payment/our-payments.js';
import type { ContractRow, PaymentRow, RequestRow } from '../../../src/db/schema.js';
import { aDatabase } from '../../db/support.js';

const PRICE = { amount: 12_000, currency: 'eur' };
const OTHER = { amount: 9_900, currency: 'eur' };
const UNSAID = { amount: null, currency: null };
/** The earlier contract cost less. */
const contracts = [
  { id: 1, ...OTHER },
  { id: 2, ...PRICE },
] as ContractRow[];
const request = { status: 'WAITING_PAYMENT', paymentId: null, paymentUrl: null } as RequestRow;

const [MADE, REFUSED, LATER] = ['2026-03-02', '2026-03-03', '2026-03-04'];
const SAID: Record<string, Partial<PaymentRow>> = {
  earlier: { contractId: 1 },
  other: OTHER,
  endsFirst: { expiresAt: MADE },
  endsLast: { expiresAt: LATER },
  noPage: { paymentUrl: null },
  hasPage: { paymentUrl: 'https://a' },
  made: { createdAt: MADE },
  madeLater: { createdAt: LATER },
  refused: { refusedAt: REFUSED },
  refusedLater: { refusedAt: LATER },
};
const NEVER = { expiresAt: null, refusedAt: null };

/** `a open earlier; b over`: each payment with its state, and what else is so. */
const rows = (text: string) =>
  text.split('; ').flatMap((one) => {
    const [paymentId, state, ...words] = one.split(' ');
    const said = words.map((word) => SAID[word]);
    return state
      ? [Object.assign({ paymentId, state, contractId: 2, ...PRICE, ...NEVER }, ...said) as PaymentRow]
      : [];
  });
const ours = (text: string, more: Partial<RequestRow> = {}): OurPayments => ({
  request: { ...request, ...more },
  contract: contracts[1],
  contracts,
  payments: rows(text),
});

test.each<[string, string, string | undefined]>([
  ['nothing of the earlier contract', 'a open earlier', undefined],
  ['what was paid, although other money is on its way', 'a paid; b pending', 'a'],
  ['what was accepted, although it is of the earlier contract', 'a paid earlier; b over', 'a'],
  ['money on its way, although another page is open', 'a pending; b open', 'a'],
  ['the last money on its way', 'a pending; b pending', 'b'],
  ['the open page, although it is older', 'a open; b over', 'a'],
  ['of two open pages the one that ends last', 'a open endsLast; b open endsFirst', 'a'],
  ['or else the newest', 'a over; b given_up', 'b'],
])('the payment that is shown is %s', (_, payments, shown) => {
  expect(shownPayment(ours(payments))?.paymentId).toBe(shown);
});

test.each<[string, string, string]>([
  ['can be paid through an open page', 'a open', 'payable'],
  ['has no page where it is the replaced contract’s', 'a open earlier', 'no_page'],
  ['is awaited while money is on its way', 'a pending; b open', 'on_its_way'],
  ['is not awaited because of money for the replaced contract', 'a pending earlier; b open', 'payable'],
  ['is a case, although the money came for the replaced contract', 'a case earlier; b open', 'case'],
])('the payment %s', (_, payments, standing) => {
  expect(standingOfPayments(ours(payments))).toBe(standing);
});

test('the money on its way is that of the contract that counts, the oldest first', () => {
  const pending = pendingPayments(ours('a pending earlier; b pending; c given_up; d pending'));
  expect(pending.map(({ paymentId }) => paymentId)).toEqual(['b', 'd']);
});

test.each<[string, string, string | undefined]>([
  ['since it did', 'a over made refused', REFUSED],
  ['since it last did', 'a over made refused; b over made refusedLater', LATER],
  ['although a page was made before', 'a over made refused; b over made', REFUSED],
  ['no longer once a page was made since', 'a over made refused; b over made; c over madeLater', undefined],
  ['not for the earlier contract', 'a over made refused earlier', undefined],
  ['not before there is a page', '', undefined],
])('the bank is said to have refused the money %s', (_, payments, since) => {
  expect(refusedSince(ours(payments))).toBe(since);
});

test.each<[string, RequestRow['paymentUrl'], string, unknown]>([
  ['the page that the request names', 'https://pay.example/a', 'a over', { isPage: true }],
  ['an open page without an address', null, 'a open noPage', { isPage: true }],
  ['money on its way, which is no page', null, 'b over; a pending', { isPage: false }],
  ['nothing where the page is over', null, 'a over noPage', null],
  ['nothing where nothing is known of it', null, '', null],
  ['nothing where its address is not shown', null, 'a open hasPage', null],
])('the decision looks at %s as what is shown', (_, paymentUrl, payment, shown) => {
  const { db } = aDatabase();
  const facts = factsOf(db, ours(payment, { paymentId: 'a', paymentUrl }), new Map());
  expect(facts.shown).toEqual(shown && { paymentId: 'a', ...shown });
  expect(factsOf(db, ours(payment), new Map()).shown).toBeNull();
});

const says = (theirs: Answer['theirs'], money: Answer['money'], more: Partial<Answer> = {}): Answer => ({
  ...ABSENT,
  theirs,
  money,
  ...more,
});
const NEW = { contractId: 2 };

test.each<[string, string, Answer | undefined, object]>([
  ['ours at the price, though nobody was asked', 'a open', undefined, { theirs: 'silent', hasPrice: true }],
  ['ours at another price', 'a open other', says('open', PRICE), { hasPrice: false }],
  ['ours that was paid with the price', 'a open other', says('paid', PRICE), { hasPrice: true }],
  ['ours that was paid with another amount', 'a open', says('paid', OTHER), { hasPrice: false }],
  ['ours that was paid with an amount unsaid', 'a open', says('paid', UNSAID), { hasPrice: false }],
  ['one unknown here of another price', '', says('open', OTHER, NEW), { hasPrice: false }],
  ['one unknown here whose price is unsaid', '', says('open', UNSAID, NEW), { hasPrice: true }],
  ['one unknown here, paid with an amount unsaid', '', says('paid', UNSAID, NEW), { hasPrice: false }],
  [
    'one of the earlier contract at its price',
    '',
    says('paid', OTHER, { contractId: 1 }),
    { ours: null, hasPrice: true, isOfCurrentContract: false },
  ],
  ['one of nobody', '', says('paid', PRICE), { hasPrice: false, isOfCurrentContract: false }],
  [
    'when it ends as we have it',
    'a open endsFirst',
    says('open', PRICE, { expiresAt: LATER }),
    { expiresAt: MADE },
  ],
  ['when it ends as the provider says', '', says('open', PRICE, { expiresAt: MADE }), { expiresAt: MADE }],
])('the decision looks at %s', (_, payments, answer, session) => {
  const answers = new Map(answer && [['a', answer]]);
  const { sessions } = factsOf(aDatabase().db, ours(payments), answers);
  expect(sessions).toMatchObject([{ paymentId: 'a', ...session }]);
  expect(sessions).toHaveLength(1);
});
