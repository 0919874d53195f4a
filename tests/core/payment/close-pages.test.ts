/** Before a request is closed, its pages are (rules 2): nobody may still pay, and nobody decides about money unseen. */
import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/errors.js';
import { mustBeClosed } from '../../../src/core/payment/close-pages.js';
import type { OurPayments } from '../../../src/core/payment/our-payments.js';
import { mustKnowPayments } from '../../../src/core/payment/payment-cases.js';
import type { PaymentRow, RequestRow } from '../../../src/db/schema.js';
import { table } from '../../support/table.js';

/** `a open; b over` */
const payments = (text: string) =>
  text.split('; ').map((one) => {
    const [paymentId, state] = one.split(' ');
    return { paymentId, state } as PaymentRow;
  });
const ours = (text: string): OurPayments => ({
  request: { id: 1 } as RequestRow,
  contract: undefined,
  contracts: [],
  payments: payments(text),
});

const refusalOf = (refuse: () => void) => {
  try {
    refuse();
  } catch (error) {
    return (error as AppError).code;
  }
  return undefined;
};

test.each([
  ['a over; b settled; c case', undefined],
  ['a over; b open', 'in_progress'],
  ['a over; b pending', 'payment_pending'],
])('what came while the pages were closed counts: %s is refused as %s', (text, code) => {
  expect(refusalOf(() => mustBeClosed(ours(text)))).toBe(code);
});

test.each([
  ['a case; b case; c open', 'a case; b case', undefined],
  ['a case; b case', 'a case', 'in_progress'],
  ['a case', 'b case', 'in_progress'],
])('of %s the person knew %s: refused as %s', (now, known, code) => {
  expect(refusalOf(() => mustKnowPayments(ours(now), payments(known)))).toBe(code);
});

table(`
  a page that could be closed is closed, although the provider did not say how it stood
    linked; fault payment.get:500; canceled → CANCELED; sessions expired; payments over
  a page about which it is silent, and which may still work, keeps the request open
    linked; fault payment.get:500 payment.expire:500; refuses cancel payment_unavailable → WAITING_PAYMENT
  one that fails to close a page is not asked again at once
    linked; fault payment.expire:500; refuses cancel payment_unavailable → calls payment.get 1`);
