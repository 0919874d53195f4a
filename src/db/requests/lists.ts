/**
 * Pages and totals of requests by the list's filters (rules 6), in order of creation. Every page costs the same: it
 * is a slice of the ascending list, reached from the nearer of two known edges.
 */
import type { Db } from '../db.js';
import type { RequestRow, RequestStatus } from '../schema.js';
import type { Direction, TimeRange } from '../sql.js';
import { BEGINNING, edgeBefore, edgesAround, END, type Edge, type Edges, type Slice } from './counts.js';
import { countOf, pageOf, pathOf } from './paths.js';

/** Null means "any"; an empty list means "none". */
export interface RequestFilter {
  owner: readonly number[] | null;
  status: readonly RequestStatus[] | null;
  equipment: readonly number[] | null;
  createdAt: TimeRange;
}

export interface RequestPage {
  filter: RequestFilter;
  /** By creation; the id breaks ties, so that pages never repeat a row. */
  direction: Direction;
  limit: number;
  offset: number;
}

export function countRequests(db: Db, filter: RequestFilter): number {
  const { below, above } = edgesOf(db, filter);
  return above.rank - below.rank;
}

/** A page, and the total of all pages. */
export function listRequests(db: Db, page: RequestPage): { total: number; rows: RequestRow[] } {
  const { filter, direction, limit, offset } = page;
  const edges = edgesOf(db, filter);
  const total = edges.above.rank - edges.below.rank;
  const size = Math.min(limit, total - offset);
  if (size <= 0) return { total, rows: [] };
  const first = direction === 'asc' ? edges.below.rank + offset : edges.above.rank - offset - size;
  const slice = { first, end: first + size };
  const near = isCounted(filter) ? edgesAround(db, filter.status, slice, edges) : edges;
  const found = walk(db, filter, slice, near);
  return { total, rows: direction === 'asc' ? found : found.toReversed() };
}

/** The newest, or those created before a row: a walk through all of them misses none and repeats none while others come. */
export function listRequestsBefore(
  db: Db,
  filter: RequestFilter,
  { before, limit }: { before: Pick<RequestRow, 'createdAt' | 'id'> | undefined; limit: number },
): RequestRow[] {
  if (isNothing(filter)) return [];
  const { shape, values } = pathOf(filter);
  const { from, until } = filter.createdAt;
  return pageOf(shape, 'desc')(db, {
    ...values,
    from: from ?? BEGINNING.at,
    until: before?.createdAt ?? until ?? END,
    untilId: before?.id ?? 0,
    limit,
    offset: 0,
  });
}

/** Requests of one owner or equipment are few enough to be counted in their index. */
function isCounted({ owner, equipment }: RequestFilter): boolean {
  return owner === null && equipment === null;
}

/** The first and last edge of the list. Ranks count from the start of the list, or of all time. */
function edgesOf(db: Db, filter: RequestFilter): Edges {
  const from = filter.createdAt.from ?? BEGINNING.at;
  const until = filter.createdAt.until ?? END;
  if (from >= until || isNothing(filter)) return NOTHING;
  if (isCounted(filter)) return { below: edgeAt(db, filter, from), above: edgeAt(db, filter, until) };
  return { below: { at: from, rank: 0 }, above: { at: until, rank: countBetween(db, filter, from, until) } };
}

function isNothing({ owner, status, equipment }: RequestFilter): boolean {
  return [owner, status, equipment].some((list) => list?.length === 0);
}

const NOTHING: Edges = { below: BEGINNING, above: BEGINNING };

function edgeAt(db: Db, filter: RequestFilter, at: string): Edge {
  if (at === BEGINNING.at) return BEGINNING;
  const edge = edgeBefore(db, filter.status, at);
  const rest = edge.at === at ? 0 : countBetween(db, filter, edge.at, at);
  return { at, rank: edge.rank + rest };
}

function countBetween(db: Db, filter: RequestFilter, from: string, until: string): number {
  const { shape, values } = pathOf(filter);
  return countOf(shape)(db, { ...values, from, until, untilId: 0 }).count;
}

/** The rows of a slice, oldest first, walked to from the nearer edge. */
function walk(db: Db, filter: RequestFilter, { first, end }: Slice, { below, above }: Edges): RequestRow[] {
  const { shape, values } = pathOf(filter);
  const span = { ...values, from: below.at, until: above.at, untilId: 0, limit: end - first };
  const [before, behind] = [first - below.rank, above.rank - end];
  if (before <= behind) return pageOf(shape, 'asc')(db, { ...span, offset: before });
  return pageOf(shape, 'desc')(db, { ...span, offset: behind }).toReversed();
}
