/** The shapes of answers that Hydra clients expect (rules 6): items, collections and their views. */
import type { Listing } from '../../core/calls/listing.js';
import { lastPage, type Pagination } from './pagination.js';
import { canonicalQuery, type QueryMap } from '../http/query.js';

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
