/**
 * How many requests were created in each month, day and hour, by status; kept by triggers. Sums of them tell how many rows
 * of a list lie before a time, and near which time its n-th row lies, without walking there.
 */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { RequestStatus } from './schema.js';
import { anyOf } from './sql.js';

/** A time of creation, in full or only its beginning, and how many rows were created before it. */
export interface Edge {
  at: string;
  rank: number;
}

export interface Edges {
  below: Edge;
  above: Edge;
}

/** Rows by their ranks, the end not included. */
export interface Slice {
  first: number;
  end: number;
}

export type Statuses = readonly RequestStatus[] | null;

/** Text before and after every stored time. */
export const BEGINNING: Edge = { at: '', rank: 0 };
export const END = '~';

/** The beginnings of a time that name its month, its day and its hour. */
export const UNITS = [7, 10, 13] as const;

/** So many rows are walked over sooner than counted. */
const NEAR = 300;

const periods = query((p: { unit: number; from: string; until: string; status: string | null }) =>
  sqlite
    .selectFrom('requestCounts')
    .select((eb) => ['period', eb.fn.sum<number>('count').as('count')])
    .where('unit', '=', p.unit)
    .where('period', '>=', p.from)
    .where('period', '<', p.until)
    .where(sql<boolean>`(${p.status} is null or "status" in ${anyOf(p.status as string)})`)
    .groupBy('period')
    .orderBy('period'),
);

function listPeriods(db: Db, status: Statuses, span: { unit: number; from: string; until: string }) {
  return db.all(periods, { ...span, status: status && JSON.stringify(status) });
}

/** When the hour of `at` began, and how many requests in these statuses are older. */
export function edgeBefore(db: Db, status: Statuses, at: string): Edge {
  const edge = { ...BEGINNING };
  for (const unit of UNITS) {
    const until = at.slice(0, unit);
    for (const { count } of listPeriods(db, status, { unit, from: edge.at, until })) edge.rank += count;
    edge.at = until;
    if (until === at) break;
  }
  return edge;
}

/** Edges near to a slice: the known ones if they are, else looked up like a word in a dictionary, by month, day and hour. */
export function edgesAround(db: Db, status: Statuses, slice: Slice, known: Edges): Edges {
  if (isNear(slice, known)) return known;
  const edges = { below: BEGINNING, above: { at: END, rank: Infinity } };
  for (const unit of UNITS) {
    let { rank } = edges.below;
    const last = { period: edges.above.at, count: 0 };
    const span = { unit, from: edges.below.at, until: edges.above.at };
    for (const { period, count } of [...listPeriods(db, status, span), last]) {
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

/** A short walk leads from one of the edges to the slice. */
function isNear({ first, end }: Slice, { below, above }: Edges): boolean {
  return Math.min(first - below.rank, above.rank - end) <= NEAR;
}
