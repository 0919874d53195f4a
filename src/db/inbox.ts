/** Inbound webhook events that were genuine, and a bounded list of the deliveries that were turned away. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type { InboxRow, InboxSource, InboxState } from './schema.js';
import { rows } from './sql.js';

export interface NewInboxEvent {
  source: InboxSource;
  eventKey: string;
  eventName: string;
  subjectId: string;
  contractId: number | null;
  body: Buffer;
  state: InboxState;
  outcome: string | null;
  receivedAt: string;
  finishedAt: string | null;
}

const insertion = query((p: NewInboxEvent) =>
  sqlite
    .insertInto('inbox')
    .values({
      source: p.source,
      eventKey: p.eventKey,
      eventName: p.eventName,
      subjectId: p.subjectId,
      contractId: p.contractId,
      body: p.body,
      state: p.state,
      outcome: p.outcome,
      receivedAt: p.receivedAt,
      finishedAt: p.finishedAt,
    })
    .onConflict((conflict) => conflict.columns(['source', 'eventKey']).doNothing()),
);

/** Stores an event; undefined: the same event is already there. */
export function insertInboxEvent(db: Db, event: NewInboxEvent): number | undefined {
  return db.insert(insertion, event);
}

const byKey = query((p: { source: InboxSource; eventKey: string }) =>
  sqlite.selectFrom('inbox').selectAll().where('source', '=', p.source).where('eventKey', '=', p.eventKey),
);

export function findInboxEvent(db: Db, source: InboxSource, eventKey: string): InboxRow | undefined {
  return db.first(byKey, { source, eventKey });
}

const finishing = query((p: { contractId: number; state: InboxState; outcome: string; finishedAt: string }) =>
  sqlite
    .updateTable('inbox')
    .set({ state: p.state, outcome: p.outcome, finishedAt: p.finishedAt })
    .where('contractId', '=', p.contractId)
    .where('state', '=', 'received'),
);

/** Closes every open event of a contract: they all wanted the same completion. */
export function finishInboxEvents(
  db: Db,
  finished: { contractId: number; state: InboxState; outcome: string; finishedAt: string },
): void {
  db.run(finishing, finished);
}

const parting = query((p: { requestId: number }) =>
  sqlite
    .updateTable('inbox')
    .set({ contractId: null })
    .where(
      'contractId',
      'in',
      sqlite.selectFrom('contracts').select('id').where('requestId', '=', p.requestId),
    ),
);

/** Keeps the events of a request's contracts when those are removed; they are still found by signId. */
export function detachInboxEvents(db: Db, requestId: number): void {
  db.run(parting, { requestId });
}

const settling = query(
  (p: { id: number; state: InboxState; outcome: string | null; finishedAt: string | null }) =>
    sqlite
      .updateTable('inbox')
      .set({ state: p.state, outcome: p.outcome, finishedAt: p.finishedAt })
      .where('id', '=', p.id),
);

/** What has become of one event; `received` opens it again. */
export function settleInboxEvent(
  db: Db,
  settled: { id: number; state: InboxState; outcome: string | null; finishedAt: string | null },
): void {
  db.run(settling, settled);
}

export interface NewRejectedDelivery {
  source: InboxSource;
  reason: string;
  size: number;
  address: string;
  claimedId: string | null;
  at: string;
}

const rejection = query((p: NewRejectedDelivery) =>
  sqlite.insertInto('rejectedDeliveries').values({
    source: p.source,
    reason: p.reason,
    size: p.size,
    address: p.address,
    claimedId: p.claimedId,
    at: p.at,
  }),
);

const oldRejections = query((p: { upToId: number }) =>
  sqlite.deleteFrom('rejectedDeliveries').where('id', '<=', p.upToId),
);

/** Keeps what is worth knowing of a delivery that was turned away, and only the newest `keep` of them. */
export function insertRejectedDelivery(db: Db, delivery: NewRejectedDelivery, keep: number): void {
  const id = db.insert(rejection, delivery) as number;
  db.run(oldRejections, { upToId: id - keep });
  db.run(counting, { name: `rejected.${delivery.source}` });
}

const counting = query((p: { name: string }) =>
  sqlite
    .insertInto('counters')
    .values({ name: p.name, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`value + 1` })),
);

const counter = query((p: { name: string }) =>
  sqlite.selectFrom('counters').select('value').where('name', '=', p.name),
);

/** How many deliveries have ever been turned away. */
export function countRejectedDeliveries(db: Db, source: InboxSource): number {
  return db.first(counter, { name: `rejected.${source}` })?.value ?? 0;
}

const rejections = query((p: { source: InboxSource; limit: number }) =>
  sqlite
    .selectFrom('rejectedDeliveries')
    .selectAll()
    .where('source', '=', p.source)
    .orderBy('id', 'desc')
    .limit(rows(p.limit)),
);

export function listRejectedDeliveries(db: Db, source: InboxSource, limit: number) {
  return db.all(rejections, { source, limit });
}
