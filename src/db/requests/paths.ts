/**
 * Paths through the indexes of requests. Every filter has a covering index in order of creation, with one range per
 * value, which SQLite merges instead of sorting. Rows are fetched only for the page.
 */
import { sql } from 'kysely';
import { all, required, sqlite, type Call } from '../db.js';
import type { RequestRow } from '../schema.js';
import { anyOf, type Direction } from '../sql.js';
import type { RequestFilter } from './lists.js';

/** Everything that the query's text depends on. */
interface Shape {
  /** The first column of the index; null for the index on creation. */
  column: 'equipmentId' | 'ownerId' | 'status' | null;
  /** The number of values; 0 when there are more than SQLite merges well, so that they come as one list. */
  ranges: number;
  /** Further conditions on the index. */
  hasOwner: boolean;
  hasStatus: boolean;
}

export interface Path {
  shape: Shape;
  values: Pick<Bound, 'owner' | 'status' | 'list' | `value${number}`>;
}

interface Bound {
  from: string;
  /** Excluded; of the rows created at that very time those with a lower id than `untilId` are in. */
  until: string;
  untilId: number;
  owner: RequestFilter['owner'];
  status: RequestFilter['status'];
  list: readonly (string | number)[];
  [value: `value${number}`]: string | number;
}

type PageBound = Bound & { limit: number; offset: number };

const RANGES_MAX = 20;

export function pathOf(filter: RequestFilter): Path {
  const { owner, status } = filter;
  const [column, values] = rangesOf(filter);
  // A repeated value would repeat its rows.
  const list = [...new Set<string | number>(values)];
  return {
    shape: {
      column,
      ranges: list.length > RANGES_MAX ? 0 : list.length,
      hasOwner: column === 'equipmentId' && owner !== null,
      hasStatus: column !== 'status' && status !== null,
    },
    values: {
      owner,
      status,
      list,
      ...Object.fromEntries(list.map((value, i) => [`value${i}`, value])),
    },
  };
}

function rangesOf({
  owner,
  status,
  equipment,
}: RequestFilter): [Shape['column'], readonly (string | number)[]] {
  if (equipment) return ['equipmentId', equipment];
  if (owner) return ['ownerId', owner];
  return status ? ['status', status] : [null, []];
}

/** A page of the rows created in a span of time. */
export const pageOf = perShape((shape, direction: Direction): Call<PageBound, RequestRow[]> =>
  all((p) => {
    const page = merged(shape, p)
      .orderBy('createdAt', direction)
      .orderBy('id', direction)
      .limit(p.limit)
      .offset(p.offset);
    // A cross join keeps its order, so the planner cannot start with the table.
    return sqlite
      .selectFrom(page.as('page'))
      .crossJoin('requests')
      .whereRef('requests.id', '=', 'page.id')
      .selectAll('requests');
  }),
);

/** How many rows were created in a span of time. */
export const countOf = perShape((shape): Call<Bound, { count: number }> =>
  required((p) =>
    sqlite.selectFrom(merged(shape, p).as('found')).select((eb) => eb.fn.countAll<number>().as('count')),
  ),
);

function merged(shape: Shape, p: Bound) {
  const [first = range(shape, p), ...others] = Array.from({ length: shape.ranges }, (_, i) =>
    range(shape, p, i),
  );
  return others.reduce((before, each) => before.unionAll(each), first);
}

function range({ column, hasOwner, hasStatus }: Shape, p: Bound, i?: number) {
  let found = sqlite
    .selectFrom('requests')
    .select(['id', 'createdAt'])
    .where('createdAt', '>=', p.from)
    .where(sql<boolean>`("createdAt", "id") < (${p.until}, ${p.untilId})`);
  const value = i === undefined ? sql`in ${anyOf(p.list)}` : sql`= ${p[`value${i}`]}`;
  if (column) found = found.where(sql<boolean>`${sql.ref(column)} ${value}`);
  // The plus keeps the planner from using another index.
  if (hasOwner) found = found.where(sql<boolean>`+"ownerId" in ${anyOf(p.owner ?? [])}`);
  if (hasStatus) found = found.where(sql<boolean>`+"status" in ${anyOf(p.status ?? [])}`);
  return found;
}

/** Caches each query. */
function perShape<A extends string[], Q>(
  make: (shape: Shape, ...rest: A) => Q,
): (shape: Shape, ...rest: A) => Q {
  const made = new Map<string, Q>();
  return (shape, ...rest) => {
    const { column, ranges, hasOwner, hasStatus } = shape;
    const key = [column, ranges, hasOwner, hasStatus, ...rest].join();
    const known = made.get(key) ?? make(shape, ...rest);
    made.set(key, known);
    return known;
  };
}
