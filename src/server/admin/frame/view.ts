/** What every page knows: language, time, session; and how to write times and money. */
import { html } from 'hono/html';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/clock.js';
import { adviceText, writerOf, type Advice } from '../../../core/commands.js';
import type { Config } from '../../../core/settings/config.js';
import { zoneAt, type Reader } from '../../../core/texts/format.js';
import { wallClock } from '../../../core/zone.js';
import { label, type Locale } from '../../../core/texts/index.js';
import { sayOnPages, type SayOnPages } from '../texts.js';

export type Markup = ReturnType<typeof html>;

export interface View extends Reader {
  now: Date;
  /** In every form. */
  csrf: string;
  t: SayOnPages;
  /** Words, with the commands in them as they are to be typed. */
  advice: (words: Advice) => string;
}

export function createView(
  { locale, timeZone, instance }: Reader & Pick<Config, 'instance'>,
  now: Date,
  csrf: string,
): View {
  const write = writerOf({ instance });
  const advice = (words: Advice) => adviceText(words, write);
  return { locale, timeZone, now, csrf, t: sayOnPages(locale, write), advice };
}

const REGIONS: Record<Locale, string> = { en: 'en-GB', fr: 'fr-FR' };

interface Writers {
  dayAndMonth: Intl.DateTimeFormat;
  moment: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
  number: Intl.NumberFormat;
  relative: Intl.RelativeTimeFormat;
}

const writers = new Map<string, Writers>();

/** Cached: creating one takes longer than formatting a whole list. */
function writersOf({ locale, timeZone }: Reader): Writers {
  const key = `${locale} ${timeZone}`;
  let known = writers.get(key);
  if (!known) {
    const region = REGIONS[locale];
    const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
    known = {
      dayAndMonth: new Intl.DateTimeFormat(region, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
      day: new Intl.DateTimeFormat(region, day),
      moment: new Intl.DateTimeFormat(region, { ...day, hour: '2-digit', minute: '2-digit' }),
      number: new Intl.NumberFormat(region),
      relative: new Intl.RelativeTimeFormat(region, { numeric: 'auto' }),
    };
    writers.set(key, known);
  }
  return known;
}

/** `2 Mar 2026, 09:14` in the zone named in the footer, with the full time as title. */
export function moment(view: View, at: string): Markup {
  return stamp(view, at, (date) => writersOf(view).moment.format(date));
}

export function day(view: View, at: string): Markup {
  return stamp(view, at, (date) => writersOf(view).day.format(date));
}

/** `2 Mar`, of a calendar day: `2026-03-02`. */
export function dayAndMonth(view: View, day: string): string {
  return writersOf(view).dayAndMonth.format(new Date(day));
}

const STEPS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** `3 days ago`, `in 2 hours`. */
export function ago(view: View, at: string): Markup {
  return stamp(view, at, (date) => {
    const ms = date.getTime() - view.now.getTime();
    const step = STEPS.find(([, size]) => Math.abs(ms) >= size);
    if (!step) return view.t('admin.just_now');
    return writersOf(view).relative.format(Math.trunc(ms / step[1]), step[0]);
  });
}

const LATELY_DAYS = 7;

/** Within a week before or after now. */
export function isLately({ now }: View, at: string): boolean {
  return Math.abs(Date.parse(at) - now.getTime()) / DAY_MS < LATELY_DAYS;
}

/** `3 days ago` within a week, else the date. */
export function lately(view: View, at: string): Markup {
  return isLately(view, at) ? ago(view, at) : moment(view, at);
}

/** A dash for what is no time: one bad row must not take the whole page away. */
function stamp(view: View, at: string, words: (date: Date) => string): Markup {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return html`–`;
  const { day, time } = wallClock(view.timeZone, at);
  return html`<time datetime="${at}" title="${day} ${time} ${zoneAt(view, at)}">${words(date)}</time>`;
}

/** `1,234`. */
export function figure(view: View, number: number): string {
  return writersOf(view).number.format(number);
}

/** A stored word in the reader's language; unchanged if there is no text for it. */
export function wordOf({ t }: View, kind: string, word: string): string {
  return label(t, `${kind}.${word}`, word);
}

/** The addresses of our pages. */
/** A page, asked for these words; only what is set stands in it, so that an untouched list has its plain path. */
export function linkTo(path: string, words: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(words).filter((pair): pair is [string, string] => !!pair[1]);
  return set.length > 0 ? `${path}?${new URLSearchParams(set).toString()}` : path;
}

export function pathAndQuery(c: { req: { url: string } }): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}
