/** The inbox by source, state and time: one range of the index per source and state, which SQLite merges. */
import { sql } from 'kysely';
import { sqlite, type Db } from '../db.js';
import type { InboxRow, InboxSource, InboxState } from '../schema.js';
import { firstIdSince } from '../since.js';
import type { Direction } from '../sql.js';

export const INBOX_SOURCES = ['signature', 'payment'] as const satisfies readonly InboxSource[];
export const INBOX_STATES = [
  'received',
  'done',
  'refused',
  'ignored',
] as const satisfies readonly InboxState[];

/** An event without its body, and the request that it concerns; null when it is about no contract of ours. */
export type ListedEvent = Omit<InboxRow, 'body'> & { requestId: number | null };

export interface InboxFilter {
  /** Undefined: any. */
  source?: InboxSource | undefined;
  state?: InboxState | undefined;
  /** A signId or paymentId. */
  subjectId?: string | undefined;
  /** ISO 8601. */
  since?: string | undefined;
}

export interface InboxPage extends InboxFilter {
  /** In the order of arrival. */
  direction: Direction;
  /** Goes on behind this event. */
  pastId?: number | undefined;
  limit: number;
}

export function listInbox(db: Db, { direction, limit, ...page }: InboxPage): ListedEvent[] {
  const { source, state, subjectId } = page;
  const bounds = { ...boundsOf(db, direction, page), subjectId };
  const isWhole = subjectId !== undefined || (!source && !state);
  const ranges = isWhole
    ? [range({ ...bounds, source, state })]
    : (source ? [source] : INBOX_SOURCES).flatMap((each) =>
        (state ? [state] : INBOX_STATES).map((one) => range({ ...bounds, source: each, state: one })),
      );
  const [first, ...others] = ranges as [ReturnType<typeof range>, ...ReturnType<typeof range>[]];
  const found = others
    .reduce((before, each) => before.unionAll(each), first)
    .orderBy('id', direction)
    .limit(limit);
  return db.list(
    sqlite
      .selectFrom(found.as('page'))
      // A cross join keeps its order, so the planner cannot start with the table.
      .crossJoin('inbox')
      .leftJoin('contracts', 'contracts.id', 'inbox.contractId')
      .whereRef('inbox.id', '=', 'page.id')
      .select(['inbox.id', 'source', 'eventKey', 'eventName', 'subjectId', 'contractId', 'inbox.state'])
      .select(['outcome', 'receivedAt', 'finishedAt', 'contracts.requestId']),
  );
}

/** Ids, both excluded. */
function boundsOf(db: Db, direction: Direction, { pastId, since }: Pick<InboxPage, 'pastId' | 'since'>) {
  const from = since === undefined ? 0 : firstIdSince(db, 'inbox', since) - 1;
  return direction === 'asc'
    ? { above: Math.max(from, pastId ?? 0), below: Number.MAX_SAFE_INTEGER }
    : { above: from, below: pastId ?? Number.MAX_SAFE_INTEGER };
}

function range({
  above,
  below,
  source,
  state,
  subjectId,
}: Pick<InboxFilter, 'source' | 'state' | 'subjectId'> & { above: number; below: number }) {
  let some = sqlite.selectFrom('inbox').select('id').where('id', '>', above).where('id', '<', below);
  if (subjectId === undefined) {
    if (source) some = some.where('source', '=', source);
    if (state) some = some.where('state', '=', state);
    return some;
  }
  some = some.where('subjectId', '=', subjectId);
  // The plus keeps SQLite from choosing the index on source and state, which holds far more rows.
  if (source) some = some.where(sql<boolean>`+"source" = ${source}`);
  if (state) some = some.where(sql<boolean>`+"state" = ${state}`);
  return some;
}
