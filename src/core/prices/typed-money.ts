/** Money as people type it: `180`, `180.50`, `1 234,50 €`. */
import { z } from 'zod';
import { invalid } from '../errors.js';
import { decimalsOf, type Price } from '../settings/currencies.js';
import { parseInput, AMOUNT } from '../calls/input.js';

const MEMBER = z.object({ amount: AMOUNT });

/** In minor units of the currency. Throws `invalid` for what is no amount, also for one that could be read in two ways. */
export function typedMoney(typed: string, currency: string): number {
  const text = typed.trim().replaceAll(/\s/g, ' ').toLowerCase();
  const sign = currency === 'eur' ? '(?:eur|€)' : currency;
  const [, grouped, fraction = ''] =
    new RegExp(`^(?:${sign} ?)?(\\d+|\\d{1,3}(?: \\d{3})+)(?:[.,](\\d+))? ?(?:${sign})?$`).exec(text) ?? [];
  const whole = grouped?.replaceAll(' ', '');
  const decimals = decimalsOf(currency);
  if (whole === undefined || fraction.length > decimals)
    throw invalid({ amount: 'Give an amount such as 180.00.' });
  const amount = Number(whole + fraction.padEnd(decimals, '0'));
  return parseInput(MEMBER, { amount }).amount;
}

/** As it can be typed again. */
export function moneyIn({ amount, currency }: Price): string {
  const decimals = decimalsOf(currency);
  return (amount / 10 ** decimals).toFixed(decimals);
}
