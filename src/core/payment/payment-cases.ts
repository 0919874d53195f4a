/** Payments that do not count: each is a case for a person (rules 2), and meanwhile nobody is asked to pay. */
import { putPayment } from '../../db/payments/payments.js';
import type { CaseDecision, PaymentRow } from '../../db/schema.js';
import { decideCase } from '../cases/cases.js';
import type { Change } from '../change.js';
import { command, type Advice } from '../commands.js';
import { refused, type AppError } from '../errors.js';
import { busyWith } from '../lock.js';
import type { Locale } from '../texts/index.js';
import { troubleOf, type PaidTrouble } from './apply.js';
import type { OurPayments } from './our-payments.js';
import { moneyWords } from './price.js';

/** Those that wait for a decision, the oldest first. */
export function undecidedPayments({ payments }: Pick<OurPayments, 'payments'>): PaymentRow[] {
  return payments.filter(({ state }) => state === 'case');
}

/** Without those that only wait for the signature to be known. */
export function paymentsToSettle(ours: OurPayments): PaymentRow[] {
  return undecidedPayments(ours).filter((each) => troubleWith(ours, each) !== 'paid_unsigned');
}

type Contracts = Pick<OurPayments, 'request' | 'contract' | 'contracts'>;

/** Why it does not count. */
export function troubleWith(ours: Contracts, payment: PaymentRow): PaidTrouble {
  const contract = ours.contracts.find(({ id }) => id === payment.contractId);
  return contract ? troubleOf(ours, contract, payment) : 'other_price';
}

/** A person has decided: it counts, or it was dealt with. */
export function decidePayments(
  tx: Change,
  payments: readonly PaymentRow[],
  decision: Exclude<CaseDecision, 'overtaken'>,
): void {
  for (const payment of payments)
    putPayment(tx.db, { ...payment, state: decision === 'accepted' ? 'paid' : 'settled' });
  decideCase(
    tx,
    ['payment'],
    payments.map(({ paymentId }) => paymentId),
    decision,
  );
}

/** The one that is accepted by completing the request by hand: the last one of the price, or else the last one. */
export function acceptedPayment(ours: OurPayments): PaymentRow | undefined {
  const undecided = undecidedPayments(ours);
  const hasPrice = (payment: PaymentRow) => troubleWith(ours, payment) !== 'other_price';
  return undecided.findLast(hasPrice) ?? undecided.at(-1);
}

/** Refuses when a payment waits for a decision that the person who decides did not know of. */
export function mustKnowPayments(ours: OurPayments, known: readonly PaymentRow[]): void {
  const isKnown = ({ paymentId }: PaymentRow) => known.some((one) => one.paymentId === paymentId);
  if (!undecidedPayments(ours).every(isKnown))
    throw busyWith('Another payment of this request has just been reported.');
}

/** `cs_1 (€99.00), cs_2 (unknown)`: with what was paid. */
export function paymentWords(locale: Locale, payments: readonly PaymentRow[]): string {
  return payments.map((each) => `${each.paymentId} (${moneyWords(locale, each)})`).join(', ');
}

export function mustBeLookedAt(hint: Advice): AppError {
  return refused(
    'already_paid',
    'The customer has paid, and somebody must first decide about that payment.',
    hint,
  );
}

/** Asked to pay again now, the customer might pay twice. */
export function paymentPending(requestId: number): AppError {
  return refused('payment_pending', 'The customer has paid; the money is still on its way.', [
    'Wait for it. If the payment provider’s console says that it failed, run `',
    { ...command('payments give-up', requestId), reason: '…' },
    '` first.',
  ]);
}
