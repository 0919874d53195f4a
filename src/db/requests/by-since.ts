/** Requests in the order of the time since when they have their status: one range per status, which SQLite merges. */
import { sql } from 'kysely';
import { all, sqlite, type Db } from '../db.js';
import type { RequestRow, RequestStatus } from '../schema.js';
import type { Direction } from '../sql.js';

/** A place between two rows. */
export type SincePlace = Pick<RequestRow, 'statusSince' | 'id'>;

interface Bound extends SincePlace {
  limit: number;
  [status: `status${number}`]: RequestStatus;
}

const page = (ranges: number, direction: Direction) =>
  all((p: Bound) => {
    const range = (i: number) => {
      const place = sql`("statusSince", "id")`;
      const from = sql`(${p.statusSince}, ${p.id})`;
      return sqlite
        .selectFrom('requests')
        .select(['id', 'statusSince'])
        .where('status', '=', p[`status${i}`] as RequestStatus)
        .where(direction === 'asc' ? sql<boolean>`${place} > ${from}` : sql<boolean>`${place} < ${from}`);
    };
    const others = Array.from({ length: ranges - 1 }, (_, i) => range(i + 1));
    const found = others
      .reduce((before, each) => before.unionAll(each), range(0))
      .orderBy('statusSince', direction)
      .orderBy('id', direction)
      .limit(p.limit);
    // A cross join keeps its order, so the planner cannot start with the table.
    return sqlite
      .selectFrom(found.as('page'))
      .crossJoin('requests')
      .whereRef('requests.id', '=', 'page.id')
      .selectAll('requests');
  });

const pages = new Map<string, ReturnType<typeof page>>();

/** Sort before and after every row. */
const ENDS: Record<Direction, SincePlace> = {
  asc: { statusSince: '', id: 0 },
  desc: { statusSince: '~', id: 0 },
};

/** Those beyond a place, in this direction; without one from the beginning. */
export function listRequestsBySince(
  db: Db,
  {
    statuses,
    direction,
    beyond = ENDS[direction],
    limit,
  }: {
    statuses: readonly RequestStatus[];
    direction: Direction;
    beyond?: SincePlace | undefined;
    limit: number;
  },
): RequestRow[] {
  const key = `${statuses.length} ${direction}`;
  const known = pages.get(key) ?? page(statuses.length, direction);
  pages.set(key, known);
  const { statusSince, id } = beyond;
  const values = Object.fromEntries(statuses.map((status, i) => [`status${i}`, status]));
  return known(db, { ...values, statusSince, id, limit });
}
