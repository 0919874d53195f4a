/** The history: who did what to which request and contract, written in the change's transaction. */
import { sql } from 'kysely';
import { all, run, sqlite, type Db } from '../db.js';
import type { HistoryRow } from '../schema.js';
import { firstBy, newestIdOf, newRow, oldestBy } from '../table.js';
import { firstIdSince, type Direction, type TimeRange } from '../sql.js';

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
        .select(COLUMNS.map((column, i) => sql`value ->> ${i}`.as(column))),
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
    .where('actor', '<>', 'webhook')
    .where('actor', '<>', 'job'),
);

// The history by actor, word, subject and time.

export interface HistoryFilter {
  /** Exactly; undefined: anybody, anything. */
  actor?: string | undefined;
  what?: string | undefined;
  subject?: string | undefined;
  requestId?: number | undefined;
  contractId?: number | undefined;
  /** About any request of this customer. */
  ownerId?: number | undefined;
}

interface HistoryPage extends HistoryFilter {
  time?: TimeRange;
  /** The newest first by default. */
  direction?: Direction;
  /** Goes on behind this entry. */
  pastId?: number | undefined;
  limit: number;
}

export function searchHistory(
  db: Db,
  { time, direction = 'desc', pastId, limit, ...filter }: HistoryPage,
): HistoryRow[] {
  const { actor, what, subject, requestId, contractId, ownerId } = filter;
  let page = sqlite.selectFrom('history').selectAll().orderBy('id', direction).limit(limit);
  if (pastId !== undefined) page = page.where('id', direction === 'asc' ? '>' : '<', pastId);
  if (actor !== undefined) page = page.where('actor', '=', actor);
  if (what !== undefined) page = page.where('what', '=', what);
  if (subject !== undefined) page = page.where('subject', '=', subject);
  if (requestId !== undefined) page = page.where('requestId', '=', requestId);
  if (contractId !== undefined) page = page.where('contractId', '=', contractId);
  if (ownerId !== undefined) {
    page = page.where('requestId', 'in', (own) =>
      own.selectFrom('requests').select('id').where('ownerId', '=', ownerId),
    );
  }
  if (time?.from)
    page = page.where('id', '>=', firstIdSince(db, 'history', time.from)).where('at', '>=', time.from);
  if (time?.until)
    page = page.where('id', '<', firstIdSince(db, 'history', time.until)).where('at', '<', time.until);
  return db.list(page);
}
