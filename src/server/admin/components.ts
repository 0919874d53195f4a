/** Components that pages share: coloured state, card, table, paging, one-button form. */
import { html } from 'hono/html';
import type { Direction } from '../../core/calls/listing.js';
import { TONES } from '../../core/texts/tones.js';
import { icon } from './assets/icons.js';
import { csrfField } from './layout.js';
import { count, wordOf, type Markup, type View } from './view.js';

/** A state in the reader's language, with the stored word as its title. */
export function state(view: View, word: keyof typeof TONES): Markup {
  return html`<span class="state state-${TONES[word]}" title="${word}"
    >${wordOf(view, 'admin.state', word)}</span
  >`;
}

export interface Column<Row> {
  head: string;
  cell: (row: Row) => Markup | string | number;
  /** Bootstrap's classes of head and cells. */
  classes: string;
  cellClasses: string;
  /** For screen readers only. */
  isHeadHidden?: boolean;
  sorting?: Sorting;
}

/** The list is sorted by a column: now, or after a click on its heading. */
export interface Sorting {
  now: Direction | undefined;
  href: string;
}

/** Classes of columns that narrower screens hide. */
export const FROM_MD = 'd-none d-md-table-cell';
export const FROM_LG = 'd-none d-lg-table-cell';

export function column<Row>(
  head: string,
  cell: Column<Row>['cell'],
  classes = '',
  cellClasses = 'small',
): Column<Row> {
  return { head, cell, classes, cellClasses };
}

export function stateColumn<Row>(view: View, cell: Column<Row>['cell']): Column<Row> {
  return column(view.t('admin.field.status'), cell, 'text-end text-md-start', '');
}

/** The column that says which thing a row is about. */
export function leadColumn<Row>(head: string, cell: Column<Row>['cell']): Column<Row> {
  return column(head, cell, '', 'lead-cell');
}

export function sortable<Row>(column: Column<Row>, sorting: Sorting | undefined): Column<Row> {
  return sorting ? { ...column, sorting } : column;
}

export function hiddenHead<Row>(column: Column<Row>): Column<Row> {
  return { ...column, isHeadHidden: true };
}

/** A table, or a sentence when it is empty. */
export function table<Row>(rows: readonly Row[], empty: string, columns: readonly Column<Row>[]): Markup {
  if (rows.length === 0) return html`<p class="empty mb-0">${empty}</p>`;
  return html`<div class="table-responsive">
    <table class="table">
      <thead>
        <tr>
          ${columns.map(heading)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(
                ({ classes, cellClasses, cell }) =>
                  html`<td class="${`${classes} ${cellClasses}`.trim()}">${cell(row)}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function heading<Row>({ head, classes, isHeadHidden = false, sorting }: Column<Row>): Markup {
  if (!sorting) {
    return html`<th scope="col" class="${classes}">
      <span class="${isHeadHidden ? 'visually-hidden' : ''}">${head}</span>
    </th>`;
  }
  const { now } = sorting;
  return html`<th scope="col" class="${classes}" ${now ? html`aria-sort="${now}ending"` : ''}>
    ${sortLink(head, sorting)}
  </th>`;
}

function sortLink(head: string, { now, href }: Sorting): Markup {
  const arrow = now ? icon(now === 'asc' ? 'arrow-up' : 'arrow-down') : icon('arrow-down-up');
  return html`<a class="sort ${now ? 'now' : ''}" href="${href}">${head} ${arrow}</a>`;
}

/** The sortable headings again, for a screen that is too narrow for their columns. */
export function sortLine<Row>({ t }: View, columns: readonly Column<Row>[]): Markup {
  const links = columns.flatMap(({ head, sorting }) => (sorting ? [sortLink(head, sorting)] : []));
  if (links.length === 0) return html``;
  return html`<div class="sort-line soft small">${t('admin.list.sort')} ${links}</div>`;
}

/** Downloads what the filter finds. */
export function csvButton({ t }: View, path: string, query: URLSearchParams | string): Markup {
  const words = query.toString();
  return html`<a class="btn btn-sm btn-outline-secondary btn-icon" href="${path}.csv${words && `?${words}`}"
    >${icon('download')} ${t('admin.list.csv')}</a
  >`;
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

export function requestLink({ t }: View, id: number): Markup {
  return html`<a href="/admin/requests/${id}">${t('admin.request', { id })}</a>`;
}

/** The requests that a search for `q` finds. */
export function requestsAbout(q: string): string {
  return `/admin/requests?${new URLSearchParams({ q }).toString()}`;
}

/** Narrows a list by what is typed into its fields. */
export function filterForm(path: string, fields: Markup | Markup[]): Markup {
  return html`<form class="filters" method="get" action="${path}" role="search">${fields}</form>`;
}

/** Not the search box of every page, whose id is `q`. */
export function searchField(id: string, label: string, value: string, lengthMax: number, name = 'q'): Markup {
  return html`<div class="grow">
    <label for="${id}">${label}</label>
    <input
      class="form-control"
      type="search"
      id="${id}"
      name="${name}"
      value="${value}"
      maxlength="${lengthMax}"
    />
  </div>`;
}

/** Options by their value; the first choice is any of them. */
export function selectField(
  { t }: View,
  name: string,
  label: string,
  value: string | undefined,
  options: readonly (readonly [value: string, words: string])[],
): Markup {
  return html`<div>
    <label for="${name}">${label}</label>
    <select class="form-select" id="${name}" name="${name}">
      ${[['', t('admin.history.any')] as const, ...options].map(
        ([each, words]) =>
          html`<option value="${each}" ${each === (value ?? '') ? 'selected' : ''}>${words}</option>`,
      )}
    </select>
  </div>`;
}

export function dayField(name: string, label: string, value: string): Markup {
  return html`<div>
    <label for="${name}">${label}</label>
    <input class="form-control" type="date" id="${name}" name="${name}" value="${value}" />
  </div>`;
}

/** Undoes the filter. */
export function showAll({ t }: View, path: string, isFiltered: boolean): Markup | string {
  return isFiltered
    ? html`<a class="btn btn-outline-secondary" href="${path}">${t('admin.requests.clear')}</a>`
    : '';
}

export function findButton({ t }: View): Markup {
  return html`<button class="btn btn-primary btn-icon">
    ${icon('search')} ${t('admin.requests.find')}
  </button>`;
}

/** Leads on from a list that is full; nothing below one that is not. */
export function goOn(rows: readonly unknown[], perPage: number, href: string, words: string): Markup {
  return rows.length < perPage ? html`` : html`<p class="mb-0"><a href="${href}">${words}</a></p>`;
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

export interface Paging {
  path: string;
  query: URLSearchParams;
  page: number;
  perPage: number;
  total: number;
}

export function paging(view: View, { path, query, page, perPage, total }: Paging): Markup | string {
  const { t } = view;
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return '';
  const to = (number: number) => {
    const wanted = new URLSearchParams(query);
    wanted.set('page', String(number));
    return `${path}?${wanted.toString()}`;
  };
  const step = (number: number, words: string, isOpen: boolean) =>
    html`<li class="page-item ${isOpen ? '' : 'disabled'}">
      ${
        isOpen
          ? html`<a class="page-link" href="${to(number)}">${words}</a>`
          : html`<span class="page-link">${words}</span>`
      }
    </li>`;
  return html`<nav class="head" aria-label="${t('admin.paging')}">
    <span class="soft small num"
      >${t('admin.paging.shown', {
        from: count(view, (page - 1) * perPage + 1),
        to: count(view, Math.min(total, page * perPage)),
        total: count(view, total),
      })}</span
    >
    <ul class="pagination pagination-sm mb-0">
      ${step(1, t('admin.paging.first'), page > 1)} ${step(page - 1, t('admin.paging.previous'), page > 1)}
      ${step(page + 1, t('admin.paging.next'), page < last)}
      ${step(last, t('admin.paging.last'), page < last)}
    </ul>
  </nav>`;
}

/** A list that is walked step by step, since its pages cannot be counted; undefined: it goes no further there. */
export function steps(
  { t }: View,
  { first, previous, next }: Record<'first' | 'previous' | 'next', string | undefined>,
): Markup {
  const open = Object.entries({ first, previous, next }).filter(([, href]) => href !== undefined);
  if (open.length === 0) return html``;
  return html`<nav class="head justify-content-end" aria-label="${t('admin.paging')}">
    <ul class="pagination pagination-sm mb-0">
      ${open.map(
        ([name, href]) =>
          html`<li class="page-item">
            <a class="page-link" href="${href}"
              >${t(`admin.paging.${name as 'first' | 'previous' | 'next'}`)}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** An id from an address; undefined for what is none. */
export function idOf(word: string | undefined): number | undefined {
  return /^[1-9]\d{0,14}$/.test(word ?? '') ? Number(word) : undefined;
}

export interface Question {
  /** Where the answer goes. */
  action: string;
  /** What will be done. */
  text: string;
  /** The button's label. */
  yes: string;
  /** The target of "no". */
  back: string;
  isDanger?: boolean;
  /** More fields, visible or hidden. */
  fields?: Markup | Markup[];
}

export function confirmation(view: View, question: Question): Markup {
  const { action, text, yes, back, isDanger = false, fields = [] } = question;
  const content = html`<p class="mb-0">${text}</p>
    ${fields} ${yesOrNo(view, { yes, back, isDanger })}`;
  return boxedForm(view, action, content);
}

/** A form that is a card of its own. */
export function boxedForm(
  view: View,
  action: string,
  content: Markup | Markup[],
  classes = 'card medium',
): Markup {
  return html`<form class="${classes}" method="post" action="${action}">
    <div class="card-body d-grid gap-3">${csrfField(view)} ${content}</div>
  </form>`;
}

/** The submit button and a link back. */
export function yesOrNo(
  { t }: View,
  { yes, back, isDanger = false }: Pick<Question, 'yes' | 'back' | 'isDanger'>,
): Markup {
  return html`<div class="actions">
    <button class="btn ${isDanger ? 'btn-danger' : 'btn-primary'}">${yes}</button>
    <a class="btn btn-outline-secondary" href="${back}">${t('admin.confirm.no')}</a>
  </div>`;
}

export function checkbox(name: string, label: string): Markup {
  return html`<div class="form-check">
    <input class="form-check-input" type="checkbox" id="${name}" name="${name}" value="1" />
    <label class="form-check-label" for="${name}">${label}</label>
  </div>`;
}

export function reasonField({ t }: View, { isRequired }: { isRequired: boolean }): Markup {
  return html`<div>
    <label class="form-label" for="reason"
      >${t(isRequired ? 'admin.field.reason' : 'admin.field.reason_optional')}</label
    >
    <input class="form-control" id="reason" name="reason" maxlength="500" ${isRequired ? 'required' : ''} />
  </div>`;
}
