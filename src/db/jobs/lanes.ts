/**
 * Beside the name of each lane stands when its first waiting job is due and how many of its jobs run, so that a claim reads no jobs of
 * lanes that are busy. Whatever adds, changes or removes jobs that may be in a lane brings that up to date, in the same unit.
 */
import { sql } from 'kysely';
import { all, raw, run, type Db, type Make } from '../db.js';

const store = run((p: { name: string }) =>
  raw(sql`insert into "lanes" ("name", "dueAt", "running")
    values (
      ${p.name},
      (select min("runAt") from "jobs" where "lane" = ${p.name} and "state" = 'available'),
      (select count(*) from "jobs" where "state" = 'running' and "lane" = ${p.name})
    )
    on conflict ("name") do update set "dueAt" = excluded."dueAt", "running" = excluded."running"`),
);

export interface InLane {
  lane: string | null;
}

/** After these jobs have changed. */
export function keepLanes(db: Db, jobs: readonly InLane[]): void {
  for (const name of new Set(jobs.map(({ lane }) => lane))) if (name !== null) store(db, { name });
}

/** A statement that returns the lanes of the jobs that it changes; answers how many these are. */
export function changeJobs<P extends object>(make: Make<P, InLane>): (db: Db, values: P) => number {
  const changing = all(make) as (db: Db, values: P) => InLane[];
  return (db, values) => {
    const jobs = changing(db, values);
    keepLanes(db, jobs);
    return jobs.length;
  };
}

/** The same of one; false when it did not change. */
export function changeJob<P extends object>(make: Make<P, InLane>): (db: Db, values: P) => boolean {
  const changing = changeJobs(make);
  return (db, values) => changing(db, values) === 1;
}
