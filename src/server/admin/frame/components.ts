/** Components that pages share: coloured state, card, facts, links, boxes to tick. */
import { setTimeout as pause } from 'node:timers/promises';
import { html } from 'hono/html';
import { TONES } from '../../../core/resources/tones.js';
import type { Flash } from '../../../core/users/sessions.js';
import { linkTo, wordOf, type Markup, type View } from './view.js';
import { column, hiddenHead, type Column } from '../lists/table.js';

/** A state in the reader's language, with the stored word as its title. */
export function state(view: View, word: keyof typeof TONES): Markup {
  return html`<span class="state state-${TONES[word]}" title="${word}">${wordOf(view, 'state', word)}</span>`;
}

/** The first cell of a row: a link, with a small note below it. */
export function lead(href: string, title: Markup | string, small: Markup | string): Markup {
  return html`<a class="title" href="${href}">${title}</a>
    <div class="soft small any">${small}</div>`;
}

/**
 * An e-mail address, web address or id: on one line, where what is too long shows on hover; on a phone broken at its joints,
 * an e-mail address before its `@` alone.
 */
export function address(text: string): Markup {
  const parts = text.split(text.includes('@') ? /(?=@)/ : /(?<=[/.?&=_])/);
  return html`<span class="address" title="${text}"
    >${parts.map((part, i) => (i === 0 ? part : html`<wbr />${part}`))}</span
  >`;
}

export function requestsAbout(search: string): string {
  return linkTo('/admin/requests', { search });
}

export function card(title: string, content: Markup | Markup[], aside: Markup | string = ''): Markup {
  return html`<section class="card">
    <div class="card-header">
      <h2>${title}</h2>
      ${aside}
    </div>
    ${content}
  </section>`;
}

export type Fact = readonly [label: string, value: Markup | string | null | undefined];

/** Facts without a value are left out. */
export function facts(list: readonly Fact[]): Markup {
  const shown = list.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Shown on demand; works without scripts. */
export function folded(words: string, content: Markup): Markup {
  return html`<details class="soft small">
    <summary>${words}</summary>
    ${content}
  </details>`;
}

/** JSON with line breaks, anything else as it is. Can be scrolled by keyboard. */
export function jsonBlock(text: string): Markup {
  return html`<pre tabindex="0">${readable(text)}</pre>`;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** A link for a web address, else plain text. */
export function outside(url: string | null): Markup | string | null {
  if (url === null || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return url;
  return html`<a href="${url}" rel="noopener noreferrer" target="_blank">${address(url)}</a>`;
}

/** An id from an address; undefined for what is none. */
export function idOf(word: string | undefined): number | undefined {
  return /^[1-9]\d{0,14}$/.test(word ?? '') ? Number(word) : undefined;
}

/** At most this many can be ticked at once. */
export const TICKED_MAX = 100;

export function tickedIds(form: URLSearchParams): number[] {
  return [...new Set(form.getAll('id').flatMap((word) => idOf(word) ?? []))];
}

/** What is wrong with how many were ticked; `none`: what is said when none was. */
export function tickFault({ t }: View, ids: readonly number[], none: string): Flash | undefined {
  if (ids.length === 0) return { type: 'info', message: none };
  if (ids.length <= TICKED_MAX) return undefined;
  return { type: 'danger', message: t('admin.list.too_many', { count: ids.length, max: TICKED_MAX }) };
}

/** A column of boxes, one a row; of the form with this id, by default the one around the table. */
export function tickColumn<Row>(
  { t }: View,
  about: (row: Row) => { id: number; label: string },
  form?: string,
): Column<Row> {
  const box = (row: Row) => {
    const { id, label } = about(row);
    return html`<input
      class="form-check-input"
      type="checkbox"
      name="id"
      value="${id}"
      ${form === undefined ? '' : html`form="${form}"`}
      aria-label="${label}"
    />`;
  };
  return hiddenHead(column(t('admin.failed.choice'), box, '', ''));
}

/** A hanging provider must not hang the page. */
const WAIT_MS = 5_000;

/** What comes of the work, if it comes soon enough; what takes longer goes on without the page. */
export function soon<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, pause(WAIT_MS, undefined, { ref: false })]);
}
