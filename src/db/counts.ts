/**
 * How many rows of a table were created per month, day and hour, by status; kept by triggers. Their sums tell how many rows
 * of a list are before a time, and near which time its n-th row is, without walking there.
 */
import { sql } from 'kysely';
import { all, raw, required, run, type Db } from './db.js';
import { anyOf } from './sql.js';

/** Tables that are counted: where, and what their index by status begins with. */
export const COUNTED = {
  requests: { counts: 'requestCounts', status: '"status"' },
  // So written that only a list finds the index: the daily expiry has better ones.
  contracts: { counts: 'contractCounts', status: `"status" || ''` },
} as const;

export type CountedTable = keyof typeof COUNTED;

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

export type Statuses = readonly string[] | null;

/** From one time to another, which is excluded. */
export interface Stretch {
  from: string;
  until: string;
}

/** Sorts before and after every stored time. */
export const BEGINNING: Edge = { at: '', rank: 0 };
export const END = '~';

/** The prefix lengths for month, day and hour. */
const UNITS = [7, 10, 13] as const;
const units = sql.raw(`(values ${UNITS.map((unit) => `(${unit})`).join(', ')})`);

/** Walking so many rows is faster than counting them. */
const NEAR = 300;

export type Counts = ReturnType<typeof countsOf>;

export function countsOf(table: CountedTable) {
  const rows = sql.table(table);
  const counts = sql.table(COUNTED[table].counts);
  const status = sql.raw(COUNTED[table].status);

  const listPeriods = all((p: Stretch & { unit: number; status: Statuses }) =>
    raw(sql<{ period: string; count: number }>`select "period", sum("count") as "count" from ${counts}
      where "unit" = ${p.unit} and "period" >= ${p.from} and "period" < ${p.until}
        and (${p.status} is null or "status" in ${anyOf(p.status ?? [])})
      group by "period" order by "period"`),
  );

  const newest = required((p: { until: string }) =>
    raw(
      sql<{ at: string | null }>`select max("createdAt") as "at" from ${rows} where "createdAt" < ${p.until}`,
    ),
  );

  const created = (p: Stretch) => sql`"createdAt" >= ${p.from} and "createdAt" < ${p.until}`;
  const counted = (p: Stretch) => sql`"period" >= ${p.from} and "period" < ${p.until}`;

  // One statement, so that nothing changes between the two sides. The plus is for the index by an expression.
  const compared = required((p: Stretch) =>
    raw(sql<{ rows: number; isWrong: number }>`select "rows", exists (
        select 1 from ${units} where "rows" <>
          (select coalesce(sum("count"), 0) from ${counts} where "unit" = column1 and ${counted(p)})
      ) or exists (
        select 1 from (select "status" as "of", sum("count") as "count" from ${units}, ${counts}
          where "unit" = column1 and ${counted(p)} group by "unit", "status")
        where "count" <> (select count(*) from ${rows} where ${status} = +"of" and ${created(p)})
      ) as "isWrong"
      from (select count(*) as "rows" from ${rows} where ${created(p)})`),
  );

  const forget = run((p: Stretch) =>
    raw(sql`delete from ${counts} where "unit" in (select column1 from ${units}) and ${counted(p)}`),
  );

  const count = run((p: Stretch) =>
    raw(sql`insert into ${counts} ("unit", "period", "status", "count")
      select column1, substr("createdAt", 1, column1) as "period", "status", count(*) from ${rows}, ${units}
      where ${created(p)} group by column1, "period", "status"`),
  );

  /** True when one of the edges is a short walk from the slice. */
  const isNear = ({ first, end }: Slice, { below, above }: Edges) =>
    Math.min(first - below.rank, above.rank - end) <= NEAR;

  return {
    /** The start of the hour of `at`, and how many rows in these statuses are older. */
    edgeBefore(db: Db, status: Statuses, at: string): Edge {
      const edge = { ...BEGINNING };
      for (const unit of UNITS) {
        const until = at.slice(0, unit);
        for (const { count } of listPeriods(db, { status, unit, from: edge.at, until })) edge.rank += count;
        edge.at = until;
        if (until === at) break;
      }
      return edge;
    },

    /**
     * Edges near a slice: the known ones if they are near, else found by month, day and hour, like a word in a
     * dictionary.
     */
    edgesAround(db: Db, status: Statuses, slice: Slice, known: Edges): Edges {
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
    },

    /** All time in stretches, the newest first: each begins with a month in which rows were created, the last one at the beginning. */
    *stretches(db: Db): Generator<Stretch> {
      for (let until = END; until !== '';) {
        const from = newest(db, { until }).at?.slice(0, UNITS[0]) ?? '';
        yield { from, until };
        until = from;
      }
    },

    /** How many rows were created in a stretch, and whether the sums of their counts, by unit and status, say something else. */
    compare(db: Db, stretch: Stretch): { rows: number; isWrong: boolean } {
      const { rows, isWrong } = compared(db, stretch);
      return { rows, isWrong: isWrong === 1 };
    },

    /** Counts a stretch again; run it in a transaction. */
    recount(db: Db, stretch: Stretch): void {
      forget(db, stretch);
      count(db, stretch);
    },
  };
}
