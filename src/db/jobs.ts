/** The job table: each change of a job's state is one statement, so that two runners can never share a job. */
import { sql } from 'kysely';
import type { Lease } from './claims.js';
import { query, sqlite, type Db } from './db.js';
import type { JobKind, JobRow, JobState } from './schema.js';

export interface NewJob {
  kind: JobKind;
  payload: string;
  uniqueKey: string | null;
  runAt: string;
  requestId: number | null;
  contractId: number | null;
  createdAt: string;
  lane: string | null;
}

const insertion = query((p: NewJob) =>
  sqlite
    .insertInto('jobs')
    .values({
      kind: p.kind,
      payload: p.payload,
      uniqueKey: p.uniqueKey,
      state: 'available',
      runAt: p.runAt,
      requestId: p.requestId,
      contractId: p.contractId,
      createdAt: p.createdAt,
      lane: p.lane,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Stores a job and returns its id; undefined: one with the same unique key is already there. */
export function insertJob(db: Db, job: NewJob): number | undefined {
  return db.insert(insertion, job);
}

const claimedInsertion = query((p: NewJob & Lease) =>
  sqlite
    .insertInto('jobs')
    .values({
      kind: p.kind,
      payload: p.payload,
      uniqueKey: p.uniqueKey,
      state: 'running',
      attempt: 1,
      runAt: p.runAt,
      leaseToken: p.leaseToken,
      leasePid: p.leasePid,
      leaseUntil: p.leaseUntil,
      requestId: p.requestId,
      contractId: p.contractId,
      createdAt: p.createdAt,
      lane: p.lane,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Stores a job that is taken already, its first try counted; undefined as with `insertJob`. */
export function insertClaimedJob(db: Db, job: NewJob & Lease): JobRow | undefined {
  const id = db.insert(claimedInsertion, job);
  if (id === undefined) return undefined;
  const untried = { lastError: null, errors: '[]', replays: 0, finishedAt: null };
  return { id, ...job, ...untried, state: 'running', attempt: 1 };
}

const byId = query((p: { id: number }) => sqlite.selectFrom('jobs').selectAll().where('id', '=', p.id));

export function findJob(db: Db, id: number): JobRow | undefined {
  return db.first(byId, { id });
}

const byKey = query((p: { uniqueKey: string }) =>
  sqlite.selectFrom('jobs').selectAll().where('uniqueKey', '=', p.uniqueKey),
);

export function findJobByKey(db: Db, uniqueKey: string): JobRow | undefined {
  return db.first(byKey, { uniqueKey });
}

const completion = query((p: { id: number; leaseToken: string; finishedAt: string }) =>
  sqlite
    .updateTable('jobs')
    .set({ state: 'completed', leaseUntil: null, leaseToken: null, leasePid: null, finishedAt: p.finishedAt })
    .where('id', '=', p.id)
    .where('state', '=', 'running')
    .where('leaseToken', '=', p.leaseToken),
);

/** False: the lease was lost, another runner has the job now. */
export function completeJob(db: Db, done: { id: number; leaseToken: string; finishedAt: string }): boolean {
  return db.run(completion, done) === 1;
}

export interface FailedTry {
  id: number;
  leaseToken: string;
  state: Extract<JobState, 'available' | 'failed'>;
  runAt: string;
  finishedAt: string | null;
  lastError: string;
  errors: string;
}

const giveBack = query((p: FailedTry) =>
  sqlite
    .updateTable('jobs')
    .set({
      state: p.state,
      runAt: p.runAt,
      finishedAt: p.finishedAt,
      lastError: p.lastError,
      errors: p.errors,
      leaseUntil: null,
      leaseToken: null,
      leasePid: null,
    })
    .where('id', '=', p.id)
    .where('state', '=', 'running')
    .where('leaseToken', '=', p.leaseToken),
);

/** Puts a job back for its next try, or into the failed list. False: the lease was lost. */
export function returnJob(db: Db, failedTry: FailedTry): boolean {
  return db.run(giveBack, failedTry) === 1;
}

const running = query(() =>
  sqlite
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', sql.lit('running'))
    .orderBy('kind')
    .orderBy('runAt')
    .orderBy('id'),
);

/** Every job that somebody has taken. */
export function listRunningJobs(db: Db): JobRow[] {
  return db.all(running, {});
}

const pulling = query((p: { id: number; runAt: string }) =>
  sqlite.updateTable('jobs').set({ runAt: p.runAt }).where('id', '=', p.id).where('state', '=', 'available'),
);

/** Makes a waiting job due at `runAt`; false: it does not wait. */
export function pullJob(db: Db, id: number, runAt: string): boolean {
  return db.run(pulling, { id, runAt }) === 1;
}

const rearming = query((p: { id: number; runAt: string; replays: number; attempt: number }) =>
  sqlite
    .updateTable('jobs')
    .set({
      state: 'available',
      runAt: p.runAt,
      attempt: p.attempt,
      replays: p.replays,
      finishedAt: null,
    })
    .where('id', '=', p.id)
    .where('state', 'in', ['failed', 'completed'])
    .returningAll(),
);

/** Puts a finished job back, counting its tries on from `attempt`; undefined: it is not finished. */
export function rearmJob(
  db: Db,
  again: { id: number; runAt: string; replays: number; attempt: number },
): JobRow | undefined {
  return db.first(rearming, again);
}

const ofRequest = query((p: { requestId: number; kept: JobKind }) =>
  sqlite.deleteFrom('jobs').where('requestId', '=', p.requestId).where('kind', '!=', p.kept),
);

/** Removes the jobs of a request that is removed itself; those that tell others what happened to it are still owed. */
export function deleteJobsOf(db: Db, requestId: number, { except }: { except: JobKind }): void {
  db.run(ofRequest, { requestId, kept: except });
}

const hastening = query((p: { id: number; runAt: string }) =>
  sqlite
    .updateTable('jobs')
    .set({ runAt: p.runAt })
    .where('id', '=', p.id)
    .where('state', '=', 'available')
    .where('runAt', '>', p.runAt),
);

/** Makes a waiting job due at an earlier time. */
export function hastenJob(db: Db, sooner: { id: number; runAt: string }): void {
  db.run(hastening, sooner);
}
