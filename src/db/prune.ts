/** What is kept for a while only: found by an index of its own, counted, and taken away in portions. */
import { sql, type RawBuilder } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import { rows } from './sql.js';

export const PRUNABLE = [
  'inboxBodies',
  'deliveries',
  'refreshTokens',
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

/** Takes away the oldest, at most `limit` of them; tells how many. */
export function prune(db: Db, what: Prunable, portion: Portion): number {
  return db.run(QUERIES[what].removal, portion);
}

/** How many there are to take away in all. */
export function countPrunable(db: Db, what: Prunable, before: string): number {
  return db.first(QUERIES[what].count, { before })?.count ?? 0;
}

interface Kept {
  table: string;
  key: string[];
  /** The column that says when it ended. */
  endedAt: string;
  only?: RawBuilder<unknown>;
  /** Instead of the row, only this column is emptied. */
  emptied?: string;
}

const QUERIES = {
  // The events themselves stay: they tell a repeat from news.
  inboxBodies: kept({
    table: 'inbox',
    key: ['id'],
    endedAt: 'finishedAt',
    only: sql`"body" is not null`,
    emptied: 'body',
  }),
  // Those whose job is in the failed list stay as long as it does.
  deliveries: kept({
    table: 'deliveries',
    key: ['id'],
    endedAt: 'finishedAt',
    only: sql`("state" = 'delivered' or not exists (
      select 1 from "jobs" where "uniqueKey" = 'delivery:' || "deliveries"."id" and "jobs"."state" = 'failed'))`,
  }),
  refreshTokens: kept({ table: 'refreshTokens', key: ['id'], endedAt: 'expiresAt' }),
  sessions: kept({ table: 'sessions', key: ['id'], endedAt: 'expiresAt' }),
  idempotencyKeys: kept({
    table: 'idempotencyKeys',
    key: ['userId', 'operation', 'key'],
    endedAt: 'expiresAt',
  }),
  userCalls: kept({ table: 'userCalls', key: ['userId', 'firstAt'], endedAt: 'lastAt' }),
  // The last run of each name tells what is overdue.
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
  const removal = (p: Portion) =>
    sql`${act} where (${columns}) in (select ${columns} ${old(p)} order by ${sql.ref(endedAt)} limit ${rows(p.limit)})`;
  const count = (p: { before: string }) => sql<{ count: number }>`select count(*) as "count" ${old(p)}`;
  return {
    removal: query((p: Portion) => compilable(removal(p))),
    count: query((p: { before: string }) => compilable(count(p))),
  };
}

function compilable<R>(statement: RawBuilder<R>) {
  return { compile: () => statement.compile(sqlite) };
}
