/** Genuine inbound webhook events, and a bounded list of rejected deliveries. */
import { sql } from 'kysely';
import { all, first, insert, insertOnce, required, run, sqlite, type Db } from '../db.js';
import type { InboxRow, InboxSource, InboxState, RejectedDeliveryRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { newRow, rowsBy, setById } from '../table.js';

const NOT_ID = [
  'source',
  'eventKey',
  'eventName',
  'subjectId',
  'contractId',
  'state',
  'outcome',
  'receivedAt',
  'finishedAt',
] as const;

/** An inbound event without its body. */
export type InboxEvent = Omit<InboxRow, 'body'>;

const WITHOUT_BODY = ['id', ...NOT_ID] as const satisfies readonly (keyof InboxEvent)[];

/** Stores an event; undefined: the same event is already there. */
export const insertInboxEvent = insertOnce(
  newRow('inbox', [...NOT_ID, 'body'], { end: sql`on conflict ("source", "eventKey") do nothing` }),
);

const byKey = rowsBy('inbox', 'source', 'eventKey');
export const findInboxEvent = first(byKey);
export const requireInboxEvent = required(byKey);

interface Finishing {
  contractId: number;
  state: InboxState;
  outcome: string;
  finishedAt: string;
}

const finishing = (p: Finishing) =>
  sqlite
    .updateTable('inbox')
    .set({ state: p.state, outcome: p.outcome, finishedAt: p.finishedAt })
    .where('contractId', '=', p.contractId)
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
export const settleInboxEvent = run(setById('inbox', ['state', 'outcome', 'finishedAt']));

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

/** The newest rejected deliveries of both sources. */
export const listNewestRejected = all((p: { limit: number }) =>
  sqlite.selectFrom('rejectedDeliveries').selectAll().orderBy('id', 'desc').limit(p.limit),
);

/** The newest event of a source that is in this state. */
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
    .select(WITHOUT_BODY)
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
