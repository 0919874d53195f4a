/** The job table: each change of a job's state is one statement, so that two runners can never share a job. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { JobKind, JobRow, JobState } from './schema.js';
import { rows } from './sql.js';

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

export interface Lease {
  leaseToken: string;
  leasePid: number;
  leaseUntil: string;
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

const removal = query((p: { id: number }) =>
  sqlite.deleteFrom('jobs').where('id', '=', p.id).where('state', '=', 'failed'),
);

/** Removes a failed job for good. False: there is no failed job with that id. */
export function deleteFailedJob(db: Db, id: number): boolean {
  return db.run(removal, { id }) === 1;
}

export interface FailedFilter {
  kind?: JobKind;
  /** Part of the error's text, in any letter case. */
  error?: string;
  /** Failed at or after, at or before: ISO 8601. */
  after?: string;
  before?: string;
}

/** Failed jobs, the newest first. */
export function listFailedJobs(db: Db, filter: FailedFilter, limit: number): JobRow[] {
  return db.list(
    failedJobs(filter).selectAll().orderBy('finishedAt', 'desc').orderBy('id', 'desc').limit(rows(limit)),
  );
}

export function countFailedJobs(db: Db, filter: FailedFilter): number {
  const [row] = db.list(failedJobs(filter).select((eb) => eb.fn.countAll<number>().as('count')));
  return row?.count ?? 0;
}

/** How many failed jobs of each kind bear the same error, the most frequent first. */
export function listFailedErrors(
  db: Db,
  filter: FailedFilter,
): { kind: JobKind; error: string; count: number }[] {
  return db.list(
    failedJobs(filter)
      .select(['kind', (eb) => eb.fn.coalesce('lastError', sql.lit('')).as('error')])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .groupBy(['kind', 'lastError'])
      .orderBy('count', 'desc'),
  );
}

function failedJobs({ kind, error, after, before }: FailedFilter) {
  let jobs = sqlite.selectFrom('jobs').where('state', '=', sql.lit('failed'));
  if (kind) jobs = jobs.where('kind', '=', kind);
  if (error) jobs = jobs.where(sql<boolean>`instr(lower("lastError"), lower(${error})) > 0`);
  if (after) jobs = jobs.where('finishedAt', '>=', after);
  if (before) jobs = jobs.where('finishedAt', '<=', before);
  return jobs;
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
