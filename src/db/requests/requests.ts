/** Requests: lookups and the conditional move that decides every race. */
import { sql } from 'kysely';
import { all, changed, exists, first, required, run, sqlite, type Db } from '../db.js';
import type { RequestRow, RequestStatus } from '../schema.js';
import { anyOf, type TimeRange } from '../sql.js';
import { deleteBy, firstBy, newRow, rowsBy, rowsIn, setById } from '../table.js';
import { listOf, sumsOf, within } from '../page.js';

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

export const insertRenewal = required(
  newRow('requests', ['ownerId', 'status', 'renewsId', ...WORDS], {
    stamps: ['createdAt', 'updatedAt', 'statusSince'],
    end: sql`returning *`,
  }),
);

export const findRenewal = first(rowsBy('requests', 'renewsId'));
/** Those that renew these. */
export const listRenewals = all(rowsIn('requests', 'renewsId', 'ids'));

/** Asked for in the same words about the same equipment. */
export const findRequestLike = first(rowsBy('requests', 'equipmentId', 'title', 'description'));

export const setRequestWords = run(setById('requests', WORDS, { stamps: ['updatedAt'] }));

export const setRequestPrice = run(setById('requests', ['amount', 'currency'], { stamps: ['updatedAt'] }));

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

/** Those that have been in this status since then or before, the longest first. */
export const listSince = all((p: { status: RequestStatus; since: string; limit: number }) =>
  sqlite
    .selectFrom('requests')
    .select('id')
    .where('status', '=', p.status)
    .where('statusSince', '<=', p.since)
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

// Lists of requests by their filters (rules 6).

/** Null means "any"; an empty list means "none". */
export interface RequestFilter {
  owner: readonly number[] | null;
  status: readonly RequestStatus[] | null;
  equipment: readonly number[] | null;
  createdAt: TimeRange;
}

/** By their creation, or since when they have their status. */
export const { page: listRequests, walk: walkRequests } = listOf({
  rows: (filter: RequestFilter) => matching(filter).selectAll(),
  counted: (filter) => matching(filter, 'status'),
  orders: { createdAt: 'createdAt', statusSince: 'statusSince' },
});

/** Of the contracts that count. */
export function sumRequests(db: Db, filter: RequestFilter) {
  const ids = matching(filter, 'status').select((eb) =>
    eb
      .selectFrom('contracts')
      .select((newest) => newest.fn.max('contracts.id').as('id'))
      .whereRef('contracts.requestId', '=', 'requests.id')
      .as('id'),
  );
  return db.list(sumsOf(sqlite.selectFrom('contracts').where('id', 'in', ids)));
}

/** Whose these requests are. */
export const listCustomersOf = all((p: { requestIds: readonly number[] }) =>
  sqlite
    .selectFrom('requests')
    .innerJoin('users', 'users.id', 'requests.ownerId')
    .select(['requests.id', 'users.firstName', 'users.lastName', 'users.username'])
    .where('requests.id', 'in', anyOf(p.requestIds)),
);

const ofOtherStatuses = (['<', '>'] as const).map((side) =>
  all(() =>
    sqlite
      .selectFrom('requests')
      .select((eb) => ['status', eb.fn.countAll<number>().as('count')])
      .where('status', side, 'COMPLETE')
      .groupBy('status'),
  ),
);

/** Statuses without any are missing. Most are complete: they are what is left of all, which are counted without reading them. */
export function countRequestsByStatus(db: Db): Partial<Record<RequestStatus, number>> {
  const others = ofOtherStatuses.flatMap((counts) => counts(db));
  const total = db.count(sqlite.selectFrom('requests'));
  const complete = others.reduce((left, { count }) => left - count, total);
  const counts = Object.fromEntries(others.map(({ status, count }) => [status, count]));
  return complete > 0 ? { ...counts, COMPLETE: complete } : counts;
}

/** `along`: the order of the index that is read; a count needs none, and takes a third of the time along the statuses. */
function matching({ owner, status, equipment, createdAt }: RequestFilter, along: 'list' | 'status' = 'list') {
  const isByStatus = !owner && !equipment && (along === 'status' || status?.length === 1);
  let some = sqlite.selectFrom('requests');
  if (owner) some = some.where('ownerId', 'in', anyOf(owner));
  if (equipment) some = some.where('equipmentId', 'in', anyOf(equipment));
  // One status has an index in each order. The rows of several are met in the list's own order: sorting them costs more.
  const [one] = status ?? [];
  if (one && status?.length === 1 && isByStatus) some = some.where('status', '=', one);
  else if (status && isByStatus) some = some.where('status', 'in', anyOf(status));
  else if (status) some = some.where(sql<boolean>`+"status" in ${anyOf(status)}`);
  return within(some, 'createdAt', createdAt);
}
