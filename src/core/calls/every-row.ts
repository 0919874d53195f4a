const PAGE = 500;

type Page<Row> = (after: Row | undefined, limit: number) => Row[];

/** All rows of a list, read a page at a time; `page` starts after the last row of the one before. */
export function* everyRow<Row>(page: Page<Row>): Generator<Row> {
  for (const rows of everyPage(page)) yield* rows;
}

/** The pages themselves, for a caller that lets others work in between. */
export function* everyPage<Row>(page: Page<Row>): Generator<Row[]> {
  for (let after: Row | undefined; ;) {
    const rows = page(after, PAGE);
    yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1);
  }
}
