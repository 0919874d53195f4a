/** What is to be paid, and what was. */
import type { Session } from './facts.js';

export interface Price {
  amount: number;
  currency: string;
}

type Money = Pick<Session, 'amount' | 'currency' | 'charged'>;

export function isSamePrice(one: Price, other: Price): boolean {
  return one.amount === other.amount && one.currency === other.currency;
}

/** What its customer pays, or has paid. */
export function chargedBy({ amount, currency, charged }: Money): Price {
  return charged && !charged.converted ? charged : { amount, currency };
}

/** Its customer has paid another amount than it asked for, or in another currency: a case for a person. */
export function isOfAnotherPrice(session: Money): boolean {
  return !isSamePrice(chargedBy(session), session);
}
