/** Narrows a list: a field for each filter of its noun. */
import { html } from 'hono/html';
import type { Filter, Resource } from '../../../core/resources/resource.js';
import { icon } from '../assets/icons.js';
import { hiddenField } from '../frame/components.js';
import { SEARCH_LENGTH_MAX } from '../frame/layout.js';
import { wordOf, type Markup, type View } from '../frame/view.js';

interface Form {
  path: string;
  /** What is asked for. */
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
