/** Pages of a provider's list, one call each. */

export interface Page<T> {
  items: readonly T[];
  /** Undefined after the last page. */
  next: string | undefined;
}

/**
 * What is new on each page, from the beginning or from a cursor on. Ends at a page with nothing new, whatever cursor it names: a list
 * that repeats itself under new cursors would never end. `seen` holds the ids of those that are known already.
 */
export async function* newOnEachPage<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
  idOf: (item: T) => string,
  { from, seen = new Set() }: { from?: string | undefined; seen?: Set<string> } = {},
): AsyncGenerator<T[]> {
  for (let cursor = from; ;) {
    const { items, next } = await read(cursor);
    const fresh = items.filter((item) => !seen.has(idOf(item)));
    for (const item of fresh) seen.add(idOf(item));
    if (fresh.length > 0) yield fresh;
    if (next === undefined || fresh.length === 0) return;
    cursor = next;
  }
}
