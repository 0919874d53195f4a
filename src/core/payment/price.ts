/** What was paid, and whether it is the price (rules 2, "Payment"). */
import { invalid } from '../errors.js';
import { priceFault, type Price } from '../settings/currencies.js';
import { formatMoney, formatPercent, type Money } from '../texts/format.js';
import { text, type Locale, type Said } from '../texts/index.js';

/** The only comparison of money with a price. What the provider does not say is not the price. */
export function isPriceOf(contract: Price, { amount, currency }: Money): boolean {
  return amount === contract.amount && currency === contract.currency;
}

/** What these amount to, a sum a currency. */
export function sumsOf(rows: readonly Money[]): Price[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of rows)
    if (amount !== null && currency !== null) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ amount, currency }));
}

/** Empty where there is nothing. */
export function sumWords(locale: Locale, sums: readonly Price[]): string {
  return sums.map((sum) => moneyWords(locale, sum)).join(' + ');
}

/** What a contract costs, in words: where the tax is known, with and without it. */
export function priceWords(
  locale: Locale,
  { amount, currency, vat }: Price & { vat?: number | null | undefined },
): string {
  const price = formatMoney(locale, amount, currency);
  return vat == null
    ? price
    : text(locale, 'price.with_vat', { price, ...vatWords(locale, { amount, currency, vat }) });
}

/** The tax in a price, and the price without it, rounded to the smallest unit. */
export function vatWords(locale: Locale, { amount, currency, vat }: Price & { vat: number }) {
  const net = Math.round(amount / (1 + vat / 100));
  return { vat: formatPercent(locale, vat), net: formatMoney(locale, net, currency) };
}

export function moneyWords(locale: Locale, { amount, currency }: Money): string {
  const isMoney = amount !== null && currency !== null && /^[a-z]{3}$/i.test(currency);
  return isMoney ? formatMoney(locale, amount, currency) : text(locale, 'mail.unknown');
}

/** The price itself; throws `invalid` for one that nobody can pay. `locale`: of the pages that may show why. */
export function payable<P extends Price>(price: P, locale: Locale = 'en'): P {
  const found = unpayableSaid(price, locale);
  if (found) throw invalid({ amount: found.fault }, { amount: found.said });
  return price;
}

/** Why nobody can pay it: in English, and for pages. */
export function unpayableSaid(price: Price, locale: Locale): { fault: string; said: Said } | undefined {
  const found = priceFault(price);
  if (!found) return undefined;
  const words = `price.${found.fault}` as const;
  const amountIn = (language: Locale) => ({ amount: formatMoney(language, found.amount, price.currency) });
  return { fault: text('en', words, amountIn('en')), said: { words, params: amountIn(locale) } };
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
