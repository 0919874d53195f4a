/** Pages of a provider's list, one call each. */

export interface Page<T> {
  items: readonly T[];
  /** Undefined after the last page. */
  next: string | undefined;
}

const EMPTY_MAX = 3;

/**
 * What is new on each page, from the beginning or from a cursor on. Ends at a page with nothing new, whatever cursor it names: a list
 * that repeats itself under new cursors would never end. A few empty pages may come before the next, as of a list that is filtered after
 * it was cut. `seen` holds the ids of those that are known already.
 */
export async function* newOnEachPage<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  idOf: (item: T) => string,
  { from, seen = new Set() }: { from?: string | undefined; seen?: Set<string> } = {},
): AsyncGenerator<T[]> {
  for (let cursor = from, empty = 0; ;) {
    const { items, next } = await read(cursor);
    empty = items.length === 0 ? empty + 1 : 0;
    const fresh = items.filter((item) => !seen.has(idOf(item)));
    for (const item of fresh) seen.add(idOf(item));
    if (fresh.length > 0) yield fresh;
    const isOver = items.length > 0 ? fresh.length === 0 : empty > EMPTY_MAX || next === cursor;
    if (next === undefined || isOver) return;
    cursor = next;
  }
}
