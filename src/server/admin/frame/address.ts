/** The addresses of lists: only what is set stands in them, so that an untouched list has its plain path. */

export function queryOf(wish: Readonly<Record<string, string | undefined>>): URLSearchParams {
  return new URLSearchParams(Object.entries(wish).filter((pair): pair is [string, string] => !!pair[1]));
}

export function addressOf(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
