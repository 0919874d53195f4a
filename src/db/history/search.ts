/** The history by actor, word, subject and time. */
import { sqlite, type Db } from '../db.js';
import type { HistoryRow } from '../schema.js';
import { firstIdSince } from '../since.js';
import type { Direction, TimeRange } from '../sql.js';

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

export interface HistoryPage extends HistoryFilter {
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
