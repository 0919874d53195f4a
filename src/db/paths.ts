/**
 * Paths through the indexes of a table. Every filter has a covering index in order of creation, with one range per
 * value, which SQLite merges instead of sorting. Rows are fetched only for the page.
 */
import { sql, type Selectable } from 'kysely';
import type { CountedTable } from './counts.js';
import { all, raw, required, type Db } from './db.js';
import type { Schema } from './schema.js';
import { anyOf, type Direction } from './sql.js';

type Values = readonly (string | number)[];

export interface Path {
  /** What the index begins with, and the values to look for; null for the index on creation. */
  first: { is: string; oneOf: Values } | null;
  /** Further columns of the index, and their values. */
  also: Readonly<Record<string, Values>>;
}

export interface Span {
  from: string;
  /** Excluded; of the rows created at that very time those with a lower id than `untilId` are in. */
  until: string;
  untilId?: number;
}

export interface Page extends Span {
  direction: Direction;
  limit: number;
  offset: number;
}

/** Everything that the query's text depends on. */
interface Shape {
  first: string | null;
  /** The number of values; 0 when there are more than SQLite merges well, so that they come as one list. */
  ranges: number;
  also: readonly string[];
}

/** What the query's parameters are called. */
type Bound = Record<string, string | number | Values>;

const RANGES_MAX = 20;

export function pathsOf<T extends CountedTable>(table: T) {
  const rows = sql.table(table);

  const pageOf = perShape((shape, direction: Direction) =>
    all((p: Bound) => {
      const order = sql.raw(`"createdAt" ${direction}, "id" ${direction}`);
      // A cross join keeps its order, so the planner cannot start with the table.
      return raw(sql<Selectable<Schema[T]>>`select ${rows}.* from
        (${merged(shape, p)} order by ${order} limit ${p['limit']} offset ${p['offset']}) as "page"
        cross join ${rows} where ${rows}."id" = "page"."id"`);
    }),
  );

  const countOf = perShape((shape) =>
    required((p: Bound) =>
      raw(sql<{ count: number }>`select count(*) as "count" from (${merged(shape, p)}) as "found"`),
    ),
  );

  const merged = (shape: Shape, p: Bound) =>
    sql.join(
      Array.from({ length: shape.ranges || 1 }, (_, i) => range(shape, p, i)),
      sql` union all `,
    );

  const range = ({ first, ranges, also }: Shape, p: Bound, i: number) => {
    const value = ranges === 0 ? sql`in ${anyOf(p['list'] as Values)}` : sql`= ${p[`value${i}`]}`;
    return sql`select "id", "createdAt" from ${rows} where ${sql.join(
      [
        sql`"createdAt" >= ${p['from']} and ("createdAt", "id") < (${p['until']}, ${p['untilId']})`,
        ...(first === null ? [] : [sql`${sql.raw(first)} ${value}`]),
        // The plus keeps the planner from using another index.
        ...also.map((column) => sql`+${sql.ref(column)} in ${anyOf(p[column] as Values)}`),
      ],
      sql` and `,
    )}`;
  };

  return {
    /** A page of the rows created in a span of time. */
    page(db: Db, path: Path, { direction, ...page }: Page): Selectable<Schema[T]>[] {
      const [shape, values] = shapeOf(path);
      return pageOf(shape, direction)(db, { untilId: 0, ...page, ...values });
    },

    /** How many rows were created in a span of time. */
    count(db: Db, path: Path, span: Span): number {
      const [shape, values] = shapeOf(path);
      return countOf(shape)(db, { untilId: 0, ...span, ...values }).count;
    },
  };
}

function shapeOf({ first, also }: Path): [Shape, Bound] {
  // A repeated value would repeat its rows.
  const list = [...new Set(first?.oneOf)];
  const ranges = list.length > RANGES_MAX ? 0 : list.length;
  const values = Object.fromEntries(list.map((value, i) => [`value${i}`, value]));
  return [
    { first: first?.is ?? null, ranges, also: Object.keys(also) },
    { ...also, ...values, list },
  ];
}

/** Caches each query. */
function perShape<A extends string[], Q>(
  make: (shape: Shape, ...rest: A) => Q,
): (shape: Shape, ...rest: A) => Q {
  const made = new Map<string, Q>();
  return (shape, ...rest) => {
    const { first, ranges, also } = shape;
    const key = [first, ranges, also.join('+'), ...rest].join();
    const known = made.get(key) ?? make(shape, ...rest);
    made.set(key, known);
    return known;
  };
}
