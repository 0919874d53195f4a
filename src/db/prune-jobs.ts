/**
 * Completed jobs that have served their time. No index knows when they ended, since every completion would pay for it: all
 * jobs are walked in the order in which they were owed, stretch by stretch, up to one that is too young.
 */
import type { ExpressionBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { Schema } from './schema.js';
import { rows } from './sql.js';

/** Jobs whose id is above `after` and not above `upTo`. */
export interface Stretch {
  after: number;
  upTo: number;
}

export interface Walk {
  after: number;
  /** ISO 8601: only what ended, and hence was owed, before this. */
  before: string;
  limit: number;
}

const stretchAfter = query((p: Pick<Walk, 'after' | 'limit'>) =>
  sqlite
    .selectFrom((jobs) =>
      jobs
        .selectFrom('jobs')
        .select(['id', 'createdAt'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(rows(p.limit))
        .as('page'),
    )
    .select((page) => [page.fn.max('page.id').as('upTo'), page.fn.min('page.createdAt').as('since')]),
);

/** The next `limit` jobs; undefined: there are none, or none that is old enough. */
export function nextStretch(db: Db, { before, ...walk }: Walk): Stretch | undefined {
  const { upTo, since } = db.first(stretchAfter, walk) ?? {};
  return upTo && since && since < before ? { after: walk.after, upTo } : undefined;
}

type Old = Stretch & { before: string };

const isOld = (p: Old) => (job: ExpressionBuilder<Schema, 'jobs'>) =>
  job.and([
    job('id', '>', p.after),
    job('id', '<=', p.upTo),
    job('state', '=', 'completed'),
    job('finishedAt', '<', p.before),
  ]);

const counting = query((p: Old) =>
  sqlite
    .selectFrom('jobs')
    .select((job) => job.fn.countAll<number>().as('count'))
    .where(isOld(p)),
);

/** How many of a stretch are completed and ended before that time. */
export function countOldJobs(db: Db, old: Old): number {
  return db.first(counting, old)?.count ?? 0;
}

const removal = query((p: Old) => sqlite.deleteFrom('jobs').where(isOld(p)));

/** Takes away what `countOldJobs` counts; tells how many. What has failed stays until somebody removes it. */
export function deleteOldJobs(db: Db, old: Old): number {
  return db.run(removal, old);
}
