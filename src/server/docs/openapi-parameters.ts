/** Parameters: of the path, of pages, and of the filters that a collection declares. */
import type { HeaderParameter } from './notes.js';
import type { Answer } from './operation.js';

export const PAGE_PARAMETERS = {
  page: {
    name: 'page',
    in: 'query',
    description: 'The number of the page.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  itemsPerPage: {
    name: 'itemsPerPage',
    in: 'query',
    description: 'The size of a page, 100 at most; more becomes 100, and 0 asks for the count alone.',
    schema: { type: 'integer', minimum: 0, default: 30 },
  },
};

const PAGE_REFS = Object.keys(PAGE_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));

export function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
    example: name === 'id' ? 1 : 'Request',
  }));
}

export function headerParameters(headers: readonly HeaderParameter[]) {
  return headers.map(({ name, about, example }) => ({
    name,
    in: 'header',
    description: about,
    schema: { type: 'string' },
    example,
  }));
}

export function queryParameters({ isCollection, parameters = [] }: Answer): object[] {
  if (!isCollection) return [];
  return [...PAGE_REFS, ...parameters.map(({ name, schema }) => ({ name, in: 'query', schema }))];
}
