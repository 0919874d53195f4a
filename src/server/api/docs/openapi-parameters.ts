/** Parameters: of the path, of pages, and of the filters that a collection declares. */
import type { Parameter } from '../collection.js';
import type { Note, Operation } from './operation.js';

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

export function pathParameters(path: string, { inPath = {} }: Operation) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(name in inPath
      ? { schema: { type: 'string' }, example: inPath[name] }
      : { schema: { type: 'integer', minimum: 1 }, example: 1 }),
  }));
}

export function headerParameters({ signedBy }: Operation, steps: readonly Note[]) {
  const optional = steps
    .flatMap(({ headers = [] }) => headers)
    .map(({ name, about, example }) => header(name, about, example));
  const proof = 'HMAC-SHA256 over the bytes of the body, by which the caller proves who it is.';
  return signedBy === undefined ? optional : [{ ...header(signedBy, proof), required: true }, ...optional];
}

/**
 * Not as an `example` of the parameter: documentation pages prefill that into their forms, and calls would share a
 * key.
 */
function header(name: string, description: string, example?: string) {
  const schema = { type: 'string', ...(example !== undefined && { examples: [example] }) };
  return { name, in: 'header', description, schema };
}

export function queryParameters({ returns, inQuery = {} }: Operation): object[] {
  const { isCollection, resource } = returns;
  const own = Object.entries(inQuery).map(([name, told]) => queryParameter({ name, ...told }));
  if (!isCollection || !resource) return own;
  return [...PAGE_REFS, ...resource.parameters.map(queryParameter), ...own];
}

function queryParameter({ name, about, schema }: Pick<Parameter, 'name' | 'about' | 'schema'>) {
  return { name, in: 'query', description: about, schema };
}
