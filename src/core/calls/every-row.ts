const PAGE = 500;

/** All rows of a list, read a page at a time; `page` starts after the last row of the one before. */
export function* everyRow<Row>(page: (after: Row | undefined, limit: number) => Row[]): Generator<Row> {
  for (let after: Row | undefined; ;) {
    const rows = page(after, PAGE);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1);
  }
}
