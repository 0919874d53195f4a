/** Genuine inbound webhook events, and a bounded list of rejected deliveries. */
import { sql } from 'kysely';
import { all, first, insert, insertOnce, required, run, sqlite, type Db } from '../db.js';
import type { InboxRow, InboxSource, InboxState, RejectedDeliveryRow } from '../schema.js';
import { anyOf } from '../sql.js';
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

/** The number of rejected deliveries of all time. */
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

/** The first delivery after that time that was rejected for this reason. */
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
export const listInboxOfSubjects = all((p: { source: InboxSource; subjectIds: readonly string[] }) =>
  sqlite
    .selectFrom('inbox')
    .select(['id', ...NOT_ID])
    .where('subjectId', 'in', anyOf(p.subjectIds))
    // The plus keeps SQLite from choosing the index on the source, which holds far more rows.
    .where(sql<boolean>`+"source" = ${p.source}`)
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
