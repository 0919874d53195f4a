/** How money, days and times are written for people: in their language and in the time zone of the settings. */
import { decimalsOf } from '../settings/currencies.js';
import { cached, wallClock } from '../zone.js';
import type { Locale } from './catalogue.js';

/** The reader's language and time zone. The settings are one. */
export interface Reader {
  locale: Locale;
  timeZone: string;
}

const REGIONS: Record<Locale, string> = { en: 'en-GB', fr: 'fr-FR' };

/** In minor units. Null: not known. */
export interface Money {
  amount: number | null;
  currency: string | null;
}

/** Before an English amount. Without them, the runtime would load its own formats, which takes a third of a short command's time. */
const SIGNS: Readonly<Record<string, string>> = { eur: '€', gbp: '£', usd: 'US$' };

/** Formats minor units: 12000 eur is `€120.00` in English, `120,00 €` in French. */
export function formatMoney(locale: Locale, amount: number, currency: string): string {
  const digits = decimalsOf(currency.toLowerCase());
  const sign = SIGNS[currency.toLowerCase()];
  if (locale === 'en' && sign !== undefined)
    return `${amount < 0 ? '-' : ''}${sign}${inThousands((Math.abs(amount) / 10 ** digits).toFixed(digits))}`;
  const how = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return cached(Intl.NumberFormat, REGIONS[locale], how).format(amount / 10 ** digits);
}

/** `5.5%`, `5,5 %`. */
export function formatPercent(locale: Locale, percent: number): string {
  const how = { style: 'percent', maximumFractionDigits: 2 } as const;
  return cached(Intl.NumberFormat, REGIONS[locale], how).format(percent / 100);
}

/** `2 March 2026`, `2 mars 2026`. */
export function formatDay({ locale, timeZone }: Reader, at: string): string {
  const words = cached(Intl.DateTimeFormat, REGIONS[locale], { dateStyle: 'long', timeZone }).format(
    new Date(at),
  );
  return locale === 'fr' ? words.replace(/^1 /, '1er ') : words;
}

/** Of `2026-03`: `March 2026`, `mars 2026`. */
export function formatMonth(locale: Locale, month: string): string {
  const how = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return cached(Intl.DateTimeFormat, REGIONS[locale], how).format(new Date(`${month}-01`));
}

/** As people write it, in the zone of the settings: `2 March 2026, 10:14`, `2 mars 2026 à 10 h 14`. */
export function formatMoment(reader: Reader, at: string): string {
  const minute = wallClock(reader.timeZone, at).time.slice(0, 5);
  const day = formatDay(reader, at);
  if (reader.locale === 'en') return `${day}, ${minute}`;
  const [hours, minutes] = minute.split(':');
  return `${day} à ${Number(hours)}\u00a0h\u00a0${minutes}`;
}

/** To the second, with the zone's full name: `2 March 2026, 10:14:07 CET (Europe/Paris)`. */
export function formatFullMoment(reader: Reader, at: string): string {
  const { timeZone } = reader;
  const short = zoneAt(reader, at);
  const zone = short === timeZone ? short : `${short} (${timeZone})`;
  return `${formatDay(reader, at)}, ${wallClock(timeZone, at).time} ${zone}`;
}

export function withMoments(reader: Reader, sentence: string): string {
  return sentence.replaceAll(STORED_TIME, (at) => formatMoment(reader, at));
}

export const STORED_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** `CET`, `UTC+1`, `GMT-8`: the short name of the zone at that time of the year. */
export function zoneAt({ locale, timeZone }: Reader, at: string): string {
  const format = cached(Intl.DateTimeFormat, REGIONS[locale], { timeZone, timeZoneName: 'short' });
  const parts = format.formatToParts(new Date(at));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** `365 days`, `1 jour`. */
export function formatDays(locale: Locale, days: number): string {
  return cached(Intl.NumberFormat, REGIONS[locale], {
    style: 'unit',
    unit: 'day',
    unitDisplay: 'long',
  }).format(days);
}

/** `1,234`, `1 234`. */
export function formatNumber(locale: Locale, number: number): string {
  if (locale === 'en' && Number.isSafeInteger(number)) return inThousands(String(number));
  return cached(Intl.NumberFormat, REGIONS[locale], {}).format(number);
}

/** Before the point only. */
function inThousands(digits: string): string {
  return digits.replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** Whether so many are one in this language: French counts none like one. */
export function pluralForm(locale: Locale, count: number): 'one' | 'other' {
  return cached(Intl.PluralRules, REGIONS[locale], {}).select(count) === 'one' ? 'one' : 'other';
}
