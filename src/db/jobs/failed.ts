/** The failed list: jobs that stay until somebody replays or removes them. */
import { sql } from 'kysely';
import { all, changed, sqlite, type Db } from '../db.js';
import type { JobRow } from '../schema.js';
import { partOf, type Part } from '../page.js';
import { anyOf, type Direction, type TimeRange } from '../sql.js';

/** Removes a failed job for good; false when there is none with that id. */
export const deleteFailedJob = changed((p: { id: number }) =>
  sqlite.deleteFrom('jobs').where('id', '=', p.id).where('state', '=', 'failed'),
);

/** What is missing or null is not asked for. */
export interface FailedFilter {
  kind?: readonly string[] | null;
  /** Part of the error's text, in any letter case. */
  error?: string | null;
  /** Jobs of one kind with exactly this error's text; null: none. */
  same?: Pick<JobRow, 'kind' | 'lastError'>;
  failedAt?: TimeRange;
}

export type FailedPage = Omit<Part, 'by' | 'direction'> & { direction?: Direction };

/** Failed jobs, by default the newest first; behind `past`, if one is given. */
export function listFailedJobs(
  db: Db,
  filter: FailedFilter,
  { direction = 'desc', ...part }: FailedPage,
): JobRow[] {
  return db.list(partOf(failedJobs(filter).selectAll(), { ...part, by: 'finishedAt', direction }));
}

/** Failed jobs of one kind with the same error. */
export interface FailedErrors {
  kind: string;
  error: string | null;
  count: number;
  /** ISO 8601: when the first and the last of them failed. */
  oldest: string;
  newest: string;
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

export const listSomeFailed = all((p: { limit: number }) =>
  sqlite.selectFrom('jobs').select('id').where('state', '=', 'failed').limit(p.limit),
);

/** Failed jobs counted by kind and error, the most frequent first. */
export function listFailedErrors(
  db: Db,
  filter: FailedFilter,
): { kind: string; error: string; count: number }[] {
  return listFailedGroups(db, filter, -1).map(({ kind, error, count }) => ({
    kind,
    error: error ?? '',
    count,
  }));
}

function failedJobs({ kind, error, same, failedAt }: FailedFilter) {
  let jobs = sqlite.selectFrom('jobs').where('state', '=', sql.lit('failed'));
  // Of one kind alone there may be nearly all: they are met in the list's own order, not sorted. Those of a group are found.
  if (kind) jobs = jobs.where(sql<boolean>`+"kind" in ${anyOf(kind)}`);
  if (error) jobs = jobs.where(sql<boolean>`instr(lower("lastError"), lower(${error})) > 0`);
  if (same) jobs = jobs.where('kind', '=', same.kind).where('lastError', 'is', same.lastError);
  if (failedAt?.from) jobs = jobs.where('finishedAt', '>=', failedAt.from);
  if (failedAt?.until) jobs = jobs.where('finishedAt', '<', failedAt.until);
  return jobs;
}
