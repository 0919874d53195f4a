/**
 * Retention of completed jobs. There is no index on when they ended, because every completion would pay for it.
 * Instead all jobs are walked in the order in which they were enqueued, stretch by stretch, up to one that is too
 * young.
 */
import type { ExpressionBuilder } from 'kysely';
import { first, required, run, sqlite, type Db } from '../db.js';
import type { Schema } from '../schema.js';

/** Jobs whose id is above `after` and not above `upTo`. */
export interface Stretch {
  after: number;
  upTo: number;
}

export interface Walk {
  after: number;
  /** ISO 8601: only what ended, and so was enqueued, before this. */
  before: string;
  limit: number;
}

const stretchAfter = first((p: Pick<Walk, 'after' | 'limit'>) =>
  sqlite
    .selectFrom((jobs) =>
      jobs
        .selectFrom('jobs')
        .select(['id', 'createdAt'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.limit)
        .as('page'),
    )
    .select((page) => [page.fn.max('page.id').as('upTo'), page.fn.min('page.createdAt').as('since')]),
);

/** The next `limit` jobs; undefined when there are none, or none old enough. */
export function nextStretch(db: Db, walk: Walk): Stretch | undefined {
  const { upTo, since } = stretchAfter(db, walk) ?? {};
  return upTo && since && since < walk.before ? { after: walk.after, upTo } : undefined;
}

type Old = Stretch & { before: string };

const isOld = (p: Old) => (job: ExpressionBuilder<Schema, 'jobs'>) =>
  job.and([
    job('id', '>', p.after),
    job('id', '<=', p.upTo),
    job('state', '=', 'completed'),
    job('finishedAt', '<', p.before),
  ]);

const counting = required((p: Old) =>
  sqlite
    .selectFrom('jobs')
    .select((job) => job.fn.countAll<number>().as('count'))
    .where(isOld(p)),
);

/** How many jobs of a stretch are completed and old. */
export function countOldJobs(db: Db, old: Old): number {
  return counting(db, old).count;
}

/** Removes what `countOldJobs` counts; returns how many. Failed jobs stay until somebody removes them. */
export const deleteOldJobs = run((p: Old) => sqlite.deleteFrom('jobs').where(isOld(p)));
