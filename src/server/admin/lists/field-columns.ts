/** The table of a list and the facts of one thing, made from the fields of their noun. What a narrow screen has no column for stands under the first. */
import { html } from 'hono/html';
import type { Order } from '../../../core/calls/listing.js';
import {
  orderOf,
  orderWord,
  type Described,
  type Field,
  type Resource,
} from '../../../core/resources/resource.js';
import { shownFields, shownOf } from '../../../core/resources/show.js';
import { withMoments } from '../../../core/texts/format.js';
import { ago, day, isLately, linkTo, moment, type Markup, type View } from '../frame/view.js';
import { address, state, type Fact } from '../frame/components.js';
import type { Column, Sorting } from './table.js';

/** How the list is ordered, and where it is ordered otherwise; without it, a short list has one order. */
interface Sorted extends Pick<Resource<never>, 'orders'> {
  order: Order<string>;
  path: string;
  words: Readonly<Record<string, string>>;
}

export function columnsOf<Row>(view: View, resource: Described<Row>, sorted?: Sorted): Column<Row>[] {
  const { lead } = resource;
  const fields = shownFields(resource).map(([name, field]) => ({ name, ...field }));
  const own = fields.filter(({ name, under, kind }) => !under && kind !== 'id' && name !== lead);
  const first = fields.find(({ name }) => name === lead) as Named<Row>;
  const under = (name: string) => fields.filter((field) => field.under === name);
  const sorting = (by: string) => (sorted && by in sorted.orders ? sortingBy(by, sorted) : undefined);
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
    cellClasses: field.isName
      ? 'small name-cell'
      : field.isLong
        ? 'small any long-cell'
        : (CELL_CLASSES[field.kind] ?? 'small some'),
    ...withSorting(sorting(field.name)),
  });
  return [
    {
      head: view.t(first.label),
      cell: (row) =>
        html`${titleOf(view, first, row)}
        ${under(lead).map((each) =>
          // Nobody reads ids on a phone.
          below(view, each, row, each.kind === 'address' ? 'd-none d-md-block soft small' : 'soft small any'),
        )}
        ${own.flatMap((field) => [
          field.fold ? below(view, field, row, `d-${field.fold}-none soft small any`) : '',
          ...under(field.name)
            .filter(({ kind }) => kind !== 'address')
            .map((each) => below(view, each, row, 'd-md-none soft small any')),
        ])}`,
      classes: '',
      cellClasses: first.isName
        ? 'lead-cell name-cell'
        : first.kind === 'id'
          ? 'lead-cell id-cell'
          : 'lead-cell',
      ...withSorting(sorting(lead)),
    },
    ...own.map(column),
  ];
}

/** The facts of one row. `own`: what is shown in place of a field; null leaves it out. */
export function factsOf<Row>(
  view: View,
  resource: Described<Row>,
  row: Row,
  own: Record<string, Fact[1]> = {},
): Fact[] {
  return shownFields(resource).flatMap(([name, field]) => {
    if (field.kind === 'id') return [];
    // There is room for the moment, and no way to the page that this is.
    const { time: _, ...whole } = field;
    const value = name === resource.lead ? plainOf(view, whole, row) : cellOf(view, whole, row);
    return [[view.t(field.label), name in own ? own[name] : field.of(row) === null ? null : value]];
  });
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
function sortingBy(by: string, { orders, order, path, words }: Sorted): Sorting {
  const now = order.by === by ? order.direction : undefined;
  const direction = now === undefined ? (orders[by] ?? 'asc') : now === 'asc' ? 'desc' : 'asc';
  const { order: _, ...others } = words;
  const word = orderWord({ by, direction });
  const isOwn = word === orderWord(orderOf({ orders }));
  return { now, href: linkTo(path, { ...others, ...(!isOwn && { order: word }) }) };
}

/** Nothing where there is nothing to show. */
function below<Row>(view: View, field: Field<Row>, row: Row, classes: string): Markup | string {
  const value = field.of(row);
  // That something has never happened says nothing.
  if (value === null || value === '' || value === 0) return '';
  // A number or a time alone would not say what it is.
  const isNamed = (field.isNumber && field.kind !== 'money') || field.kind === 'time';
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
  const { kind, isLong } = field;
  const shown = shownOf(field, row, view, view.t);
  if (typeof shown !== 'string')
    return 'time' in shown ? timeOf(view, field, shown.time) : state(view, shown.state);
  if (shown === '' && kind === 'time') return '–';
  if (kind === 'address') return address(shown);
  return isLong ? withMoments(view, shown) : shown;
}

function timeOf<Row>(view: View, { time }: Field<Row>, at: string): Markup {
  if (time === 'ago' || (time === 'since' && isLately(view, at))) return ago(view, at);
  return time === undefined ? moment(view, at) : day(view, at);
}
