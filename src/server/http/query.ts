/**
 * Query strings as PHP clients write them: `status[]=a`, `status[0]=a`, `order[createdAt]=asc`. The last of a
 * repeated name counts. Maps keep the caller's order, and no name is special.
 */
import qs from 'qs';

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
export function canonicalQuery(query: QueryMap, page: number): string {
  const names = Object.keys(query)
    .filter((name) => name !== 'page')
    .toSorted();
  const sorted = Object.fromEntries([...names.map((name) => [name, query[name]]), ['page', page]]);
  return qs.stringify(sorted, { arrayFormat: 'brackets' });
}
