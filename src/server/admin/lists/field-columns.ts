/** The table of a list page, made from the fields of its noun. What a narrow screen has no column for stands under the first. */
import { html } from 'hono/html';
import type { Order } from '../../../core/calls/listing.js';
import { orderOf, orderWord } from '../../../core/resources/order.js';
import type { Field, Resource, State } from '../../../core/resources/resource.js';
import { shownFields, wordsOf } from '../../../core/resources/show.js';
import { withMoments } from '../../../core/texts/format.js';
import { linkTo } from '../frame/address.js';
import { address, state } from '../frame/components.js';
import type { Column, Sorting } from './table.js';
import { ago, day, isLately, moment, waiting, type Markup, type View } from '../frame/view.js';

/** How the list is ordered, and where it is ordered otherwise; without it, a short list has one order. */
interface Sorted {
  order: Order<string>;
  path: string;
  words: Readonly<Record<string, string>>;
}

export function columnsOf<Row>(
  view: View,
  resource: Pick<Resource<Row>, 'fields' | 'lead' | 'orders'>,
  sorted?: Sorted,
): Column<Row>[] {
  const { lead, orders } = resource;
  const fields = shownFields(resource).map(([name, field]) => ({ name, ...field }));
  const own = fields.filter(({ name, under, kind }) => !under && kind !== 'id' && name !== lead);
  const first = fields.find(({ name }) => name === lead) as Named<Row>;
  const under = (name: string) => fields.filter((field) => field.under === name);
  const sorting = (by: string) => (sorted && by in orders ? sortingBy(by, resource, sorted) : undefined);
  const column = (field: Named<Row>): Column<Row> => ({
    head: view.t(field.label),
    cell: (row) =>
      html`${cellOf(view, field, row)}
      ${under(field.name).map((each) => below(view, each, row, 'd-none d-md-block soft small'))}`,
    classes: [
      field.fold ? `d-none d-${field.fold}-table-cell` : '',
      field.kind === 'time' ? 'text-end' : '',
      field.kind === 'state' || field.kind === 'flag' ? 'text-end text-md-start' : '',
    ]
      .join(' ')
      .trim(),
    cellClasses: CELL_CLASSES[field.isLong ? 'address' : field.kind] ?? 'small some',
    ...withSorting(sorting(field.name)),
  });
  return [
    {
      head: view.t(first.label),
      cell: (row) =>
        html`${titleOf(view, first, row)}
        ${under(lead).map((each) => below(view, each, row, 'soft small any'))}
        ${own.flatMap((field) => [
          field.fold ? below(view, field, row, `d-${field.fold}-none soft small any`) : '',
          ...under(field.name).map((each) => below(view, each, row, 'd-md-none soft small any')),
        ])}`,
      classes: '',
      cellClasses: 'lead-cell',
      ...withSorting(sorting(lead)),
    },
    ...own.map(column),
  ];
}

/** Only free words and addresses are broken anywhere: a short word has its column to itself. */
const CELL_CLASSES: Partial<Record<Field<never>['kind'], string>> = {
  ref: 'small text-nowrap',
  time: 'small',
  address: 'small any',
};

type Named<Row> = Field<Row> & { name: string };

function withSorting(sorting: Sorting | undefined) {
  return sorting && { sorting };
}

/** A click on the heading turns the direction, or begins with the one that is asked for most. */
function sortingBy<Row>(
  by: string,
  resource: Pick<Resource<Row>, 'orders'>,
  { order, path, words }: Sorted,
): Sorting {
  const { orders } = resource;
  const now = order.by === by ? order.direction : undefined;
  const direction = now === undefined ? (orders[by] ?? 'asc') : now === 'asc' ? 'desc' : 'asc';
  const { order: _, ...others } = words;
  const word = orderWord({ by, direction });
  const isOwn = word === orderWord(orderOf(resource));
  return { now, href: linkTo(path, { ...others, ...(!isOwn && { order: word }) }) };
}

/** Nothing where there is nothing to show. */
function below<Row>(view: View, field: Field<Row>, row: Row, classes: string): Markup | string {
  const value = field.of(row);
  if (value === null || value === '') return '';
  // A number or a time alone would not say what it is.
  const isNamed = field.isNumber || (field.kind === 'time' && !field.waits);
  return html`<div class="${classes}">
    ${isNamed ? view.t(field.label) : ''} ${cellOf(view, field, row)}
  </div>`;
}

function titleOf<Row>(view: View, field: Field<Row>, row: Row): Markup | string {
  const href = field.to?.(row);
  const words = plainOf(view, field, row);
  return href === undefined
    ? html`<span class="any">${words}</span>`
    : html`<a class="title" href="${href}">${words}</a>`;
}

function cellOf<Row>(view: View, field: Field<Row>, row: Row): Markup | string {
  const href = field.of(row) === null ? undefined : field.to?.(row);
  const words = plainOf(view, field, row);
  return href === undefined ? words : html`<a href="${href}">${words}</a>`;
}

function plainOf<Row>(view: View, field: Field<Row>, row: Row): Markup | string {
  const { kind, of, states } = field;
  const value = of(row);
  if (kind === 'time') return typeof value === 'string' ? timeOf(view, field, row, value) : '–';
  if (kind === 'state') return state(view, value as State);
  if (states) return state(view, states[value === true ? 0 : 1]);
  const words = wordsOf(field, row, view, view.t);
  if (kind === 'address') return address(words);
  return field.isLong ? withMoments(view, words) : words;
}

function timeOf<Row>(view: View, { time, waits }: Field<Row>, row: Row, at: string): Markup {
  if (waits?.(row)) return waiting(view, at);
  if (time === 'ago' || (time === 'since' && isLately(view, at))) return ago(view, at);
  return time === undefined ? moment(view, at) : day(view, at);
}
