/** The history by actor, word, subject and time, the newest first. */
import { sqlite, type Db } from '../db.js';
import type { HistoryRow } from '../schema.js';
import { firstIdSince } from '../since.js';

export interface HistoryFilter {
  /** Exactly; undefined: anybody, anything. */
  actor?: string | undefined;
  what?: string | undefined;
  subject?: string | undefined;
  requestId?: number | undefined;
  contractId?: number | undefined;
  /** About any request of this customer. */
  ownerId?: number | undefined;
  /** ISO 8601; the second is excluded. */
  since?: string | undefined;
  until?: string | undefined;
  beforeId: number;
  limit: number;
}

export function searchHistory(db: Db, { since, until, ...filter }: HistoryFilter): HistoryRow[] {
  const { actor, what, subject, requestId, contractId, ownerId, beforeId, limit } = filter;
  let page = sqlite
    .selectFrom('history')
    .selectAll()
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .limit(limit);
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
  if (since !== undefined)
    page = page.where('id', '>=', firstIdSince(db, 'history', since)).where('at', '>=', since);
  if (until !== undefined)
    page = page.where('id', '<', firstIdSince(db, 'history', until)).where('at', '<', until);
  return db.list(page);
}
