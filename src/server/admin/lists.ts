/** What stands around a list: filters, its file for spreadsheets, and the way to its other pages. */
import { idOfCursor } from '../../core/calls/cursor.js';
import { html } from 'hono/html';
import { icon } from './assets/icons.js';
import type { PageCall } from './page-call.js';
import { count, type Markup, type View } from './view.js';

/** Downloads what the filter finds. */
export function csvButton({ t }: View, path: string, query: URLSearchParams | string): Markup {
  const words = query.toString();
  return html`<a class="btn btn-sm btn-outline-secondary btn-icon" href="${path}.csv${words && `?${words}`}"
    >${icon('download')} ${t('admin.list.csv')}</a
  >`;
}

/** Narrows a list by what is typed into its fields. */
export function filterForm(path: string, fields: Markup | Markup[]): Markup {
  return html`<form class="filters" method="get" action="${path}" role="search">${fields}</form>`;
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

/** Undoes the filter. */
export function showAll({ t }: View, path: string, isFiltered: boolean): Markup | string {
  return isFiltered
    ? html`<a class="btn btn-outline-secondary" href="${path}">${t('admin.requests.clear')}</a>`
    : '';
}

export function findButton({ t }: View): Markup {
  return html`<button class="btn btn-primary btn-icon">${icon('search')} ${t('admin.find')}</button>`;
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
  { first, next }: { first: string | undefined; next: string | undefined; previous?: undefined },
): Markup {
  const open = Object.entries({ first, next }).filter(([, href]) => href !== undefined);
  if (open.length === 0) return html``;
  return html`<nav class="head justify-content-end" aria-label="${t('admin.paging')}">
    <ul class="pagination pagination-sm mb-0">
      ${open.map(
        ([name, href]) =>
          html`<li class="page-item">
            <a class="page-link" href="${href}">${t(`admin.paging.${name as 'first' | 'next'}`)}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** Behind which row the page goes on; undefined: it is the first. */
export function placeIn(call: Pick<PageCall, 'query'>): number | undefined {
  return idOfCursor(call.query('cursor'));
}

/** The rows of one page, of which one more than it holds was asked for; and the last of them when the list goes on. */
export function pageOf<Row>(
  rows: readonly Row[],
  perPage: number,
): { shown: readonly Row[]; last: Row | undefined } {
  const shown = rows.slice(0, perPage);
  return { shown, last: rows.length > perPage ? shown.at(-1) : undefined };
}
