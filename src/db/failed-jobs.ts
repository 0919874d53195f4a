/** The failed list: what stays until somebody replays or removes it. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { JobKind, JobRow } from './schema.js';
import { rows } from './sql.js';

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
