/** What was paid, and whether it is the price (rules 2, "Payment"). */
import { priceFault, type Price } from '../settings/currencies.js';
import { formatMoney, type Money } from '../texts/format.js';
import { text, type Locale } from '../texts/index.js';

/** The only comparison of money with a price. What the provider does not say is not the price. */
export function isPriceOf(contract: Price, { amount, currency }: Money): boolean {
  return amount === contract.amount && currency === contract.currency;
}

export function moneyWords(locale: Locale, { amount, currency }: Money): string {
  const isMoney = amount !== null && currency !== null && /^[a-z]{3}$/i.test(currency);
  return isMoney ? formatMoney(locale, amount, currency) : text(locale, 'mail.unknown');
}

/** A price that nobody can pay, and why, in words. Undefined: the payment provider takes it, as far as can be known beforehand. */
export function unpayable(locale: Locale, { amount, currency }: Price) {
  const found = priceFault({ amount, currency });
  return (
    found && {
      price: formatMoney(locale, amount, currency),
      fault: text(locale, `price.${found.fault}`, { amount: formatMoney(locale, found.amount, currency) }),
    }
  );
}
