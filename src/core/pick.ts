/** The members of a row that are shown, in this order. */
export function pick<Row extends object, Key extends keyof Row>(row: Row, ...keys: Key[]): Pick<Row, Key> {
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>;
}

/** The members of an object that has no others than its type says. */
export function keysOf<Key extends string>(all: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(all) as Key[];
}
