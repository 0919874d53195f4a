/** Requests: lookups and the conditional move that decides every race. */
import { sql } from 'kysely';
import { all, changed, exists, first, required, run, sqlite, type Db } from '../db.js';
import type { RequestRow, RequestStatus } from '../schema.js';
import { anyOf } from '../sql.js';
import { deleteBy, firstBy, newRow, rowsBy, rowsIn, setById } from '../table.js';

const byId = rowsBy('requests', 'id');
export const findRequest = first(byId);
export const requireRequest = required(byId);

export const findRequestByPayToken = first(rowsBy('requests', 'payToken'));
export const setPayToken = run(setById('requests', ['payToken']));
export const setRemindAt = run(setById('requests', ['remindAt']));
export const setRemindedAt = run(setById('requests', ['remindedAt']));
export const setDueAt = run(setById('requests', ['dueAt']));

/** Requests that wait for a payment of which the customer is to be reminded, the earliest first. */
export const listRequestsToRemind = all(dueBy('remindAt'));

/** Without the plus, the planner would take the index by status and read every request that waits. */
export const listRequestsOfOwnerIn = all((p: { ownerId: number; statuses: readonly RequestStatus[] }) =>
  sqlite
    .selectFrom('requests')
    .selectAll()
    .where('ownerId', '=', p.ownerId)
    .where(sql<boolean>`+"status" in ${anyOf(p.statuses)}`),
);

export const listRequestsByIds = all(rowsIn('requests', 'id', 'ids'));

const WORDS = ['title', 'description', 'equipmentId'] as const;
export type RequestWords = Pick<RequestRow, (typeof WORDS)[number]>;

export const insertRequest = required(
  newRow('requests', ['ownerId', 'status', ...WORDS], {
    stamps: ['createdAt', 'updatedAt', 'statusSince'],
    end: sql`returning *`,
  }),
);

export const setRequestWords = run(setById('requests', WORDS, { stamps: ['updatedAt'] }));

/** Everything that refers to it must be removed first. */
export const deleteRequestRow = run(deleteBy('requests', 'id'));

/** True while a request is about this equipment. */
export const isEquipmentInUse = exists(rowsBy('requests', 'equipmentId'));

/** Moves a request only if it is still in one of `from`. False means another call moved it first. */
export const moveRequest = changed(
  (p: { id: number; from: readonly RequestStatus[]; to: RequestStatus; now: string }) =>
    sqlite
      .updateTable('requests')
      .set({ status: p.to, updatedAt: p.now, statusSince: p.now })
      .where('id', '=', p.id)
      .where('status', 'in', anyOf(p.from)),
);

/** Sets the payment link; null removes it. */
export const setPaymentLink = run(
  setById('requests', ['paymentId', 'paymentUrl'], { stamps: ['updatedAt'] }),
);

type Position = Pick<RequestRow, 'createdAt' | 'id'>;

const inStatus = all((p: Position & { status: RequestStatus; limit: number }) =>
  sqlite
    .selectFrom('requests')
    .selectAll()
    .where('status', '=', p.status)
    // A row value, so that each page starts in the index where the last one ended.
    .where(sql<boolean>`("createdAt", "id") > (${p.createdAt}, ${p.id})`)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(p.limit),
);

/** Requests in one status, oldest first, at most `limit` of them; without `after` from the beginning. */
export function listRequestsInStatus(
  db: Db,
  { status, after, limit }: { status: RequestStatus; after: Position | undefined; limit: number },
): RequestRow[] {
  return inStatus(db, { status, createdAt: after?.createdAt ?? '', id: after?.id ?? 0, limit });
}

/** Those that came into this status last. */
export const listNewestInStatus = all(
  firstBy('requests', ['status'], { order: sql`"statusSince" desc, "id" desc` }),
);

/** The statuses in which a request waits for its customer. */
export type WaitingStatus = Extract<RequestStatus, `WAITING_${string}`>;

/** Requests in this status that really wait for their customer, longest waiting first. */
export const listLongestWaiting = all((p: { status: WaitingStatus; now: string; limit: number }) =>
  sqlite
    .selectFrom('requests')
    .selectAll()
    .where('status', '=', p.status)
    .where((eb) => eb.or([eb('dueAt', 'is', null), eb('dueAt', '>', p.now)]))
    .orderBy('statusSince')
    .orderBy('id')
    .limit(p.limit),
);

/** Requests that the office may have to look at, since the longest time first. */
export const listDueRequests = all(dueBy('dueAt'));

function dueBy(time: 'remindAt' | 'dueAt') {
  return (p: { now: string; limit: number }) =>
    sqlite
      .selectFrom('requests')
      .selectAll()
      .where(time, '<=', p.now)
      .orderBy(time)
      .orderBy('id')
      .limit(p.limit);
}
