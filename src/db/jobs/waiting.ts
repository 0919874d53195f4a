/** Jobs that wait or run, by when they are due. */
import { sql } from 'kysely';
import { all, exists, required, sqlite, type Call, type Db } from '../db.js';
import type { JobRow } from '../schema.js';
import type { Direction, Place } from '../sql.js';
import { firstBy } from '../table.js';

function firstOf(kind: string) {
  return sqlite
    .selectFrom('jobs')
    .select('runAt')
    .where('state', '=', 'available')
    .where('kind', '=', kind)
    .orderBy('runAt')
    .orderBy('id')
    .limit(1)
    .as(kind);
}

function firstFreeLane(isSlow: 0 | 1) {
  return sqlite
    .selectFrom('lanes')
    .select('dueAt')
    .where('running', '=', 0)
    .where('isSlow', '=', isSlow)
    .where('dueAt', 'is not', null)
    .orderBy('dueAt')
    .limit(1);
}

/** When the first waiting job of each kind is due, and the first in an idle lane; null when none waits. And since when all are held. */
export type FirstDueTimes = Record<string, string | null> &
  Record<'quickLane' | 'slowLane' | 'heldSince', string | null>;

/** By list of kinds, of which a program has one. */
const firstTimes = new WeakMap<readonly string[], Call<object, FirstDueTimes>>();

function firstTimesOf(kinds: readonly string[]): Call<object, FirstDueTimes> {
  return required(() =>
    sqlite.selectNoFrom([
      ...kinds.map(firstOf),
      firstFreeLane(0).as('quickLane'),
      firstFreeLane(1).as('slowLane'),
      sqlite.selectFrom('hold').select('since').as('heldSince'),
    ]),
  );
}

/** One statement, because the runner asks after each commit and every statement takes file locks. */
export function firstDueTimes(db: Db, kinds: readonly string[]): FirstDueTimes {
  const times = firstTimes.get(kinds) ?? firstTimesOf(kinds);
  firstTimes.set(kinds, times);
  return times(db);
}

export interface OpenPage {
  kinds: readonly string[];
  states: readonly ('available' | 'running')[];
  /** By when they are due. */
  direction: Direction;
  past?: Place | undefined;
  limit: number;
  offset?: number;
}

/** One range of the index per state and kind, which SQLite merges, so that a long queue costs no more than a short one. */
export function listOpenJobs(
  db: Db,
  { kinds, states, direction, past, limit, offset = 0 }: OpenPage,
): JobRow[] {
  const behind = sql.raw(direction === 'asc' ? '>' : '<');
  const ranges = states.flatMap((state) =>
    kinds.map((kind) => {
      const jobs = sqlite
        .selectFrom('jobs')
        .selectAll()
        .where('state', '=', sql.lit(state))
        .where('kind', '=', kind);
      return past ? jobs.where(sql<boolean>`("runAt", id) ${behind} (${past.key ?? ''}, ${past.id})`) : jobs;
    }),
  );
  return db.list(
    ranges
      .reduce((before, each) => before.unionAll(each))
      .orderBy('runAt', direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset),
  );
}

export const isAnyDue = exists((p: { kind: string; now: string }) =>
  sqlite
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'available')
    .where('kind', '=', p.kind)
    .where('runAt', '<=', p.now),
);

/** Waiting jobs of a kind, the next due first. */
const waiting = (p: { kind: string }) =>
  sqlite
    .selectFrom('jobs')
    .where('state', '=', 'available')
    .where('kind', '=', p.kind)
    .orderBy('runAt')
    .orderBy('id');

export const listWaitingIds = all((p: { kind: string }) => waiting(p).select('id'));

/** Those that are due later than that one. */
export const listJobsDueAfter = all((p: { kind: string; runAt: string; id: number; limit: number }) =>
  waiting(p)
    .selectAll()
    .where(sql<boolean>`("runAt", id) > (${p.runAt}, ${p.id})`)
    .limit(p.limit),
);

/** Mails whose recipient the mail server refuses, though they wait for another attempt. In the words of the partial index. */
export const listRefusedMails = all(
  firstBy('jobs', [], {
    only: sql`"state" = 'available' and "attempt" > 0 and errors ->> '$[#-1].reason' = 'recipient_refused'`,
    order: sql`"id"`,
  }),
);
