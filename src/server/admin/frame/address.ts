/** The addresses of lists: only what is set stands in them, so that an untouched list has its plain path. */

import type { Call } from '../../parts.js';

export function queryOf(wish: Readonly<Record<string, string | undefined>>): URLSearchParams {
  return new URLSearchParams(Object.entries(wish).filter((pair): pair is [string, string] => !!pair[1]));
}

/** Of this call. */
export function pathAndQuery(c: Call): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

export function addressOf(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
