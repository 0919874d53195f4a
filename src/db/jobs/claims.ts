/**
 * Claims jobs under a lease, each by one statement, so that two runners never share a job. Of each lane one job at a
 * time is claimed.
 */
import { sql } from 'kysely';
import { all, first, run, sqlite, type Db, raw, type Make } from '../db.js';
import type { JobRow } from '../schema.js';

export interface Lease {
  leaseToken: string;
  /** The name of the process. */
  leaseHolder: string;
  leaseUntil: string;
}

function taken({ leaseToken, leaseHolder, leaseUntil }: Lease) {
  // Counted when claimed, so that a job that kills its process is counted too.
  return {
    state: 'running',
    attempt: sql<number>`attempt + 1`,
    leaseToken,
    leaseHolder,
    leaseUntil,
  } as const;
}

const claim = all((p: Lease & { kind: string; now: string; limit: number }) =>
  sqlite
    .updateTable('jobs')
    .set(taken(p))
    .where('id', 'in', (due) =>
      due
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', 'available')
        .where('kind', '=', p.kind)
        .where('runAt', '<=', p.now)
        .orderBy('runAt')
        .orderBy('id')
        .limit(p.limit),
    )
    .returningAll(),
);

/** Claims up to `limit` due jobs of a kind, longest due first. */
export function claimJobs(db: Db, wanted: Lease & { kind: string; now: string; limit: number }): JobRow[] {
  return claim(db, wanted).sort((a, b) => (a.runAt < b.runAt ? -1 : a.runAt > b.runAt ? 1 : a.id - b.id));
}

const claimOne = first((p: Lease & { id: number }) =>
  sqlite
    .updateTable('jobs')
    .set(taken(p))
    .where('id', '=', p.id)
    .where('state', '=', 'available')
    .returningAll(),
);

/** Claims one job, due or not; undefined when it is not available. */
export function claimJob(db: Db, wanted: Lease & { id: number }): JobRow | undefined {
  const job = claimOne(db, wanted);
  if (job) keepLane(db, job);
  return job;
}

export const renewLeases = run((p: { leaseToken: string; leaseUntil: string }) =>
  sqlite
    .updateTable('jobs')
    .set({ leaseUntil: p.leaseUntil })
    .where('state', '=', 'running')
    .where('leaseToken', '=', p.leaseToken),
);

/** Ends leases at this time that would end later; returns how many. Whoever lives renews its own. */
export const shortenLeases = run((p: { leaseUntil: string }) =>
  sqlite
    .updateTable('jobs')
    .set({ leaseUntil: p.leaseUntil })
    .where('state', '=', 'running')
    .where('leaseUntil', '>', p.leaseUntil),
);

const claimFirsts = all((p: Lease & { isSlow: number; now: string; limit: number }) =>
  sqlite
    .updateTable('jobs')
    .set(taken(p))
    .where('id', 'in', (due) =>
      due
        .selectFrom('lanes')
        .select((lane) =>
          lane
            .selectFrom('jobs as first')
            .select('first.id')
            .whereRef('first.lane', '=', 'lanes.name')
            .where('first.state', '=', 'available')
            .orderBy('first.runAt')
            .orderBy('first.id')
            .limit(1)
            .as('id'),
        )
        .where('running', '=', 0)
        .where('isSlow', '=', p.isSlow)
        .where('dueAt', '<=', p.now)
        .orderBy('dueAt')
        .limit(p.limit),
    )
    .returningAll(),
);

/**
 * Claims the first due job of up to `limit` idle lanes, either slow or quick ones. Jobs in other lanes are not looked
 * at.
 */
export function claimInLanes(
  db: Db,
  wanted: Lease & { isSlow: number; now: string; limit: number },
): JobRow[] {
  const jobs = claimFirsts(db, wanted).sort((a, b) => a.id - b.id);
  keepLanes(db, jobs);
  return jobs;
}

/** Records whether the lane's last job was slow. */
export const setLaneSpeed = run((p: { name: string; isSlow: number }) =>
  sqlite
    .updateTable('lanes')
    .set({ isSlow: p.isSlow })
    .where('name', '=', p.name)
    .where('isSlow', '!=', p.isSlow),
);

// Beside the name of each lane stands when its first waiting job is due and how many of its jobs run, so that a claim reads no jobs of
// lanes that are busy. Whatever adds, changes or removes jobs that may be in a lane brings that up to date, in the same unit.

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
  for (const lane of new Set(jobs.map(({ lane }) => lane))) keepLane(db, { lane });
}

export function keepLane(db: Db, { lane: name }: InLane): void {
  if (name !== null) store(db, { name });
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
