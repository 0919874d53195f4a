/** Runs of scheduled work with their results, and failing ones with the time since when. */
import { all, first, required, run, sqlite, type Db } from '../db.js';
import type { FailingName, RunName } from '../schema.js';
import { deleteBy, newestBy, newRow, putRow, rowsBy } from '../table.js';

const insertRow = run(newRow('runs', ['name', 'startedAt', 'finishedAt', 'result']));
const forgetRuns = run(deleteBy('runs', 'name'));

interface Ended {
  name: RunName;
  startedAt: string;
  finishedAt: string;
  result: string;
}

/** It works again. */
export const endFailing = run(deleteBy('failingRuns', 'name'));

/** Records a successful run, which ends any failure. */
export function insertRun(db: Db, ended: Ended): void {
  insertRow(db, ended);
  endFailing(db, { name: ended.name });
}

/** The same of work that runs so often that only its newest run is kept. */
export function replaceRun(db: Db, ended: Ended): void {
  forgetRuns(db, { name: ended.name });
  insertRun(db, ended);
}

export const findLastRun = first(newestBy('runs', 'name'));

/** Records a failure; returns what is known since the first one. */
export const noteFailedRun = required(
  (p: { name: FailingName; at: string; error: string; code: string | null }) =>
    sqlite
      .insertInto('failingRuns')
      .values({ name: p.name, since: p.at, lastAt: p.at, times: 1, error: p.error, code: p.code })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((eb) => ({
          lastAt: p.at,
          times: eb('failingRuns.times', '+', 1),
          error: p.error,
          code: p.code,
        })),
      )
      .returningAll(),
);

export const findFailingRun = first(rowsBy('failingRuns', 'name'));

export const listFailingRuns = all(() => sqlite.selectFrom('failingRuns').selectAll().orderBy('since'));

const findRoundPlace = first(rowsBy('roundPlaces', 'name'));
const forgetPlace = run(deleteBy('roundPlaces', 'name'));
const putPlace = run(putRow('roundPlaces', ['name'], ['place']));

/** Where the last round of this name broke off; undefined when it was whole. */
export function findPlace(db: Db, name: string): string | undefined {
  return findRoundPlace(db, { name })?.place;
}

/** Undefined: it was whole. */
export function setPlace(db: Db, name: string, place: string | undefined): void {
  if (place === undefined) forgetPlace(db, { name });
  else putPlace(db, { name, place });
}
