/** Requests: lookups and the conditional move that decides every race. */
import { sql } from 'kysely';
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
        statusSince: p.now,
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

export interface RequestWords {
  title: string;
  description: string;
  equipmentId: number;
}

const wording = query((p: RequestWords & { id: number; now: string }) =>
  sqlite
    .updateTable('requests')
    .set({ title: p.title, description: p.description, equipmentId: p.equipmentId, updatedAt: p.now })
    .where('id', '=', p.id),
);

/** Sets what a request says and what it is about. */
export function setRequestWords(db: Db, words: RequestWords & { id: number; now: string }): void {
  db.run(wording, words);
}

const deletion = query((p: { id: number }) => sqlite.deleteFrom('requests').where('id', '=', p.id));

/** What refers to it must be gone before. */
export function deleteRequestRow(db: Db, id: number): void {
  db.run(deletion, { id });
}

const ofEquipment = query((p: { equipmentId: number }) =>
  sqlite.selectFrom('requests').select('id').where('equipmentId', '=', p.equipmentId).limit(rows(1)),
);

/** True while a request is about this equipment. */
export function isEquipmentInUse(db: Db, equipmentId: number): boolean {
  return db.first(ofEquipment, { equipmentId }) !== undefined;
}

const move = query((p: { id: number; from: string; to: RequestStatus; now: string }) =>
  sqlite
    .updateTable('requests')
    .set({ status: p.to, updatedAt: p.now, statusSince: p.now })
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

type Position = Pick<RequestRow, 'createdAt' | 'id'>;

const inStatus = query((p: Position & { status: RequestStatus; limit: number }) =>
  sqlite
    .selectFrom('requests')
    .selectAll()
    .where('status', '=', p.status)
    // A row value, so that each page begins in the index where the last one ended.
    .where(sql<boolean>`("createdAt", "id") > (${p.createdAt}, ${p.id})`)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(rows(p.limit)),
);

/** Requests in one status, oldest first, at most `limit` of them; without `after` from the beginning. */
export function listRequestsInStatus(
  db: Db,
  { status, after, limit }: { status: RequestStatus; after: Position | undefined; limit: number },
): RequestRow[] {
  return db.all(inStatus, { status, createdAt: after?.createdAt ?? '', id: after?.id ?? 0, limit });
}

/** The statuses in which a request waits for its customer. */
export type WaitingStatus = Extract<RequestStatus, `WAITING_${string}`>;

// Spelled out, so that the planner may use the index of those that wait.
const waitingSignature = query((p: { limit: number }) => longestIn('WAITING_SIGNATURE', p.limit));
const waitingPayment = query((p: { limit: number }) => longestIn('WAITING_PAYMENT', p.limit));

function longestIn(status: WaitingStatus, limit: number) {
  return sqlite
    .selectFrom('requests')
    .selectAll()
    .where('status', '=', sql.lit(status))
    .orderBy('statusSince')
    .orderBy('id')
    .limit(rows(limit));
}

/** Those that have waited longest in this status, the longest first. */
export function listLongestWaiting(db: Db, status: WaitingStatus, limit: number): RequestRow[] {
  return db.all(status === 'WAITING_PAYMENT' ? waitingPayment : waitingSignature, { limit });
}
