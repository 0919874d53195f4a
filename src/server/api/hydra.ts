/** The shapes of answers that Hydra clients expect (rules 6): items, collections and their views. */
import qs from 'qs';
import type { Listing, PageOf } from '../../core/calls/listing.js';
import { HttpError } from '../http/errors.js';

export type Item = { '@id': string; '@type': string } & Record<string, unknown>;

/** Converts a stored time to the API's form: with offset, in whole seconds. */
export function shownTime(at: string): string {
  return `${at.slice(0, 19)}+00:00`;
}

/** An item outside a collection. */
export function alone(single: Item) {
  return { '@context': `/api/contexts/${single['@type']}`, ...single };
}

export interface CollectionParts {
  type: string;
  path: string;
  query: QueryMap;
  pagination: Pagination;
  search?: Record<string, unknown>;
}

export function collection<Row>(
  { type, path, query, pagination, search }: CollectionParts,
  { total, rows }: Listing<Row>,
  toItem: (row: Row) => Item,
) {
  return {
    '@context': `/api/contexts/${type}`,
    '@id': path,
    '@type': 'hydra:Collection',
    'hydra:totalItems': total,
    'hydra:member': rows.map(toItem),
    'hydra:view': viewOf(path, query, pagination, total),
    ...(search && { 'hydra:search': search }),
  };
}

/**
 * This page's place among the others; a single page is its own first and last. Each of these paths leads to a view
 * with that `@id`, so that clients recognise it.
 */
function viewOf(path: string, query: QueryMap, { page, limit }: Pagination, total: number) {
  const iri = (number: number) => `${path}?${canonicalQuery(query, number)}`;
  const last = lastPage(total, limit);
  return {
    '@id': iri(page),
    '@type': 'hydra:PartialCollectionView',
    'hydra:first': iri(1),
    'hydra:last': iri(last),
    ...(page > 1 && { 'hydra:previous': iri(page - 1) }),
    ...(page < last && { 'hydra:next': iri(page + 1) }),
  };
}

/** The filters of a collection, for clients that build queries: variables and their properties. */
export function searchOf(path: string, variables: readonly (readonly [string, string])[]) {
  return {
    '@type': 'hydra:IriTemplate',
    'hydra:template': `${path}{?${variables.map(([variable]) => variable).join(',')}}`,
    'hydra:variableRepresentation': 'BasicRepresentation',
    'hydra:mapping': variables.map(([variable, property]) => ({
      '@type': 'IriTemplateMapping',
      variable,
      property,
      required: false,
    })),
  };
}

// `page` and `itemsPerPage` (rules 11): 30 by default, 100 at most, 0 for the count alone; numbers are parsed as in
// PHP.

const PER_PAGE_DEFAULT = 30;
const PER_PAGE_MAX = 100;

export interface Pagination extends PageOf {
  page: number;
}

/** Throws 400 for an impossible page or size. */
export function parsePagination(query: QueryMap): Pagination {
  const wanted = integer(query, 'itemsPerPage', PER_PAGE_DEFAULT);
  if (wanted < 0) throw new HttpError(400, 'Limit should not be less than 0');
  const page = integer(query, 'page', 1);
  if (page < 1) throw new HttpError(400, 'Page should not be less than 1');
  if (wanted === 0 && page > 1) {
    throw new HttpError(400, 'Page should not be greater than 1 if limit is equal to 0');
  }
  const limit = Math.min(wanted, PER_PAGE_MAX);
  const offset = (page - 1) * limit;
  if (!Number.isSafeInteger(page) || !Number.isSafeInteger(offset)) {
    throw new HttpError(400, 'Page parameter is too large.');
  }
  return { page, limit, offset };
}

/** `2x` is 2, `abc` is 0; an empty value is ignored. */
function integer(query: QueryMap, name: string, byDefault: number): number {
  const value = query[name];
  if (value === undefined || value === '') return byDefault;
  if (typeof value !== 'string') return 0;
  return Number(/^\s*([+-]?\d+)/.exec(value)?.[1] ?? 0);
}

/** The number of the last page; 1 for a list that is empty or only counted. */
function lastPage(total: number, limit: number): number {
  return limit === 0 ? 1 : Math.max(1, Math.ceil(total / limit));
}

// Query strings as PHP clients write them: `status[]=a`, `status[0]=a`, `order[createdAt]=asc`. The last of a repeated name
// counts. Maps keep the caller's order, and no name is special.

export type QueryValue = string | QueryValue[] | QueryMap;
export interface QueryMap {
  [name: string]: QueryValue;
}

export function queryOf(c: { req: { url: string } }): QueryMap {
  return parseQuery(new URL(c.req.url).search);
}

/** `search` with or without its question mark. */
function parseQuery(search: string): QueryMap {
  return qs.parse(search, {
    ignoreQueryPrefix: true,
    parameterLimit: 200,
    arrayLimit: 200,
    depth: 4,
    duplicates: 'last',
    plainObjects: true,
  }) as QueryMap;
}

/** The canonical query for a page: names sorted, nested keys in order, list indexes left out, `page` last. */
function canonicalQuery(query: QueryMap, page: number): string {
  const names = Object.keys(query)
    .filter((name) => name !== 'page')
    .toSorted();
  const sorted = Object.fromEntries([...names.map((name) => [name, query[name]]), ['page', page]]);
  return qs.stringify(sorted, { arrayFormat: 'brackets' });
}
