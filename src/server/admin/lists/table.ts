/** Tables of the back office: their columns, which may be sorted, and a sentence where there are no rows. */
import { html } from 'hono/html';
import type { Direction } from '../../../core/calls/listing.js';
import { icon } from '../assets/icons.js';
import type { Markup, View } from '../frame/view.js';

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

/** Classes of a column that narrower screens hide. */
export const FROM_MD = 'd-none d-md-table-cell';

export function column<Row>(
  head: string,
  cell: Column<Row>['cell'],
  classes = '',
  cellClasses = 'small',
): Column<Row> {
  return { head, cell, classes, cellClasses };
}

/** The column that says which thing a row is about. */
export function leadColumn<Row>(head: string, cell: Column<Row>['cell']): Column<Row> {
  return column(head, cell, '', 'lead-cell');
}

export function hiddenHead<Row>(column: Column<Row>): Column<Row> {
  return { ...column, isHeadHidden: true };
}

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
