/**
 * The number of requests created per month, day and hour, by status; kept by triggers. Their sums tell how many rows
 * of a list are before a time, and near which time its n-th row is, without walking there.
 */
import { sql } from 'kysely';
import { all, run, sqlite, type Db } from '../db.js';
import type { RequestStatus } from '../schema.js';
import { anyOf } from '../sql.js';

/** A time of creation, in full or a prefix, and the number of rows created before it. */
export interface Edge {
  at: string;
  rank: number;
}

export interface Edges {
  below: Edge;
  above: Edge;
}

/** Rows by rank, excluding the end. */
export interface Slice {
  first: number;
  end: number;
}

export type Statuses = readonly RequestStatus[] | null;

/** Sorts before and after every stored time. */
export const BEGINNING: Edge = { at: '', rank: 0 };
export const END = '~';

/** The prefix lengths for month, day and hour. */
export const UNITS = [7, 10, 13] as const;

/** Walking so many rows is faster than counting them. */
const NEAR = 300;

const listPeriods = all((p: { unit: number; from: string; until: string; status: Statuses }) =>
  sqlite
    .selectFrom('requestCounts')
    .select((eb) => ['period', eb.fn.sum<number>('count').as('count')])
    .where('unit', '=', p.unit)
    .where('period', '>=', p.from)
    .where('period', '<', p.until)
    .where(sql<boolean>`(${p.status} is null or "status" in ${anyOf(p.status ?? [])})`)
    .groupBy('period')
    .orderBy('period'),
);

/** The start of the hour of `at`, and how many requests in these statuses are older. */
export function edgeBefore(db: Db, status: Statuses, at: string): Edge {
  const edge = { ...BEGINNING };
  for (const unit of UNITS) {
    const until = at.slice(0, unit);
    for (const { count } of listPeriods(db, { status, unit, from: edge.at, until })) edge.rank += count;
    edge.at = until;
    if (until === at) break;
  }
  return edge;
}

/**
 * Edges near a slice: the known ones if they are near, else found by month, day and hour, like a word in a
 * dictionary.
 */
export function edgesAround(db: Db, status: Statuses, slice: Slice, known: Edges): Edges {
  if (isNear(slice, known)) return known;
  const edges = { below: BEGINNING, above: { at: END, rank: Infinity } };
  for (const unit of UNITS) {
    let { rank } = edges.below;
    const last = { period: edges.above.at, count: 0 };
    const span = { status, unit, from: edges.below.at, until: edges.above.at };
    for (const { period, count } of [...listPeriods(db, span), last]) {
      if (rank <= slice.first) edges.below = { at: period, rank };
      else if (rank >= slice.end) {
        edges.above = { at: period, rank };
        break;
      }
      rank += count;
    }
    if (isNear(slice, edges)) break;
  }
  return edges;
}

/** True when one of the edges is a short walk from the slice. */
function isNear({ first, end }: Slice, { below, above }: Edges): boolean {
  return Math.min(first - below.rank, above.rank - end) <= NEAR;
}

const counted = all(() =>
  sqlite
    .selectFrom('requestCounts')
    .select((eb) => ['unit', 'status', eb.fn.sum<number>('count').as('count')])
    .groupBy(['unit', 'status']),
);

const present = all(() =>
  sqlite
    .selectFrom('requests')
    .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
    .groupBy('status'),
);

/** Counts everything: for retention and diagnosis only. */
export function areRequestCountsRight(db: Db): boolean {
  const real = new Map<string, number>(present(db).map(({ status, count }) => [status, count]));
  const told = counted(db);
  return (
    told.length === UNITS.length * real.size && told.every(({ status, count }) => real.get(status) === count)
  );
}

const emptyCounts = run(() => sqlite.deleteFrom('requestCounts'));

const countUnit = run((p: { unit: number }) =>
  sqlite
    .insertInto('requestCounts')
    .columns(['unit', 'period', 'status', 'count'])
    .expression((eb) =>
      eb
        .selectFrom('requests')
        .select((column) => [
          sql<number>`${p.unit}`.as('unit'),
          sql<string>`substr("createdAt", 1, ${p.unit})`.as('period'),
          'status',
          column.fn.countAll<number>().as('count'),
        ])
        .groupBy(['period', 'status']),
    ),
);

/** Recounts; run it in a transaction. */
export function recountRequests(db: Db): void {
  emptyCounts(db);
  for (const unit of UNITS) countUnit(db, { unit });
}
