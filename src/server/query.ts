/**
 * Query strings as PHP clients write them: `status[]=a`, `status[0]=a`, `order[createdAt]=asc`. The last of a
 * repeated name counts. Maps keep the caller's order, and no name is special.
 */
export type QueryValue = string | QueryMap;
export type QueryMap = Map<string, QueryValue>;

const PARAMETERS_MAX = 200;
const DEPTH_MAX = 5;

/** `search` with or without its question mark. */
function parseQuery(search: string): QueryMap {
  const query: QueryMap = new Map();
  const pairs = search.replace(/^\?/, '').split('&').filter(Boolean).slice(0, PARAMETERS_MAX);
  for (const pair of pairs) {
    const [name = '', ...value] = pair.split('=');
    const path = pathOf(decode(name));
    if (path[0] !== '') put(query, path, decode(value.join('=')));
  }
  return query;
}

function pathOf(name: string): string[] {
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || brackets === undefined) return [name];
  const path = [first, ...brackets.slice(1, -1).split('][')];
  return path.length > DEPTH_MAX ? [''] : path;
}

function put(map: QueryMap, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? nextIndex(map) : name;
  if (rest.length === 0) {
    map.set(key, value);
    return;
  }
  const there = map.get(key);
  const inner: QueryMap = there instanceof Map ? there : new Map();
  map.set(key, inner);
  put(inner, rest, value);
}

function nextIndex(map: QueryMap): string {
  const indexes = [...map.keys()].filter((key) => /^\d{1,9}$/.test(key)).map(Number);
  return String(Math.max(-1, ...indexes) + 1);
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** The canonical query for a page: names sorted, nested keys in order, list indexes left out, `page` last. */
export function canonicalQuery(query: QueryMap, page: number): string {
  const names = [...query.keys()].filter((name) => name !== 'page').sort(byCodeUnit);
  const parts = names.flatMap((name) => write(encode(name), query.get(name) as QueryValue));
  return [...parts, `page=${page}`].join('&');
}

function write(name: string, value: QueryValue): string[] {
  if (typeof value === 'string') return [`${name}=${encode(value)}`];
  return [...value].flatMap(([key, inner]) => {
    const index = /^\d+$/.test(key) ? '' : encode(key);
    return write(`${name}%5B${index}%5D`, inner);
  });
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** RFC 3986: also encodes what encodeURIComponent leaves alone. */
function encode(text: string): string {
  const escape = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, escape);
}

/** The query of a call. */
export function queryOf(c: { req: { url: string } }): QueryMap {
  return parseQuery(new URL(c.req.url).search);
}
