/** Data with limited retention: found by its own index, counted, and removed in portions. */
import { sql, type RawBuilder, type ExpressionBuilder } from 'kysely';
import { raw, required, run, type Db, first, sqlite } from '../db.js';
import type { Schema } from '../schema.js';

export const PRUNABLE = [
  'inboxBodies',
  'deliveries',
  'refreshTokens',
  'passwordLinks',
  'sessions',
  'idempotencyKeys',
  'userCalls',
  'runs',
] as const;

export type Prunable = (typeof PRUNABLE)[number];

export interface Portion {
  /** ISO 8601: only what ended before this. */
  before: string;
  limit: number;
}

/** Removes the oldest, at most `limit`; returns how many. */
export function prune(db: Db, what: Prunable, portion: Portion): number {
  return QUERIES[what].remove(db, portion);
}

/** How many there are to remove. */
export function countPrunable(db: Db, what: Prunable, before: string): number {
  return QUERIES[what].count(db, { before }).count;
}

interface Kept {
  table: string;
  key: string[];
  endedAt: string;
  only?: RawBuilder<unknown>;
  /** Empties this column instead of removing the row. */
  emptied?: string;
}

const QUERIES = {
  // The events stay, to recognise repeats.
  inboxBodies: kept({
    table: 'inbox',
    key: ['id'],
    endedAt: 'finishedAt',
    only: sql`"body" is not null`,
    emptied: 'body',
  }),
  // Those with a failed job stay as long as the job.
  deliveries: kept({
    table: 'deliveries',
    key: ['id'],
    endedAt: 'finishedAt',
    only: sql`("state" = 'delivered' or not exists (
      select 1 from "jobs" where "uniqueKey" = 'delivery:' || "deliveries"."id" and "jobs"."state" = 'failed'))`,
  }),
  refreshTokens: kept({ table: 'refreshTokens', key: ['id'], endedAt: 'expiresAt' }),
  passwordLinks: kept({ table: 'passwordLinks', key: ['id'], endedAt: 'expiresAt' }),
  sessions: kept({ table: 'sessions', key: ['id'], endedAt: 'expiresAt' }),
  idempotencyKeys: kept({
    table: 'idempotencyKeys',
    key: ['userId', 'operation', 'key'],
    endedAt: 'expiresAt',
  }),
  userCalls: kept({ table: 'userCalls', key: ['userId', 'firstAt'], endedAt: 'lastAt' }),
  // The last run of each name is kept: it shows what is overdue.
  runs: kept({
    table: 'runs',
    key: ['id'],
    endedAt: 'startedAt',
    only: sql`"id" <> (select max("id") from "runs" as "later" where "later"."name" = "runs"."name")`,
  }),
};

function kept({ table, key, endedAt, only = sql`true`, emptied }: Kept) {
  const from = sql.table(table);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const old = (p: { before: string }) =>
    sql`from ${from} where ${sql.ref(endedAt)} < ${p.before} and ${only}`;
  const act = emptied ? sql`update ${from} set ${sql.ref(emptied)} = null` : sql`delete from ${from}`;
  return {
    remove: run((p: Portion) =>
      raw(
        sql`${act} where (${columns}) in (select ${columns} ${old(p)} order by ${sql.ref(endedAt)} limit ${p.limit})`,
      ),
    ),
    count: required((p: { before: string }) =>
      raw(sql<{ count: number }>`select count(*) as "count" ${old(p)}`),
    ),
  };
}

// Retention of completed jobs. There is no index on when they ended, because every completion would pay for it.
// Instead all jobs are walked in the order in which they were enqueued, stretch by stretch, up to one that is too
// young.

/** Jobs whose id is above `after` and not above `upTo`. */
interface Stretch {
  after: number;
  upTo: number;
}

interface Walk {
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
