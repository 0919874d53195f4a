/** Jobs that wait, by when they are due. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { JobKind, JobRow } from './schema.js';
import { rows } from './sql.js';

function firstOf(kind: JobKind) {
  return sqlite
    .selectFrom('jobs')
    .select('runAt')
    .where('state', '=', sql.lit('available'))
    .where('kind', '=', sql.lit(kind))
    .orderBy('runAt')
    .orderBy('id')
    .limit(rows(1))
    .as(kind);
}

function firstFreeLane(isSlow: 0 | 1) {
  return sqlite
    .selectFrom('lanes')
    .select('dueAt')
    .where('running', '=', sql.lit(0))
    .where('isSlow', '=', sql.lit(isSlow))
    .where('dueAt', 'is not', sql.lit(null))
    .orderBy('dueAt')
    .limit(rows(1));
}

const firstTimes = query(() =>
  sqlite.selectNoFrom([
    firstOf('create-payment-session'),
    firstOf('complete-signature'),
    firstOf('send-mail'),
    firstOf('deliver-webhook'),
    firstFreeLane(0).as('quickLane'),
    firstFreeLane(1).as('slowLane'),
  ]),
);

/** For each kind, when the first of its waiting jobs is due, and the first in a lane where nothing runs; null: none waits. */
export type FirstDueTimes = Record<JobKind | 'quickLane' | 'slowLane', string | null>;

/** One statement, since the runner asks after each commit and every statement takes the file's locks anew. */
export function firstDueTimes(db: Db): FirstDueTimes {
  return db.first(firstTimes, {}) as FirstDueTimes;
}

const availableOfKind = query((p: { kind: JobKind; limit: number }) =>
  sqlite
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', sql.lit('available'))
    .where('kind', '=', p.kind)
    .orderBy('runAt')
    .orderBy('id')
    .limit(rows(p.limit)),
);

/** Waiting jobs of a kind, the next due first. */
export function listAvailableJobs(db: Db, page: { kind: JobKind; limit: number }): JobRow[] {
  return db.all(availableOfKind, page);
}

const dueAfter = query((p: { kind: JobKind; runAt: string; id: number; limit: number }) =>
  sqlite
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', sql.lit('available'))
    .where('kind', '=', p.kind)
    .where(sql<boolean>`("runAt", id) > (${p.runAt}, ${p.id})`)
    .orderBy('runAt')
    .orderBy('id')
    .limit(rows(p.limit)),
);

/** Waiting jobs of a kind that are due later than that one, the next due first. */
export function listJobsDueAfter(
  db: Db,
  page: { kind: JobKind; runAt: string; id: number; limit: number },
): JobRow[] {
  return db.all(dueAfter, page);
}
