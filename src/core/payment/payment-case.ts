/** Payments that did not complete their request: each is a case for a person (rules 2), and meanwhile nobody is asked to pay. */
import type { Db } from '../../db/db.js';
import type { ContractRow, HistoryRow } from '../../db/schema.js';
import { actorName, CUSTOMER } from '../actor.js';
import type { Advice } from '../commands.js';
import { refused, type AppError } from '../errors.js';
import { historyOf, type HistoryOf, type HistoryWord } from '../history/history.js';
import { busyWith } from '../lock.js';
import type { Money } from '../texts/format.js';
import type { Locale } from '../texts/index.js';
import { moneyWords } from './price.js';

type Told = Pick<HistoryRow, 'what' | 'actor' | 'contractId' | 'detail'>;

const OTHER_PRICE = 'payment.other_price';
const LATE = ['payment.old_session_paid', 'payment.paid_unsigned', 'payment.canceled_paid'] as const;
const CASES = [...LATE, OTHER_PRICE] as const;

/** How the history tells of them. */
export const PAYMENT_CASES: readonly string[] = CASES;

/** The cases, and what decides about them. */
export const PAYMENT_WORDS = [
  ...CASES,
  'payment.received',
  'payment.renewed',
  'request.moved',
  'request.settled',
] as const satisfies HistoryWord[];

/** What has become of a request's payments, as far as it decides about them. */
export function paymentsTold(db: Db, requestId: number): HistoryOf<(typeof PAYMENT_WORDS)[number]>[] {
  return historyOf(db, requestId, PAYMENT_WORDS);
}

/** Those of its contract's price that nobody has decided about, and that have not counted since. */
export function latePayments(history: readonly Told[]): Told[] {
  return undecidedPayments(history).filter(({ what }) => (LATE as readonly string[]).includes(what));
}

/** Payments that nobody has decided about, those with another amount or currency among them. */
export function undecidedPayments<T extends Told>(history: readonly T[]): T[] {
  let open: T[] = [];
  for (const told of history) {
    if (PAYMENT_CASES.includes(told.what)) open.push(told);
    else open = openAfter(open, told);
  }
  return open;
}

function openAfter<T extends Told>(open: T[], { what, actor, detail }: Told): T[] {
  const { paymentId, payments, reason, to } = JSON.parse(detail);
  if (what === 'payment.received') return without(open, [paymentId]);
  // Completed by hand: one payment is accepted.
  const isAcceptance = what === 'request.moved' && to === 'COMPLETE' && reason !== undefined;
  const isDecision =
    isAcceptance ||
    what === 'request.settled' ||
    // The customer only opens the link.
    (what === 'payment.renewed' && actor !== actorName(CUSTOMER));
  if (!isDecision) return open;
  // A renewal names none: it is about all.
  return payments === undefined ? [] : without(open, payments);
}

function without<T extends Told>(told: readonly T[], ids: readonly unknown[]): T[] {
  return told.filter((each) => !ids.includes(idOf(each)));
}

function idOf({ detail }: Told): string {
  return JSON.parse(detail).paymentId;
}

/** Somebody has decided about it: it was refunded, and counts no more, whatever is learned later. */
export function isDecided(history: readonly Told[], paymentId: string): boolean {
  const isIt = (told: Told) => idOf(told) === paymentId;
  const isCase = history.some((told) => PAYMENT_CASES.includes(told.what) && isIt(told));
  return isCase && !undecidedPayments(history).some(isIt);
}

/** Another amount or currency was reported. */
export function isOtherPriceTold(history: readonly Told[], paymentId: string): boolean {
  return history.some((told) => told.what === OTHER_PRICE && idOf(told) === paymentId);
}

/** The payment that is accepted by completing the request by hand: the last one of the price, or else the last one. */
export function acceptedPayment(history: readonly Told[]): string | undefined {
  const told = latePayments(history).at(-1) ?? undecidedPayments(history).at(-1);
  return told && idOf(told);
}

/** Money has come, of any amount, and a person must look at it first: a customer who is asked again might pay twice. */
export function isInReview(db: Db, { requestId }: ContractRow): boolean {
  return undecidedIds(db, requestId).length > 0;
}

/** At the end of a job that had found it in review: somebody has decided meanwhile, and the next attempt does what is due. */
export function wantedAfterAll(): never {
  throw new Error('the customer has to pay after all');
}

/** Refuses when a payment is undecided that the person who decides did not know of. */
export function mustKnowPayments(
  db: Db,
  { requestId, known }: { requestId: number; known: readonly string[] },
): void {
  if (undecidedIds(db, requestId).some((id) => !known.includes(id)))
    throw busyWith('Another payment of this request has just been reported.');
}

/** The paymentIds of those that nobody has decided about. */
export function undecidedIds(db: Db, requestId: number): string[] {
  return idsOf(undecidedPayments(paymentsTold(db, requestId)));
}

/** `cs_1 (€99.00), cs_2 (unknown)`: with what was paid. */
export function paymentWords(locale: Locale, told: readonly Told[]): string {
  return told
    .map((each) => `${idOf(each)} (${moneyWords(locale, JSON.parse(each.detail) as Money)})`)
    .join(', ');
}

export function idsOf(told: readonly Told[]): string[] {
  return told.map(idOf);
}

export function mustBeLookedAt(hint: Advice): AppError {
  return refused(
    'already_paid',
    'The customer has paid, and a person must look at that payment first.',
    hint,
  );
}
