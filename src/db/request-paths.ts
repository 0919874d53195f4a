/**
 * The ways through the indexes of requests. Every filter has an index that holds all it asks for, in the order of creation:
 * one range of it for each value, merged by SQLite instead of sorted. Rows are fetched for the page alone.
 */
import { sql } from 'kysely';
import { query, sqlite, type Query } from './db.js';
import type { RequestFilter } from './request-lists.js';
import type { RequestRow } from './schema.js';
import { anyOf, rows, type Direction } from './sql.js';

/** What the text of a query depends on. */
interface Shape {
  /** The first column of the index; null: that of the creation. */
  column: 'equipmentId' | 'ownerId' | 'status' | null;
  /** How many values it has; 0 when they come as one list, more of them than SQLite merges well. */
  ranges: number;
  /** What the index is asked for besides. */
  hasOwner: boolean;
  hasStatus: boolean;
}

export interface Path {
  shape: Shape;
  values: Pick<Bound, 'ownerId' | 'status' | 'list' | `value${number}`>;
}

interface Bound {
  from: string;
  until: string;
  ownerId: number;
  /** JSON lists. */
  status: string;
  list: string;
  [value: `value${number}`]: string | number;
}

type PageBound = Bound & { limit: number; offset: number };

const RANGES_MAX = 20;

export function pathOf(filter: RequestFilter): Path {
  const { ownerId, status } = filter;
  const [column, values] = rangesOf(filter);
  // A value that stands twice would give its rows twice.
  const list = [...new Set<string | number>(values)];
  return {
    shape: {
      column,
      ranges: list.length > RANGES_MAX ? 0 : list.length,
      hasOwner: column === 'equipmentId' && ownerId !== null,
      hasStatus: column !== 'status' && status !== null,
    },
    values: {
      ownerId: ownerId ?? 0,
      status: JSON.stringify(status),
      list: JSON.stringify(list),
      ...Object.fromEntries(list.map((value, i) => [`value${i}`, value])),
    },
  };
}

function rangesOf({
  ownerId,
  status,
  equipment,
}: RequestFilter): [Shape['column'], readonly (string | number)[]] {
  if (equipment) return ['equipmentId', equipment];
  if (ownerId !== null) return ['ownerId', [ownerId]];
  return status ? ['status', status] : [null, []];
}

/** A page of the rows created in a span of time. */
export const pageQuery = perShape((shape, direction: Direction): Query<PageBound, RequestRow> =>
  query((p) => {
    const page = merged(shape, p)
      .orderBy('createdAt', direction)
      .orderBy('id', direction)
      .limit(rows(p.limit))
      .offset(rows(p.offset));
    // A cross join keeps its order: the planner may not begin with the table.
    return sqlite
      .selectFrom(page.as('page'))
      .crossJoin('requests')
      .whereRef('requests.id', '=', 'page.id')
      .selectAll('requests');
  }),
);

/** How many rows were created in a span of time. */
export const countQuery = perShape((shape): Query<Bound, { count: number }> =>
  query((p) =>
    sqlite.selectFrom(merged(shape, p).as('found')).select((eb) => eb.fn.countAll<number>().as('count')),
  ),
);

function merged(shape: Shape, p: Bound) {
  const [first = range(shape, p), ...others] = Array.from({ length: shape.ranges }, (_, i) =>
    range(shape, p, i),
  );
  return others.reduce((all, each) => all.unionAll(each), first);
}

function range({ column, hasOwner, hasStatus }: Shape, p: Bound, i?: number) {
  let found = sqlite
    .selectFrom('requests')
    .select(['id', 'createdAt'])
    .where('createdAt', '>=', p.from)
    .where('createdAt', '<', p.until);
  if (column && i === undefined) found = found.where(column, 'in', anyOf<never>(p.list));
  else if (column) found = found.where(column, '=', p[`value${i as number}`] as never);
  // The plus keeps the planner from taking another index for these.
  if (hasOwner) found = found.where(sql<boolean>`+"ownerId" = ${p.ownerId}`);
  if (hasStatus) found = found.where(sql<boolean>`+"status" in ${anyOf(p.status)}`);
  return found;
}

/** Makes each query once. */
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
