/** What every page is told: language, time, whose session it is; and how times and money are written for people. */
import { html } from 'hono/html';
import type { RequestAction } from '../../core/requests/allowed-actions.js';
import { formatMoney, zoneAt, type Reader } from '../../core/texts/format.js';
import { wallClock } from '../../core/zone.js';
import { isTextKey, text, type Locale, type TextKey, type TextParams } from '../../core/texts/index.js';

export type Markup = ReturnType<typeof html>;

export interface View extends Reader {
  now: Date;
  /** Goes into every form. */
  csrf: string;
  t: (key: TextKey, params?: TextParams) => string;
}

export function createView({ locale, timeZone }: Reader, now: Date, csrf: string): View {
  return { locale, timeZone, now, csrf, t: (key, params) => text(locale, key, params) };
}

/** The label of a word that is stored; the word itself where it has none. */
export function label({ t }: View, prefix: string, word: string): string {
  const key = `${prefix}.${word}`;
  return isTextKey(key) ? t(key) : word;
}

type CountedKey = TextKey extends infer K ? (K extends `${infer Name}.one` ? Name : never) : never;

/** The text for so many, `<key>.one` or `<key>.other` as the language counts; the number is its `%count%`. */
export function counted(view: View, key: CountedKey, number: number, params: TextParams = {}): string {
  const form = writersOf(view).plural.select(number) === 'one' ? 'one' : 'other';
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

const writers = new Map<string, Writers>();

/** Made once: making one takes longer than writing a whole list with it. */
function writersOf({ locale, timeZone }: Reader): Writers {
  const key = `${locale} ${timeZone}`;
  let known = writers.get(key);
  if (!known) {
    const region = REGIONS[locale];
    const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
    known = {
      day: new Intl.DateTimeFormat(region, day),
      moment: new Intl.DateTimeFormat(region, { ...day, hour: '2-digit', minute: '2-digit' }),
      number: new Intl.NumberFormat(region),
      relative: new Intl.RelativeTimeFormat(region, { numeric: 'auto' }),
      plural: new Intl.PluralRules(region),
    };
    writers.set(key, known);
  }
  return known;
}

/** `2 Mar 2026, 09:14`, in the zone that the foot of every page names; the whole time stands in its title. */
export function moment(view: View, at: string): Markup {
  return stamp(view, at, writersOf(view).moment.format(new Date(at)));
}

export function day(view: View, at: string): Markup {
  return stamp(view, at, writersOf(view).day.format(new Date(at)));
}

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 days ago`, `in 2 hours`. */
export function ago(view: View, at: string): Markup {
  const ms = Date.parse(at) - view.now.getTime();
  const [unit, size] = STEPS.find(([, size]) => Math.abs(ms) >= size) ?? (['minute', 60_000] as const);
  return stamp(view, at, writersOf(view).relative.format(Math.trunc(ms / size), unit));
}

function stamp(view: View, at: string, words: string): Markup {
  const { day, time } = wallClock(view.timeZone, at);
  return html`<time datetime="${at}" title="${day} ${time} ${zoneAt(view, at)}">${words}</time>`;
}

export function count(view: View, number: number): string {
  return writersOf(view).number.format(number);
}

export function money({ locale }: View, amount: number, currency: string): string {
  return formatMoney(locale, amount, currency);
}

/** The label of an action; the specification names one of them (4.9). */
export function actionLabel({ t }: View, action: RequestAction): string {
  return t(action === 'check-signature' ? 'request.check_signature' : `admin.action.${action}`);
}
