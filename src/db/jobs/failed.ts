/** The failed list: jobs that stay until somebody replays or removes them. */
import { sql } from 'kysely';
import { all, changed, sqlite, type Db } from '../db.js';
import type { JobRow } from '../schema.js';

/** Removes a failed job for good; false when there is none with that id. */
export const deleteFailedJob = changed((p: { id: number }) =>
  sqlite.deleteFrom('jobs').where('id', '=', p.id).where('state', '=', 'failed'),
);

export interface FailedFilter {
  kind?: string | undefined;
  /** Part of the error's text, in any letter case. */
  error?: string | undefined;
  /** Exactly this error's text; null: none. */
  errorIs?: string | null | undefined;
  /** Failed at this time or later, and before this one: ISO 8601. */
  since?: string | undefined;
  until?: string | undefined;
}

/** Failed jobs, newest first; behind `past`, if one is given. */
export function listFailedJobs(
  db: Db,
  filter: FailedFilter,
  limit: number,
  past?: Pick<JobRow, 'finishedAt' | 'id'>,
): JobRow[] {
  let jobs = failedJobs(filter).selectAll().orderBy('finishedAt', 'desc').orderBy('id', 'desc').limit(limit);
  if (past) jobs = jobs.where(sql<boolean>`("finishedAt", "id") < (${past.finishedAt}, ${past.id})`);
  return db.list(jobs);
}

/** Failed jobs of one kind with the same error. */
export interface FailedErrors {
  kind: string;
  error: string | null;
  count: number;
  /** ISO 8601: when the first and the last of them failed. */
  oldest: string;
  newest: string;
  /** One of them. */
  jobId: number;
}

/** The largest groups first. */
export function listFailedGroups(db: Db, filter: FailedFilter, limit: number): FailedErrors[] {
  return db.list(
    failedJobs(filter)
      .select(['kind', 'lastError as error'])
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.min<string>('finishedAt').as('oldest'),
        eb.fn.max<string>('finishedAt').as('newest'),
        eb.fn.max<number>('id').as('jobId'),
      ])
      .groupBy(['kind', 'lastError'])
      .orderBy('count', 'desc')
      .orderBy('jobId', 'desc')
      .limit(limit),
  );
}

/** The oldest first. */
export function listFailedIds(db: Db, filter: FailedFilter): number[] {
  const found = db.list(failedJobs(filter).select('id').orderBy('finishedAt').orderBy('id'));
  return found.map(({ id }) => id);
}

export function countFailedJobs(db: Db, filter: FailedFilter): number {
  return db.count(failedJobs(filter));
}

/** Some of those that have failed, at most `limit` of them. */
export const listSomeFailed = all((p: { limit: number }) =>
  sqlite.selectFrom('jobs').select('id').where('state', '=', sql.lit('failed')).limit(p.limit),
);

/** Failed jobs counted by kind and error, the most frequent first. */
export function listFailedErrors(
  db: Db,
  filter: FailedFilter,
): { kind: string; error: string; count: number }[] {
  return db.list(
    failedJobs(filter)
      .select(['kind', (eb) => eb.fn.coalesce('lastError', sql.lit('')).as('error')])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .groupBy(['kind', 'lastError'])
      .orderBy('count', 'desc'),
  );
}

function failedJobs({ kind, error, errorIs, since, until }: FailedFilter) {
  let jobs = sqlite.selectFrom('jobs').where('state', '=', sql.lit('failed'));
  // Of one kind alone there may be nearly all: they are met in the list's own order, not sorted. Those of a group are found.
  if (kind)
    jobs = jobs.where(
      errorIs === undefined ? sql<boolean>`+"kind" = ${kind}` : sql<boolean>`"kind" = ${kind}`,
    );
  if (error) jobs = jobs.where(sql<boolean>`instr(lower("lastError"), lower(${error})) > 0`);
  if (errorIs !== undefined) jobs = jobs.where('lastError', 'is', errorIs);
  if (since) jobs = jobs.where('finishedAt', '>=', since);
  if (until) jobs = jobs.where('finishedAt', '<', until);
  return jobs;
}
