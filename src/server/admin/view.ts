/** What every page is told: language, time, whose session it is; and how times and money are written for people. */
import { html } from 'hono/html';
import type { RequestAction } from '../../core/requests/allowed-actions.js';
import { formatMoney } from '../../core/texts/format.js';
import { isTextKey, text, type Locale, type TextKey, type TextParams } from '../../core/texts/index.js';

export type Markup = ReturnType<typeof html>;

export interface View {
  locale: Locale;
  now: Date;
  /** Goes into every form. */
  csrf: string;
  t: (key: TextKey, params?: TextParams) => string;
}

export function createView(locale: Locale, now: Date, csrf: string): View {
  return { locale, now, csrf, t: (key, params) => text(locale, key, params) };
}

/** The label of a word that is stored; the word itself where it has none. */
export function label({ t }: View, prefix: string, word: string): string {
  const key = `${prefix}.${word}`;
  return isTextKey(key) ? t(key) : word;
}

type CountedKey = TextKey extends infer K ? (K extends `${infer Name}.one` ? Name : never) : never;

/** The text for so many, `<key>.one` or `<key>.other` as the language counts; the number is its `%count%`. */
export function counted(view: View, key: CountedKey, number: number, params: TextParams = {}): string {
  const form = writersOf(view.locale).plural.select(number) === 'one' ? 'one' : 'other';
  return view.t(`${key}.${form}` as TextKey, { count: count(view, number), ...params });
}

const REGIONS: Record<Locale, string> = { en: 'en-GB', fr: 'fr-FR' };

interface Writers {
  moment: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
  number: Intl.NumberFormat;
  relative: Intl.RelativeTimeFormat;
  plural: Intl.PluralRules;
}

const writers = new Map<Locale, Writers>();

/** Made once: making one takes longer than writing a whole list with it. */
function writersOf(locale: Locale): Writers {
  let known = writers.get(locale);
  if (!known) {
    const region = REGIONS[locale];
    const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
    known = {
      day: new Intl.DateTimeFormat(region, day),
      moment: new Intl.DateTimeFormat(region, { ...day, hour: '2-digit', minute: '2-digit' }),
      number: new Intl.NumberFormat(region),
      relative: new Intl.RelativeTimeFormat(region, { numeric: 'auto' }),
      plural: new Intl.PluralRules(region),
    };
    writers.set(locale, known);
  }
  return known;
}

/** `2 Mar 2026, 09:14`, in UTC, as the foot of every page says; the whole time stands in its title. */
export function moment({ locale }: View, at: string): Markup {
  return stamp(at, writersOf(locale).moment.format(new Date(at)));
}

export function day({ locale }: View, at: string): Markup {
  return stamp(at, writersOf(locale).day.format(new Date(at)));
}

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 days ago`, `in 2 hours`. */
export function ago({ locale, now }: View, at: string): Markup {
  const ms = Date.parse(at) - now.getTime();
  const [unit, size] = STEPS.find(([, size]) => Math.abs(ms) >= size) ?? (['minute', 60_000] as const);
  return stamp(at, writersOf(locale).relative.format(Math.trunc(ms / size), unit));
}

function stamp(at: string, words: string): Markup {
  return html`<time datetime="${at}" title="${at.slice(0, 19).replace('T', ' ')} UTC">${words}</time>`;
}

export function count({ locale }: View, number: number): string {
  return writersOf(locale).number.format(number);
}

export function money({ locale }: View, amount: number, currency: string): string {
  return formatMoney(locale, amount, currency);
}

/** The label of an action; the specification names one of them (4.9). */
export function actionLabel({ t }: View, action: RequestAction): string {
  return t(action === 'check-signature' ? 'request.check_signature' : `admin.action.${action}`);
}
