/**
 * How much of a table runs. `npm run test:machines` and a run under mutants take every case; `npm test` takes those that stand for
 * the rest, because what differs between the others is tested once, where it is decided.
 */
export const EVERY_CASE =
  process.env['EVERY_CASE'] !== undefined || process.env['MUTANTS_PART'] !== undefined;

/** Every case, or each `n`-th. */
export const everyNth = <T>(all: Iterable<T>, n: number): Iterable<T> => (EVERY_CASE ? all : nth(all, n));

function* nth<T>(all: Iterable<T>, n: number): Generator<T> {
  let place = 0;
  for (const one of all) {
    if (place % n === 0) yield one;
    place += 1;
  }
}
