/** The addresses of our pages. */
/** A page, asked for these words; only what is set stands in it, so that an untouched list has its plain path. */
export function linkTo(path: string, words: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(words).filter((pair): pair is [string, string] => !!pair[1]);
  return set.length > 0 ? `${path}?${new URLSearchParams(set).toString()}` : path;
}

/** Of this call. */
export function pathAndQuery(c: { req: { url: string } }): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}
