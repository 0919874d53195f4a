/** Narrows a list: a field for each filter of its noun. */
import { html } from 'hono/html';
import {
  type Filter,
  type Resource,
  type Filters,
  type Values,
  orderOf,
  orderWord,
  orderWords,
} from '../../../core/resources/resource.js';
import { icon } from '../assets/icons.js';
import { hiddenField } from '../frame/forms.js';
import { SEARCH_LENGTH_MAX } from '../frame/layout.js';
import { wordOf, type Markup, type View } from '../frame/view.js';
import { AppError } from '../../../core/errors.js';
import type { Order } from '../../../core/calls/listing.js';
import { named } from '../../../core/resources/named.js';
import { startOfDay } from '../../../core/zone.js';
import type { PageCall } from '../frame/page-call.js';

interface Form {
  path: string;
  words: Readonly<Record<string, string>>;
  /** Filters that are chosen elsewhere, but stay. */
  apart: readonly string[];
}

export function filterForm<Row>(
  view: View,
  { filters }: Pick<Resource<Row>, 'filters'>,
  { path, words, apart }: Form,
): Markup {
  const kept = [...apart, 'order'].flatMap((name) => {
    const value = words[name];
    return value === undefined ? [] : [hiddenField(name, value)];
  });
  const { order: _, ...asked } = words;
  const fields = Object.entries(filters)
    .filter(([name]) => !apart.includes(name))
    .flatMap(([name, filter]) => fieldOf(view, name, filter, words));
  if (fields.length === 0) return html``;
  return formOf(view, path, [...kept, ...fields], Object.keys(asked).length > 0);
}

/** The fields, and the way back to the whole list. */
export function formOf({ t }: View, path: string, fields: Markup[], isFiltered: boolean): Markup {
  return html`<form class="filters" method="get" action="${path}" role="search">
    ${fields}
    <div class="actions">
      <button class="btn btn-primary btn-icon">${icon('search')} ${t('admin.find')}</button>
      ${
        isFiltered
          ? html`<a class="btn btn-outline-secondary" href="${path}">${t('admin.requests.clear')}</a>`
          : ''
      }
    </div>
  </form>`;
}

function fieldOf(view: View, name: string, filter: Filter<unknown>, words: Form['words']): Markup[] {
  const { t } = view;
  const { kind, label, states, words: choices = [], said = '' } = filter;
  const value = words[name] ?? '';
  if (kind === 'choice') {
    const options = [...new Set([...choices, ...(value ? [value] : [])])].map(
      (word) => [word, wordOf(view, said, word)] as const,
    );
    return [select(view, name, t(label), value, options)];
  }
  if (states) {
    const options = states.map((each, i) => [String(i === 0), wordOf(view, 'state', each)] as const);
    return [select(view, name, t(label), value, options)];
  }
  if (kind === 'span')
    return [
      input('since', t('list.since'), words['since'] ?? '', 'date'),
      input('until', t('list.until'), words['until'] ?? '', 'date'),
    ];
  return [input(name, t(label), value, 'search')];
}

/** The id is not that of the search box of every page. */
export function input(name: string, label: string, value: string, type: 'search' | 'date'): Markup {
  return html`<div class="${type === 'search' ? 'grow' : ''}">
    <label for="filter-${name}">${label}</label>
    <input
      class="form-control"
      type="${type}"
      id="filter-${name}"
      name="${name}"
      value="${value}"
      ${type === 'date' ? '' : html`maxlength="${SEARCH_LENGTH_MAX}"`}
    />
  </div>`;
}

/** The first choice is any of them. */
export function select(
  { t }: View,
  name: string,
  label: string,
  value: string,
  options: readonly (readonly [value: string, words: string])[],
): Markup {
  return html`<div>
    <label for="filter-${name}">${label}</label>
    <select class="form-select" id="filter-${name}" name="${name}">
      ${[['', t('admin.list.any')] as const, ...options].map(
        ([each, words]) =>
          html`<option value="${each}" ${each === value ? 'selected' : ''}>${words}</option>`,
      )}
    </select>
  </div>`;
}

// What the address of a list page asks for, read by the noun's declaration; what is wrong with it is said in the call's notices.

export interface Wish<F extends Filters, By extends string> {
  /** The address of the list as it was understood; only what is set stands in it. */
  words: Readonly<Record<string, string>>;
  /** Undefined: it names something that is not there, so nothing is found. */
  filter: Values<F> | undefined;
  order: Order<By>;
}

export function wishOf<Row, F extends Filters, By extends string>(
  call: PageCall,
  resource: Resource<Row, F, By>,
): Wish<F, By> {
  const read = Object.entries(resource.filters).map(
    ([name, filter]) => [name, readFilter(call, name, filter)] as const,
  );
  const words: Record<string, string> = Object.assign({}, ...read.map(([, { words }]) => words));
  const isThere = read.every(([, { value }]) => value !== undefined);
  const values = Object.fromEntries(read.map(([name, { value }]) => [name, value]));
  const own = orderWord(orderOf(resource));
  const order = call.choice('order', 'admin.list.order', orderWords(resource)) ?? own;
  return {
    words: { ...words, ...(order !== own && { order }) },
    filter: isThere ? (values as Values<F>) : undefined,
    order: orderOf(resource, order),
  };
}

interface Read {
  words: Record<string, string>;
  value: unknown;
}

function readFilter(call: PageCall, name: string, filter: Filter<unknown>): Read {
  const { kind, label, words = [], others = [], collection } = filter;
  if (kind === 'span') return readSpan(call);
  if (kind === 'choice' || kind === 'flag') {
    const word = call.choice(name, label, kind === 'flag' ? ['true', 'false'] : [...words, ...others]);
    if (word === undefined) return { words: {}, value: null };
    return { words: { [name]: word }, value: kind === 'flag' ? word === 'true' : [word] };
  }
  const typed = call.query(name, SEARCH_LENGTH_MAX);
  if (typed === '') return { words: {}, value: null };
  const value = collection ? namedIn(call, collection, typed) : kind === 'text' ? [typed] : typed;
  return { words: { [name]: typed }, value };
}

/** Undefined with a notice for what is not there. */
function namedIn(
  call: PageCall,
  collection: NonNullable<Filter<unknown>['collection']>,
  typed: string,
): readonly unknown[] | undefined {
  try {
    return named(call.ctx, collection, typed);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
    call.notices.push(call.view.t('admin.list.unknown', { typed }));
    return undefined;
  }
}

/** From the start of the first day to the start of the other, in the page's time zone. */
function readSpan(call: PageCall): Read {
  const { timeZone } = call.view;
  const [since, until] = [call.day('since', 'list.since'), call.day('until', 'list.until')];
  const startOf = (day: string) => (day ? startOfDay(timeZone, day).toISOString() : null);
  return {
    words: { ...(since && { since }), ...(until && { until }) },
    value: { from: startOf(since), until: startOf(until) },
  };
}
