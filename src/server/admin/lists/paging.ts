/** What stands around a list: its file for spreadsheets, and the way to its other pages. */
import { cursorOf, placeOfCursor, type Place } from '../../../core/calls/listing.js';
import { html } from 'hono/html';
import { icon } from '../assets/icons.js';
import { linkTo, figure, type Markup, type View } from '../frame/view.js';
import type { PageCall } from '../frame/page-call.js';

/** Downloads what the filter finds. */
export function csvButton({ t }: View, path: string, words: Paging['words']): Markup {
  return html`<a class="btn btn-sm btn-outline-secondary btn-icon" href="${linkTo(`${path}.csv`, words)}"
    >${icon('download')} ${t('admin.list.csv')}</a
  >`;
}

export interface Paging {
  path: string;
  words: Readonly<Record<string, string>>;
  page: number;
  perPage: number;
  total: number;
}

export function paging(view: View, { path, words, page, perPage, total }: Paging): Markup {
  const { t } = view;
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return html``;
  const to = (number: number, isOpen: boolean) =>
    isOpen ? linkTo(path, { ...words, page: String(number) }) : undefined;
  const shown = t('admin.paging.shown', {
    from: figure(view, (page - 1) * perPage + 1),
    to: figure(view, Math.min(total, page * perPage)),
    total: figure(view, total),
  });
  return ways(view, shown, [
    ['first', to(1, page > 1)],
    ['previous', to(page - 1, page > 1)],
    ['next', to(page + 1, page < last)],
    ['last', to(last, page < last)],
  ]);
}

type Way = [name: 'first' | 'previous' | 'next' | 'last', href: string | undefined];

function ways({ t }: View, shown: string, steps: readonly Way[]): Markup {
  return html`<nav
    class="head ${shown === '' ? 'justify-content-end' : ''}"
    aria-label="${t('admin.paging')}"
  >
    ${shown && html`<span class="soft small num">${shown}</span>`}
    <ul class="pagination pagination-sm mb-0">
      ${steps.map(([name, href]) => {
        const words = t(`admin.paging.${name}`);
        return href === undefined
          ? html`<li class="page-item disabled"><span class="page-link">${words}</span></li>`
          : html`<li class="page-item"><a class="page-link" href="${href}">${words}</a></li>`;
      })}
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
  const past = placeOfCursor(call.query('cursor', CURSOR_LENGTH_MAX));
  const found = read(past, perPage + 1);
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  const steps: Way[] = [
    ...(past === undefined ? [] : [['first', to({})] satisfies Way]),
    ...(last ? [['next', to({ cursor: cursorOf(placeOf(last)) })] satisfies Way] : []),
  ];
  return { rows, others: steps.length === 0 ? html`` : ways(call.view, '', steps) };
}
