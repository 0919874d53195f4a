/** The failed list: jobs that stay until somebody replays or removes them. */
import { sql } from 'kysely';
import { changed, sqlite, type Db } from '../db.js';
import type { JobRow } from '../schema.js';

/** Removes a failed job for good; false when there is none with that id. */
export const deleteFailedJob = changed((p: { id: number }) =>
  sqlite.deleteFrom('jobs').where('id', '=', p.id).where('state', '=', 'failed'),
);

export interface FailedFilter {
  kind?: string | undefined;
  /** Part of the error's text, in any letter case. */
  error?: string | undefined;
  /** Failed at or after, at or before: ISO 8601. */
  after?: string | undefined;
  before?: string | undefined;
}

/** Failed jobs, newest first. */
export function listFailedJobs(db: Db, filter: FailedFilter, limit: number): JobRow[] {
  return db.list(
    failedJobs(filter).selectAll().orderBy('finishedAt', 'desc').orderBy('id', 'desc').limit(limit),
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

function failedJobs({ kind, error, after, before }: FailedFilter) {
  let jobs = sqlite.selectFrom('jobs').where('state', '=', sql.lit('failed'));
  if (kind) jobs = jobs.where('kind', '=', kind);
  if (error) jobs = jobs.where(sql<boolean>`instr(lower("lastError"), lower(${error})) > 0`);
  if (after) jobs = jobs.where('finishedAt', '>=', after);
  if (before) jobs = jobs.where('finishedAt', '<=', before);
  return jobs;
}
