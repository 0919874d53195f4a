/** The history: who did what to which request and contract, written in the change's transaction. */
import { sql } from 'kysely';
import { all, run, sqlite, type Db } from '../db.js';
import type { HistoryRow } from '../schema.js';
import { firstBy, newestIdOf, newRow, oldestBy } from '../table.js';

export type NewHistory = Omit<HistoryRow, 'id'>;

const COLUMNS = ['at', 'requestId', 'contractId', 'actor', 'what', 'subject', 'detail'] as const;

const insertOne = run(newRow('history', COLUMNS));

/** Announced when the history has grown. */
export const HISTORY_TOPIC = 'history';

export function insertHistory(db: Db, entry: NewHistory): void {
  insertOne(db, entry);
  db.announce(HISTORY_TOPIC);
}

const insertMany = run((p: { entries: readonly unknown[][] }) =>
  sqlite
    .insertInto('history')
    .columns(COLUMNS)
    .expression(
      sqlite
        .selectFrom(sql<{ value: string }>`json_each(${p.entries})`.as('entry'))
        .select(COLUMNS.map((column, i) => sql`value ->> ${sql.lit(i)}`.as(column))),
    ),
);

/** Inserts many, in order, for a third of the cost of single inserts. */
export function insertHistories(db: Db, entries: readonly NewHistory[]): void {
  insertMany(db, { entries: entries.map((entry) => COLUMNS.map((column) => entry[column])) });
  db.announce(HISTORY_TOPIC);
}

/** Everything that happened to a request, oldest first. Only for what has to be complete: it has no bound. */
export const listHistory = all(oldestBy('history', 'requestId'));

export const listNewestHistory = all(firstBy('history', ['requestId'], { order: sql`"id" desc` }));

export const newestHistoryId = newestIdOf('history');

/** Entries after `id`, oldest first, with ids only. */
export const listHistoryAfter = all((p: { id: number; limit: number }) =>
  sqlite
    .selectFrom('history')
    .select(['id', 'what', 'requestId', 'contractId'])
    .where('id', '>', p.id)
    .orderBy('id')
    .limit(p.limit),
);

/** The literals let the planner use the partial index (search.ts). */
export const renameActor = run((p: { from: string; to: string }) =>
  sqlite
    .updateTable('history')
    .set({ actor: p.to })
    .where('actor', '=', p.from)
    .where('actor', '<>', sql.lit('webhook'))
    .where('actor', '<>', sql.lit('job')),
);
