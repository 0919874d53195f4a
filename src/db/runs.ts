/** Runs of scheduled work: when, and with what result; and those that fail, since when. */
import { query, sqlite, type Db } from './db.js';
import type { FailingRunRow, RunName, RunRow } from './schema.js';
import { rows } from './sql.js';

const insertion = query((p: { name: RunName; startedAt: string; finishedAt: string; result: string }) =>
  sqlite.insertInto('runs').values({
    name: p.name,
    startedAt: p.startedAt,
    finishedAt: p.finishedAt,
    result: p.result,
  }),
);

const ending = query((p: { name: RunName }) => sqlite.deleteFrom('failingRuns').where('name', '=', p.name));

/** A run that ended well. If earlier ones had failed, that is over. */
export function insertRun(
  db: Db,
  run: { name: RunName; startedAt: string; finishedAt: string; result: string },
): void {
  db.run(insertion, run);
  db.run(ending, { name: run.name });
}

const newest = query((p: { name: RunName }) =>
  sqlite.selectFrom('runs').selectAll().where('name', '=', p.name).orderBy('id', 'desc').limit(rows(1)),
);

/** The newest that ended well. */
export function findLastRun(db: Db, name: RunName): RunRow | undefined {
  return db.first(newest, { name });
}

const failure = query((p: { name: RunName; at: string; error: string }) =>
  sqlite
    .insertInto('failingRuns')
    .values({ name: p.name, since: p.at, lastAt: p.at, times: 1, error: p.error })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ lastAt: p.at, times: eb('failingRuns.times', '+', 1), error: p.error })),
    )
    .returningAll(),
);

/** One more failure: what is known of this spell of them now. */
export function noteFailedRun(db: Db, failed: { name: RunName; at: string; error: string }): FailingRunRow {
  return db.first(failure, failed) as FailingRunRow;
}

const failing = query(() => sqlite.selectFrom('failingRuns').selectAll().orderBy('since'));

export function listFailingRuns(db: Db): FailingRunRow[] {
  return db.all(failing, {});
}
