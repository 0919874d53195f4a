/**
 * Taking jobs under a lease, each by one statement, so that two runners can never share a job. Of jobs in lanes one at a
 * time is taken of each, whatever waits in the others; triggers of `jobs` keep the table `lanes`.
 */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { JobKind, JobRow } from './schema.js';
import { rows } from './sql.js';

export interface Lease {
  leaseToken: string;
  leasePid: number;
  leaseUntil: string;
}

function taken({ leaseToken, leasePid, leaseUntil }: Lease) {
  // Counted when it is taken, so that a job which kills its process is counted too.
  return { state: 'running', attempt: sql<number>`attempt + 1`, leaseToken, leasePid, leaseUntil } as const;
}

const claiming = query((p: Lease & { kind: JobKind; now: string; limit: number }) =>
  sqlite
    .updateTable('jobs')
    .set(taken(p))
    .where('id', 'in', (due) =>
      due
        .selectFrom('jobs')
        .select('id')
        .where('state', '=', sql.lit('available'))
        .where('kind', '=', p.kind)
        .where('runAt', '<=', p.now)
        .orderBy('runAt')
        .orderBy('id')
        .limit(rows(p.limit)),
    )
    .returningAll(),
);

/** Takes up to `limit` due jobs of a kind, longest due first. */
export function claimJobs(db: Db, claim: Lease & { kind: JobKind; now: string; limit: number }): JobRow[] {
  return db
    .all(claiming, claim)
    .sort((a, b) => (a.runAt < b.runAt ? -1 : a.runAt > b.runAt ? 1 : a.id - b.id));
}

const claimingOne = query((p: Lease & { id: number }) =>
  sqlite
    .updateTable('jobs')
    .set(taken(p))
    .where('id', '=', p.id)
    .where('state', '=', 'available')
    .returningAll(),
);

/** Takes one job whether it is due or not; undefined: it is not available. */
export function claimJob(db: Db, claim: Lease & { id: number }): JobRow | undefined {
  return db.first(claimingOne, claim);
}

const renewal = query((p: { leaseToken: string; leaseUntil: string }) =>
  sqlite
    .updateTable('jobs')
    .set({ leaseUntil: p.leaseUntil })
    .where('state', '=', sql.lit('running'))
    .where('leaseToken', '=', p.leaseToken),
);

/** Prolongs every lease of one runner. */
export function renewLeases(db: Db, leaseToken: string, leaseUntil: string): number {
  return db.run(renewal, { leaseToken, leaseUntil });
}

const claimingInLanes = query((p: Lease & { isSlow: number; now: string; limit: number }) =>
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
            .where('first.state', '=', sql.lit('available'))
            .orderBy('first.runAt')
            .orderBy('first.id')
            .limit(rows(1))
            .as('id'),
        )
        .where('running', '=', sql.lit(0))
        .where('isSlow', '=', p.isSlow)
        .where('dueAt', '<=', p.now)
        .orderBy('dueAt')
        .limit(rows(p.limit)),
    )
    .returningAll(),
);

/**
 * Takes the first due job of up to `limit` lanes in which nothing runs, of those that answered slowly or of the others.
 * What waits in the other lanes is not looked at.
 */
export function claimInLanes(
  db: Db,
  claim: Lease & { isSlow: number; now: string; limit: number },
): JobRow[] {
  return db.all(claimingInLanes, claim).sort((a, b) => a.id - b.id);
}

const laneSpeed = query((p: { name: string; isSlow: number }) =>
  sqlite
    .updateTable('lanes')
    .set({ isSlow: p.isSlow })
    .where('name', '=', p.name)
    .where('isSlow', '!=', p.isSlow),
);

/** Remembers whether the last job of a lane took long. */
export function setLaneSpeed(db: Db, speed: { name: string; isSlow: number }): void {
  db.run(laneSpeed, speed);
}
