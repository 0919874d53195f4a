/** Genuine inbound webhook events, and a bounded list of rejected deliveries. */
import { sql } from 'kysely';
import { all, first, insert, insertOnce, required, run, sqlite, type Db } from '../db.js';
import type { InboxRow, InboxSource, InboxState, RejectedDeliveryRow } from '../schema.js';
import { anyOf, firstIdSince, type Direction, type TimeRange } from '../sql.js';
import { firstBy, newRow, rowsBy, setById } from '../table.js';

const ABOUT = ['source', 'eventKey', 'eventName', 'subjectId', 'contractId'] as const;
const ENDING = ['state', 'outcome', 'finishedAt'] as const;
const NOT_ID = [...ABOUT, 'receivedAt', ...ENDING] as const;

/** An inbound event without its body. */
export type InboxEvent = Omit<InboxRow, 'body'>;

/** Stores an event; undefined: the same event is already there. */
export const insertInboxEvent = insertOnce(
  newRow('inbox', [...NOT_ID, 'body'], { end: sql`on conflict ("source", "eventKey") do nothing` }),
);

const byKey = rowsBy('inbox', 'source', 'eventKey');
export const findInboxEvent = first(byKey);
export const requireInboxEvent = required(byKey);

type Finishing = { contractId: number } & Pick<InboxRow, (typeof ENDING)[number]>;

const finishing = ({ contractId, state, outcome, finishedAt }: Finishing) =>
  sqlite
    .updateTable('inbox')
    .set({ state, outcome, finishedAt })
    .where('contractId', '=', contractId)
    .where('state', '=', 'received');

/** Closes every open event of a contract; they all asked for the same answer of the provider. */
export const finishInboxEvents = run(finishing);

/** Closes only those with these names. */
export const finishNamedInboxEvents = run((p: Finishing & { eventNames: readonly string[] }) =>
  finishing(p).where('eventName', 'in', anyOf(p.eventNames)),
);

/** Detaches events from a deleted request's contracts; they can still be found by signId. */
export const detachInboxEvents = run((p: { requestId: number }) =>
  sqlite
    .updateTable('inbox')
    .set({ contractId: null })
    .where(
      'contractId',
      'in',
      sqlite.selectFrom('contracts').select('id').where('requestId', '=', p.requestId),
    ),
);

/** Sets an event's outcome; `received` reopens it. */
export const settleInboxEvent = run(setById('inbox', ENDING));

export type NewRejectedDelivery = Omit<RejectedDeliveryRow, 'id'>;

const insertRejection = insert(
  newRow('rejectedDeliveries', ['source', 'reason', 'size', 'address', 'claimedId', 'at']),
);

const deleteRejections = run((p: { upToId: number }) =>
  sqlite.deleteFrom('rejectedDeliveries').where('id', '<=', p.upToId),
);

/** Records a rejected delivery and keeps only the newest `keep`. */
export function insertRejectedDelivery(db: Db, delivery: NewRejectedDelivery, keep: number): void {
  const id = insertRejection(db, delivery);
  deleteRejections(db, { upToId: id - keep });
  countRejection(db, { name: `rejected.${delivery.source}` });
}

const countRejection = run((p: { name: string }) =>
  sqlite
    .insertInto('counters')
    .values({ name: p.name, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`value + 1` })),
);

export const countRejectedDeliveries = required(() =>
  sqlite
    .selectFrom('counters')
    .select(sql<number>`coalesce(sum(value), 0)`.as('count'))
    .where('name', 'like', 'rejected.%'),
);

const byId = rowsBy('inbox', 'id');
export const findInboxEventById = first(byId);
export const requireInboxEventById = required(byId);

export const listNewestRejected = all(firstBy('rejectedDeliveries', [], { order: sql`"id" desc` }));

export const findNewestInState = first((p: { source: InboxSource; state: InboxState }) =>
  sqlite
    .selectFrom('inbox')
    .select('receivedAt')
    .where('source', '=', p.source)
    .where('state', '=', p.state)
    .orderBy('id', 'desc')
    .limit(1),
);

export const findFirstRejection = first((p: { reason: string; after: string }) =>
  sqlite
    .selectFrom('rejectedDeliveries')
    .select('at')
    .where('reason', '=', p.reason)
    .where('at', '>', p.after)
    .orderBy('id')
    .limit(1),
);

/** Genuine deliveries about these signIds or paymentIds. */
export const listInboxOfSubjects = all((p: { subjectIds: readonly string[] }) =>
  sqlite
    .selectFrom('inbox')
    .select(['id', ...NOT_ID])
    .where('subjectId', 'in', anyOf(p.subjectIds))
    .orderBy('id'),
);

/** Rejected deliveries that claim to be about one of these. */
export const listRejectedClaims = all((p: { claimedIds: readonly string[] }) =>
  sqlite
    .selectFrom('rejectedDeliveries')
    .selectAll()
    .where('claimedId', 'in', anyOf(p.claimedIds))
    .where('claimedId', 'is not', null)
    .orderBy('id'),
);

// The inbox by source, state and time: one range of the index per source and state, which SQLite merges.

const INBOX_SOURCES = ['signature', 'payment'] as const satisfies readonly InboxSource[];
const INBOX_STATES = ['received', 'done', 'refused', 'ignored'] as const satisfies readonly InboxState[];

/** An event without its body, and the request that it concerns; null when it is about no contract of ours. */
export type ListedEvent = Omit<InboxRow, 'body'> & { requestId: number | null };

/** Null: any. */
interface InboxFilter {
  source: readonly InboxSource[] | null;
  state: readonly InboxState[] | null;
  /** SignIds or paymentIds. */
  subject: readonly string[] | null;
  time: TimeRange;
}

interface InboxPage extends InboxFilter {
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
  const found = ranges
    .reduce((before, each) => before.unionAll(each))
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
    for (const one of source ?? []) some = some.where('source', '=', one);
    for (const one of state ?? []) some = some.where('state', '=', one);
    return some;
  }
  some = some.where('subjectId', 'in', anyOf(subject));
  // The plus keeps SQLite from choosing the index on source and state, which holds far more rows.
  if (source) some = some.where(sql<boolean>`+"source" in ${anyOf(source)}`);
  if (state) some = some.where(sql<boolean>`+"state" in ${anyOf(state)}`);
  return some;
}
