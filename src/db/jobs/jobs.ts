/** The job table. Each change of state is one statement, so that two runners never share a job. */
import { sql, type RawBuilder } from 'kysely';
import { type InLane, type Lease, changeJob, changeJobs, keepLane } from './claims.js';
import { all, changed, first, insertOnce, raw, required, run, sqlite, type Db } from '../db.js';
import type { JobRow, JobState } from '../schema.js';
import { anyOf } from '../sql.js';
import { newestIdOf, newRow, rowsBy, rowsIn, setById } from '../table.js';

const COLUMNS = [
  'kind',
  'payload',
  'uniqueKey',
  'runAt',
  'requestId',
  'contractId',
  'createdAt',
  'lane',
] as const;
const LEASE = ['leaseToken', 'leaseHolder', 'leaseUntil'] as const;
const ONCE = sql`on conflict do nothing`;

export type NewJob = Pick<JobRow, (typeof COLUMNS)[number]>;

const insertRow = insertOnce(newRow('jobs', COLUMNS, { fixed: { state: 'available' }, end: ONCE }));

/** Stores a job and returns its id; undefined when its unique key exists. */
export function insertJob(db: Db, job: NewJob): number | undefined {
  const id = insertRow(db, job);
  keepLane(db, job);
  return id;
}

const CLAIMED = { state: 'running', attempt: 1 } as const;
const UNTRIED = { lastError: null, errors: '[]', replays: 0, finishedAt: null };
const insertClaimed = insertOnce(newRow('jobs', [...COLUMNS, ...LEASE], { fixed: CLAIMED, end: ONCE }));

/** Stores a job that is already claimed, with its first attempt counted; undefined as with `insertJob`. */
export function insertClaimedJob(db: Db, job: NewJob & Lease): JobRow | undefined {
  const id = insertClaimed(db, job);
  if (id === undefined) return undefined;
  keepLane(db, job);
  return { ...job, ...CLAIMED, ...UNTRIED, id };
}

const byId = rowsBy('jobs', 'id');
export const findJob = first(byId);
export const requireJob = required(byId);

const byKey = rowsBy('jobs', 'uniqueKey');
export const findJobByKey = first(byKey);
export const requireJobByKey = required(byKey);

export const listJobsByKeys = all(rowsIn('jobs', 'uniqueKey', 'uniqueKeys'));

/** What ends a lease, unless it was lost and another runner has the job. */
const ended = (p: { id: number; leaseToken: string; finishedAt: string | null }) =>
  sqlite
    .updateTable('jobs')
    .set({ leaseUntil: null, leaseToken: null, leaseHolder: null, finishedAt: p.finishedAt })
    .where('id', '=', p.id)
    .where('state', '=', 'running')
    .where('leaseToken', '=', p.leaseToken);

const complete = changed((p: { id: number; leaseToken: string; finishedAt: string }) =>
  ended(p).set({ state: 'completed' }),
);

/** False when the lease was lost. Without RETURNING, which costs as much as the rest: who has claimed it knows its lane. */
export function completeJob(db: Db, job: Parameters<typeof complete>[1] & InLane): boolean {
  if (!complete(db, job)) return false;
  keepLane(db, job);
  return true;
}

type FailedAttempt = Pick<JobRow, 'id' | 'runAt' | 'finishedAt' | 'errors'> & {
  leaseToken: string;
  state: Extract<JobState, 'available' | 'failed'>;
  lastError: string;
};

/** Releases a job for its next attempt or into the failed list. False when the lease was lost. */
export const releaseJob = changeJob((p: FailedAttempt) =>
  ended(p)
    .set({ state: p.state, runAt: p.runAt, lastError: p.lastError, errors: p.errors })
    .returning('lane'),
);

/** All claimed jobs. */
export const listRunningJobs = all(() =>
  sqlite
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy('kind')
    .orderBy('runAt')
    .orderBy('id'),
);

const dueAt = (p: { id: number; runAt: string }) =>
  sqlite
    .updateTable('jobs')
    .set({ runAt: p.runAt })
    .where('id', '=', p.id)
    .where('state', '=', 'available')
    .returning('lane');

/** Makes a waiting job due at `runAt`; false when it is not waiting. */
export const runJobNow = changeJob(dueAt);

/** The same, unless it is due earlier. */
export const promoteJob = changeJobs((p: { id: number; runAt: string }) =>
  dueAt(p).where('runAt', '>', p.runAt),
);

/** Makes a finished job available again, counting on from `attempt`; false when it is not finished. */
export const rearmJob = changeJob(
  ({ id, runAt, attempt, replays }: Pick<JobRow, 'id' | 'runAt' | 'replays' | 'attempt'>) =>
    sqlite
      .updateTable('jobs')
      .set({ state: 'available', runAt, attempt, replays, finishedAt: null })
      .where('id', '=', id)
      .where('state', 'in', ['failed', 'completed'])
      .returning('lane'),
);

/** Work and its errors, with whatever address stands in them; those of other people's subscriptions hold none and stay. */
export const deleteJobsOf = changeJobs((p: { requestIds: readonly number[]; except: string }) =>
  sqlite
    .deleteFrom('jobs')
    .where('requestId', 'in', anyOf(p.requestIds))
    .where('kind', '!=', p.except)
    .returning('lane'),
);

/** The mails about requests of this owner that have failed, or wait for another attempt. */
export const listRefusedMailsOf = all((p: { ownerId: number }) =>
  sqlite
    .selectFrom('requests')
    .innerJoin('jobs', 'jobs.requestId', 'requests.id')
    .selectAll('jobs')
    .where('requests.ownerId', '=', p.ownerId)
    .where('jobs.kind', '=', 'send-mail')
    .where('jobs.state', 'in', ['failed', 'available'])
    .where('jobs.attempt', '>', 0)
    .orderBy('jobs.id'),
);

/** What nobody needs any more: a job that waits, or has failed. */
const deleteIdle = () => sqlite.deleteFrom('jobs').where('state', 'in', ['available', 'failed']);

/** Removes those whose key begins with this. */
export const deleteIdleJobs = changeJobs((p: { prefix: string; before: string }) =>
  deleteIdle().where('uniqueKey', '>=', p.prefix).where('uniqueKey', '<', p.before).returning('lane'),
);

export const deleteIdleJob = changeJobs((p: { uniqueKey: string }) =>
  deleteIdle().where('uniqueKey', '=', p.uniqueKey).returning('lane'),
);

/** Ends a job that waits, or has failed: its work was done elsewhere. */
export const completeIdleJob = changeJobs((p: { uniqueKey: string; finishedAt: string }) =>
  sqlite
    .updateTable('jobs')
    .set({ state: 'completed', finishedAt: p.finishedAt })
    .where('uniqueKey', '=', p.uniqueKey)
    .where('state', 'in', ['available', 'failed'])
    .returning('lane'),
);

export const setJobPayload = run(setById('jobs', ['payload']));

export interface JobDepth {
  kind: string;
  state: 'available' | 'running' | 'failed';
  count: number;
}

// Spelled out, so that the planner may use the indexes over open and over failed jobs.
const inState = (state: JobDepth['state']) =>
  all(() =>
    sqlite
      .selectFrom('jobs')
      .select(['kind', sql.lit(state).as('state'), (eb) => eb.fn.countAll<number>().as('count')])
      .where('state', '=', state)
      .groupBy('kind'),
  );

const DEPTHS: ((db: Db) => JobDepth[])[] = [inState('available'), inState('running'), inState('failed')];

/** The number of waiting, running and failed jobs of each kind. */
export function countOpenJobs(db: Db): JobDepth[] {
  return DEPTHS.flatMap((depth) => depth(db));
}

export const newestJobId = newestIdOf('jobs');

// Spelled out, so that the planner may use the indexes over open and over failed jobs.
const openUpTo = (state: 'available' | 'running') =>
  all((p: { id: number }) =>
    sqlite.selectFrom('jobs').selectAll().where('state', '=', state).where('id', '<=', p.id),
  );

const OPEN_UP_TO = [openUpTo('available'), openUpTo('running')];

/** Jobs that wait or run, none newer than this one, the oldest first. */
export function listOpenJobsUpTo(db: Db, id: number): JobRow[] {
  return OPEN_UP_TO.flatMap((list) => list(db, { id })).toSorted((a, b) => a.id - b.id);
}

/**
 * The jobs of these requests that still exist, in any state, the oldest first: all of these kinds; of the kind of which its changes
 * can make any number, the newest and the newest failed of each request, so many each. A negative limit is none.
 */
export const listJobsOfRequests = all(
  (p: { requestIds: readonly number[]; kinds: readonly string[]; manyOf: string; limit: number }) => {
    const newest = (some: RawBuilder<unknown>) =>
      sql`select j."id" from json_each(${p.requestIds}) r cross join "jobs" j where j."id" in
        (select "id" from "jobs" where "requestId" = r."value" and ${some} order by "id" desc limit ${p.limit})`;
    return raw(sql<JobRow>`select * from "jobs" where "id" in (
      select "id" from "jobs" where "requestId" in ${anyOf(p.requestIds)} and "kind" in ${anyOf(p.kinds)}
      union all ${newest(sql`"kind" = ${p.manyOf}`)}
      union all ${newest(sql`"state" = 'failed'`)}) order by "id"`);
  },
);
