/** The inbox by source, state and time: one range of the index per source and state, which SQLite merges. */
import { sql } from 'kysely';
import { sqlite, type Db } from '../db.js';
import type { InboxRow, InboxSource, InboxState } from '../schema.js';
import { firstIdSince, anyOf, type Direction, type TimeRange } from '../sql.js';

const INBOX_SOURCES = ['signature', 'payment'] as const satisfies readonly InboxSource[];
const INBOX_STATES = ['received', 'done', 'refused', 'ignored'] as const satisfies readonly InboxState[];

/** An event without its body, and the request that it concerns; null when it is about no contract of ours. */
export type ListedEvent = Omit<InboxRow, 'body'> & { requestId: number | null };

/** Null: any. */
export interface InboxFilter {
  source: readonly InboxSource[] | null;
  state: readonly InboxState[] | null;
  /** SignIds or paymentIds. */
  subject: readonly string[] | null;
  /** When they were received. */
  time: TimeRange;
}

export interface InboxPage extends InboxFilter {
  /** In the order of arrival. */
  direction: Direction;
  /** Goes on behind this event. */
  pastId?: number | undefined;
  limit: number;
}

export function listInbox(db: Db, { direction, limit, ...page }: InboxPage): ListedEvent[] {
  const { source, state, subject } = page;
  const bounds = boundsOf(db, direction, page);
  const isWhole = subject !== null || (!source && !state);
  const ranges = isWhole
    ? [range({ ...bounds, subject, source, state })]
    : (source ?? INBOX_SOURCES).flatMap((each) =>
        (state ?? INBOX_STATES).map((one) => range({ ...bounds, subject, source: [each], state: [one] })),
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
function boundsOf(db: Db, direction: Direction, { pastId, time }: Pick<InboxPage, 'pastId' | 'time'>) {
  const from = time.from === null ? 0 : firstIdSince(db, 'inbox', time.from) - 1;
  const until = time.until === null ? Number.MAX_SAFE_INTEGER : firstIdSince(db, 'inbox', time.until);
  return direction === 'asc'
    ? { above: Math.max(from, pastId ?? 0), below: until }
    : { above: from, below: Math.min(until, pastId ?? until) };
}

function range({
  above,
  below,
  source,
  state,
  subject,
}: Omit<InboxFilter, 'time'> & { above: number; below: number }) {
  let some = sqlite.selectFrom('inbox').select('id').where('id', '>', above).where('id', '<', below);
  if (subject === null) {
    if (source) some = some.where('source', '=', source[0] as InboxSource);
    if (state) some = some.where('state', '=', state[0] as InboxState);
    return some;
  }
  some = some.where('subjectId', 'in', anyOf(subject));
  // The plus keeps SQLite from choosing the index on source and state, which holds far more rows.
  if (source) some = some.where(sql<boolean>`+"source" in ${anyOf(source)}`);
  if (state) some = some.where(sql<boolean>`+"state" in ${anyOf(state)}`);
  return some;
}
