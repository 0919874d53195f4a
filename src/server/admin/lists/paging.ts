/** What stands around a list: its file for spreadsheets, and the way to its other pages. */
import { cursorOf, placeOfCursor, type Place } from '../../../core/calls/cursor.js';
import { html } from 'hono/html';
import { icon } from '../assets/icons.js';
import type { PageCall } from '../frame/page-call.js';
import { count, type Markup, type View } from '../frame/view.js';

/** Downloads what the filter finds. */
export function csvButton({ t }: View, path: string, query: URLSearchParams | string): Markup {
  const words = query.toString();
  return html`<a class="btn btn-sm btn-outline-secondary btn-icon" href="${path}.csv${words && `?${words}`}"
    >${icon('download')} ${t('admin.list.csv')}</a
  >`;
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

/** It holds what its list is ordered by, at most the address of a webhook. */
const CURSOR_LENGTH_MAX = 4_000;

interface Walk<Row> {
  /** Of the list as it is asked for. */
  to: (cursor: Record<string, string>) => string;
  perPage: number;
  read: (past: Place | undefined, limit: number) => readonly Row[];
  placeOf: (row: Row) => Place;
}

/** A page of a list that is walked step by step, since its pages cannot be counted. One row more than it holds shows that the list goes on. */
export function stepped<Row>(
  call: PageCall,
  { to, perPage, read, placeOf }: Walk<Row>,
): { rows: readonly Row[]; others: Markup } {
  const { t } = call.view;
  const past = placeOfCursor(call.query('cursor', CURSOR_LENGTH_MAX));
  const found = read(past, perPage + 1);
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  const step = (href: string, words: string) =>
    html`<li class="page-item"><a class="page-link" href="${href}">${words}</a></li>`;
  const steps = [
    ...(past === undefined ? [] : [step(to({}), t('admin.paging.first'))]),
    ...(last ? [step(to({ cursor: cursorOf(placeOf(last)) }), t('admin.paging.next'))] : []),
  ];
  if (steps.length === 0) return { rows, others: html`` };
  const others = html`<nav class="head justify-content-end" aria-label="${t('admin.paging')}">
    <ul class="pagination pagination-sm mb-0">
      ${steps}
    </ul>
  </nav>`;
  return { rows, others };
}
