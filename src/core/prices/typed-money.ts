/** Money as people type it: `180`, `180.50`, `1 234,50 €`. */
import { z } from 'zod';
import { STRING } from '../calls/input.js';
import { unpayableSaid } from '../payment/price.js';
import { decimalsOf, type Price } from '../settings/currencies.js';
import type { Locale } from '../texts/index.js';

/** Becomes minor units of the currency. Refuses what is no amount, what could be read in two ways, and what nobody can pay. */
export function typedMoney({ currency, locale }: { currency: string; locale: Locale }) {
  return z.string(STRING).transform((typed, issues) => {
    const amount = amountIn(typed, currency);
    if (amount === undefined) {
      issues.addIssue('Give an amount such as 180.00.');
      return z.NEVER;
    }
    const unpayable = unpayableSaid({ amount, currency }, locale);
    if (unpayable)
      issues.addIssue({ code: 'custom', message: unpayable.fault, params: { ...unpayable.said } });
    return amount;
  });
}

function amountIn(typed: string, currency: string): number | undefined {
  const text = typed.trim().replaceAll(/\s/g, ' ').toLowerCase();
  const sign = currency === 'eur' ? '(?:eur|€)' : currency;
  const [, grouped, fraction = ''] =
    new RegExp(`^(?:${sign} ?)?(\\d+|\\d{1,3}(?: \\d{3})+)(?:[.,](\\d+))? ?(?:${sign})?$`).exec(text) ?? [];
  const whole = grouped?.replaceAll(' ', '');
  const decimals = decimalsOf(currency);
  return whole === undefined || fraction.length > decimals
    ? undefined
    : Number(whole + fraction.padEnd(decimals, '0'));
}

/** As it can be typed again. */
export function moneyIn({ amount, currency }: Price): string {
  const decimals = decimalsOf(currency);
  return (amount / 10 ** decimals).toFixed(decimals);
}
