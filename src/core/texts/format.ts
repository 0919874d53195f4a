/** How money, days and times are written for people; all times are UTC, as everything in the service. */
import { decimalsOf } from '../currencies.js';
import type { Locale } from './index.js';

const REGIONS: Record<Locale, string> = { en: 'en-GB', fr: 'fr-FR' };

/** An amount in minor units, written out: 12000 eur is `€120.00` in English, `120,00 €` in French. */
export function formatMoney(locale: Locale, amount: number, currency: string): string {
  const digits = decimalsOf(currency.toLowerCase());
  return new Intl.NumberFormat(REGIONS[locale], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}

/** `2 March 2026`, `2 mars 2026`. */
export function formatDay(locale: Locale, at: string): string {
  const day = new Intl.DateTimeFormat(REGIONS[locale], { dateStyle: 'long', timeZone: 'UTC' });
  const words = day.format(new Date(at));
  return locale === 'fr' ? words.replace(/^1 /, '1er ') : words;
}

/** `2 March 2026, 09:14 UTC`, `2 mars 2026, 09:14 UTC`. */
export function formatMoment(locale: Locale, at: string): string {
  const clock = new Date(at).toISOString().slice(11, 16);
  return `${formatDay(locale, at)}, ${clock} UTC`;
}

/** `365 days`, `1 jour`. */
export function formatDays(locale: Locale, days: number): string {
  return new Intl.NumberFormat(REGIONS[locale], {
    style: 'unit',
    unit: 'day',
    unitDisplay: 'long',
  }).format(days);
}
