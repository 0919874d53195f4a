/** Requests: lookups and the conditional move that decides every race. */
import { query, sqlite, type Db } from './db.js';
import { anyOf, rows } from './sql.js';
import type { RequestRow, RequestStatus } from './schema.js';

const byId = query((p: { id: number }) => sqlite.selectFrom('requests').selectAll().where('id', '=', p.id));

export function findRequest(db: Db, id: number): RequestRow | undefined {
  return db.first(byId, { id });
}

const insertion = query(
  (p: {
    ownerId: number;
    equipmentId: number;
    title: string;
    description: string;
    status: RequestStatus;
    now: string;
  }) =>
    sqlite
      .insertInto('requests')
      .values({
        ownerId: p.ownerId,
        equipmentId: p.equipmentId,
        title: p.title,
        description: p.description,
        status: p.status,
        createdAt: p.now,
        updatedAt: p.now,
      })
      .returningAll(),
);

export interface NewRequest {
  ownerId: number;
  equipmentId: number;
  title: string;
  description: string;
  status: RequestStatus;
  now: string;
}

export function insertRequest(db: Db, request: NewRequest): RequestRow {
  return db.first(insertion, request) as RequestRow;
}

const move = query((p: { id: number; from: string; to: RequestStatus; now: string }) =>
  sqlite
    .updateTable('requests')
    .set({ status: p.to, updatedAt: p.now })
    .where('id', '=', p.id)
    .where('status', 'in', anyOf<RequestStatus>(p.from)),
);

/** Moves a request only if it is still in one of `from`. False means another call moved it first. */
export function moveRequest(
  db: Db,
  id: number,
  { from, to }: { from: readonly RequestStatus[]; to: RequestStatus },
  now: string,
): boolean {
  return db.run(move, { id, from: JSON.stringify(from), to, now }) === 1;
}

const paymentLink = query(
  (p: { id: number; paymentId: string | null; paymentUrl: string | null; now: string }) =>
    sqlite
      .updateTable('requests')
      .set({ paymentId: p.paymentId, paymentUrl: p.paymentUrl, updatedAt: p.now })
      .where('id', '=', p.id),
);

/** Sets where the customer pays; null takes a link away that no longer works. */
export function setPaymentLink(
  db: Db,
  link: { id: number; paymentId: string | null; paymentUrl: string | null; now: string },
): void {
  db.run(paymentLink, link);
}

const waitingForSignature = query((p: { status: RequestStatus; afterId: number; limit: number }) =>
  sqlite
    .selectFrom('requests')
    .selectAll()
    .where('status', '=', p.status)
    .where('id', '>', p.afterId)
    .orderBy('id')
    .limit(rows(p.limit)),
);

/** Requests in one status in the order of their ids, at most `limit` of them. */
export function listRequestsInStatus(
  db: Db,
  page: { status: RequestStatus; afterId: number; limit: number },
): RequestRow[] {
  return db.all(waitingForSignature, page);
}
