/** Not everybody pays the price: a code at the till takes some off, and another currency is converted, or is not. */
import type { Charged, Price } from '../../sandbox/payment/session.js';
import type { Chance } from '../machine/chance.js';

/** As shares of all payments. */
const REDUCED = 0.06;
const FOREIGN = 0.04;
const CONVERTED = 0.1;

/** What the customer is charged instead of the price; undefined: the price. */
export function chargeOf({ amount, currency }: Price, chance: Chance): Charged | undefined {
  const dice = chance.next();
  const [other = 'usd'] = ['usd', 'eur'].filter((each) => each !== currency);
  if (dice < REDUCED) return { amount: amount - chance.pick([1, 500, amount]), currency };
  if (dice < REDUCED + FOREIGN) return { amount, currency: other };
  if (dice > 1 - CONVERTED)
    return {
      amount: Math.round(amount * 1.1),
      currency: other,
      converted: chance.pick(['currency_conversion', 'presentment_details'] as const),
    };
  return undefined;
}
