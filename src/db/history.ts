/** The history: who did what to which request and contract. Written in the transaction of the change it tells of. */
import { query, sqlite, type Db } from './db.js';
import type { HistoryRow } from './schema.js';

export interface NewHistory {
  at: string;
  requestId: number | null;
  contractId: number | null;
  actor: string;
  what: string;
  /** JSON object. */
  detail: string;
}

const insertion = query((p: NewHistory) =>
  sqlite.insertInto('history').values({
    at: p.at,
    requestId: p.requestId,
    contractId: p.contractId,
    actor: p.actor,
    what: p.what,
    detail: p.detail,
  }),
);

export function insertHistory(db: Db, entry: NewHistory): void {
  db.run(insertion, entry);
}

const ofRequest = query((p: { requestId: number }) =>
  sqlite.selectFrom('history').selectAll().where('requestId', '=', p.requestId).orderBy('id'),
);

/** Everything that happened to a request, oldest first. */
export function listHistory(db: Db, requestId: number): HistoryRow[] {
  return db.all(ofRequest, { requestId });
}
