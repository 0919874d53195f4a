/** Components that pages share: coloured state, card, facts, links, one-button form, confirmation. */
import { setTimeout as pause } from 'node:timers/promises';
import { html } from 'hono/html';
import { REASON_LENGTH_MAX } from '../../../core/calls/reason.js';
import { TONES } from '../../../core/resources/tones.js';
import type { Flash } from '../../../core/users/sessions.js';
import { linkTo, wordOf, type Markup, type View } from './view.js';
import { csrfField, type Page } from './layout.js';
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

/** A one-button form for what needs no confirmation. */
export function postButton(
  view: View,
  { action, words, fields = {} }: { action: string; words: Markup | string; fields?: Record<string, string> },
): Markup {
  return html`<form method="post" action="${action}">
    ${csrfField(view)} ${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}
    <button class="btn btn-sm btn-outline-secondary btn-icon">${words}</button>
  </form>`;
}

export function hiddenField(name: string, value: string | number): Markup {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
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

export interface Question {
  /** What will be done. */
  text: string;
  /** The button's label, after which the page is named. */
  yes: string;
  isDanger?: boolean;
  /** More fields, visible or hidden. */
  fields?: Markup | Markup[];
  takesPdf?: boolean;
}

interface Ways {
  /** Where the answer goes. */
  action: string;
  back: string;
}

/** A page that asks before something is done. */
export function questionPage(view: View, { action, back, ...question }: Question & Ways): Page {
  const { text, yes, isDanger = false, fields = [], takesPdf = false } = question;
  const content = html`<p class="mb-0 any">${text}</p>
    ${fields} ${yesOrNo(view, { yes, back, isDanger })}`;
  return { title: yes, body: boxedForm(view, { action, takesFile: takesPdf }, content) };
}

/** A form that is a card of its own. */
export function boxedForm(
  view: View,
  { action, width = 'medium', takesFile = false }: { action: string; width?: string; takesFile?: boolean },
  content: Markup | Markup[],
): Markup {
  const encoding = takesFile ? html`enctype="multipart/form-data"` : '';
  return html`<form class="card ${width}" method="post" action="${action}" ${encoding}>
    <div class="card-body d-grid gap-3">${csrfField(view)} ${content}</div>
  </form>`;
}

/** The submit button and a link back. */
export function yesOrNo(
  { t }: View,
  { yes, back, isDanger = false }: Pick<Question & Ways, 'yes' | 'back' | 'isDanger'>,
): Markup {
  return html`<div class="actions">
    <button class="btn ${isDanger ? 'btn-danger' : 'btn-primary'}">${yes}</button>
    <a class="btn btn-outline-secondary" href="${back}">${t('admin.confirm.no')}</a>
  </div>`;
}

interface Box {
  name: string;
  value?: string;
  words: string;
  isTicked?: boolean;
}

export function checkbox({ name, value = '1', words, isTicked = false }: Box): Markup {
  const id = `${name}-${value}`;
  return html`<div class="form-check">
    <input
      class="form-check-input"
      type="checkbox"
      id="${id}"
      name="${name}"
      value="${value}"
      ${isTicked ? 'checked' : ''}
    />
    <label class="form-check-label any" for="${id}">${words}</label>
  </div>`;
}

export function pdfField(words: string): Markup {
  return html`<div>
    <label class="form-label" for="file">${words}</label>
    <input class="form-control" type="file" id="file" name="file" accept="application/pdf" />
  </div>`;
}

export function reasonField({ t }: View, { isRequired }: { isRequired: boolean }): Markup {
  return html`<div>
    <label class="form-label" for="reason"
      >${t(isRequired ? 'mail.label.reason' : 'admin.field.reason_optional')}</label
    >
    <input
      class="form-control"
      id="reason"
      name="reason"
      maxlength="${REASON_LENGTH_MAX}"
      ${isRequired ? 'required' : ''}
    />
  </div>`;
}
