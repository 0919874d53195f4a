/** Shapes of answers: items, collections and their views (spec 4.6), as hydra clients expect them. */
import type { Listing } from '../core/listing.js';
import { lastPage, type Pagination } from './pagination.js';
import { canonicalQuery, type QueryMap } from './query.js';

export type Item = { '@id': string; '@type': string } & Record<string, unknown>;

/** The stored form of a time as the API shows it: offset form, whole seconds. */
export function shownTime(at: string): string {
  return `${at.slice(0, 19)}+00:00`;
}

/** A member of a collection. What is null has no value to show and is left out. */
export function item(type: string, iri: string, fields: Record<string, unknown>): Item {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return { '@id': iri, '@type': type, ...Object.fromEntries(shown) };
}

/** An item that stands alone. */
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
 * Where this page stands among the others; a list that fits on one page is its own first and last. Asking for any of these
 * paths gives a view whose `@id` is that path, so that clients recognise what they asked for.
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

/** The filters of a collection, for clients that build their queries from it: variable and the property it is about. */
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
