/**
 * Pages and totals of a table whose rows are counted by time (rules 6), in order of creation. Every page costs the same: it
 * is a slice of the ascending list, reached from the nearer of two known edges.
 */
import type { Selectable } from 'kysely';
import {
  BEGINNING,
  countsOf,
  END,
  type CountedTable,
  type Edge,
  type Edges,
  type Slice,
  type Statuses,
} from './counts.js';
import type { Db } from './db.js';
import { pathsOf, type Path } from './paths.js';
import type { Schema } from './schema.js';
import type { Direction, TimeRange } from './sql.js';

interface Filter {
  status: Statuses;
  createdAt: TimeRange;
}

export interface CountedPage<F> {
  filter: F;
  /** By creation; the id breaks ties, so that pages never repeat a row. */
  direction: Direction;
  limit: number;
  offset: number;
}

interface Place {
  createdAt: string;
  id: number;
}

/**
 * `pathOf`: the index of a filter; undefined: nothing matches. `isCounted`: whether the counts by status tell how many match;
 * what else is asked for must be few enough to be counted in its index.
 */
export function countedList<T extends CountedTable, F extends Filter>(
  table: T,
  pathOf: (filter: F) => Path | undefined,
  isCounted: (filter: F) => boolean,
) {
  type Row = Selectable<Schema[T]>;
  const [paths, counts] = [pathsOf(table), countsOf(table)];

  /** The first and last edge of the list. Ranks count from the start of the list, or of all time. */
  function edgesOf(db: Db, filter: F, path: Path): Edges {
    const from = filter.createdAt.from ?? BEGINNING.at;
    const until = filter.createdAt.until ?? END;
    if (from >= until) return NOTHING;
    if (!isCounted(filter)) {
      const rank = paths.count(db, path, { from, until });
      return { below: { at: from, rank: 0 }, above: { at: until, rank } };
    }
    const edgeAt = (at: string): Edge => {
      if (at === BEGINNING.at) return BEGINNING;
      const edge = counts.edgeBefore(db, filter.status, at);
      const rest = edge.at === at ? 0 : paths.count(db, path, { from: edge.at, until: at });
      return { at, rank: edge.rank + rest };
    };
    return { below: edgeAt(from), above: edgeAt(until) };
  }

  /** The rows of a slice, oldest first, walked to from the nearer edge. */
  function walk(db: Db, path: Path, { first, end }: Slice, { below, above }: Edges): Row[] {
    const span = { from: below.at, until: above.at, limit: end - first };
    const [before, behind] = [first - below.rank, above.rank - end];
    if (before <= behind) return paths.page(db, path, { ...span, direction: 'asc', offset: before });
    return paths.page(db, path, { ...span, direction: 'desc', offset: behind }).toReversed();
  }

  function count(db: Db, filter: F): number {
    const path = pathOf(filter);
    if (!path) return 0;
    const { below, above } = edgesOf(db, filter, path);
    return above.rank - below.rank;
  }

  /** A page, and the total of all pages. */
  function page(
    db: Db,
    { filter, direction, limit, offset }: CountedPage<F>,
  ): { total: number; rows: Row[] } {
    const path = pathOf(filter);
    if (!path) return { total: 0, rows: [] };
    const edges = edgesOf(db, filter, path);
    const total = edges.above.rank - edges.below.rank;
    const size = Math.min(limit, total - offset);
    if (size <= 0) return { total, rows: [] };
    const first = direction === 'asc' ? edges.below.rank + offset : edges.above.rank - offset - size;
    const slice = { first, end: first + size };
    const near = isCounted(filter) ? counts.edgesAround(db, filter.status, slice, edges) : edges;
    const found = walk(db, path, slice, near);
    return { total, rows: direction === 'asc' ? found : found.toReversed() };
  }

  /** The newest, or those created before a row: a walk through all of them misses none and repeats none while others come. */
  function listBefore(
    db: Db,
    filter: F,
    { before, limit }: { before: Place | undefined; limit: number },
  ): Row[] {
    const path = pathOf(filter);
    if (!path) return [];
    const { from, until } = filter.createdAt;
    return paths.page(db, path, {
      from: from ?? BEGINNING.at,
      until: before?.createdAt ?? until ?? END,
      untilId: before?.id ?? 0,
      direction: 'desc',
      limit,
      offset: 0,
    });
  }

  return { count, page, listBefore };
}

const NOTHING: Edges = { below: BEGINNING, above: BEGINNING };
