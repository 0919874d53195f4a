/** The history by actor, word, subject and time, the newest first. */
import { sql, type RawBuilder } from 'kysely';
import { all, raw, sqlite, type Db } from '../db.js';
import type { HistoryRow } from '../schema.js';
import { firstIdSince } from '../since.js';

export interface HistoryFilter {
  /** Exactly; undefined: anybody, anything. */
  actor?: string | undefined;
  what?: string | undefined;
  subject?: string | undefined;
  requestId?: number | undefined;
  contractId?: number | undefined;
  /** About any request of this customer. */
  ownerId?: number | undefined;
  /** ISO 8601; the second is excluded. */
  since?: string | undefined;
  until?: string | undefined;
  beforeId: number;
  limit: number;
}

export function searchHistory(db: Db, { since, until, ...filter }: HistoryFilter): HistoryRow[] {
  const { actor, what, subject, requestId, contractId, ownerId, beforeId, limit } = filter;
  let page = sqlite
    .selectFrom('history')
    .selectAll()
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (actor !== undefined) page = page.where('actor', '=', actor);
  if (what !== undefined) page = page.where('what', '=', what);
  if (subject !== undefined) page = page.where('subject', '=', subject);
  if (requestId !== undefined) page = page.where('requestId', '=', requestId);
  if (contractId !== undefined) page = page.where('contractId', '=', contractId);
  if (ownerId !== undefined) {
    page = page.where('requestId', 'in', (own) =>
      own.selectFrom('requests').select('id').where('ownerId', '=', ownerId),
    );
  }
  if (since !== undefined)
    page = page.where('id', '>=', firstIdSince(db, 'history', since)).where('at', '>=', since);
  if (until !== undefined)
    page = page.where('id', '<', firstIdSince(db, 'history', until)).where('at', '<', until);
  return db.list(page);
}

/** Open requests to which this happened, each once, the newest first. */
export const listToldOf = all((p: { what: string; limit: number }) =>
  raw(sql<Told>`${toldOf(p.what)}
    and (select "status" from "requests" where "id" = h."requestId") not in ('COMPLETE', 'CANCELED')
    and not exists (select 1 from ${later(sql`${p.what}`)})
    order by "id" desc limit ${p.limit}`),
);

/**
 * Payments that are a case, by the rules of core/payment/payment-case.ts: a decision names its payments, but
 * for a renewal, which is about all.
 */
export const listUndecidedPayments = all((p: { what: string; limit: number }) =>
  raw(sql<Told>`${toldOf(p.what)}
    and not exists (select 1 from ${later(DECIDING)} and (
      "what" = 'payment.received' and "detail" ->> '$.paymentId' = h."detail" ->> '$.paymentId'
      or ("what" = 'request.settled' or "what" = 'payment.renewed' and "actor" <> 'customer' or ${acceptance}) and (
        "detail" -> '$.payments' is null
        or exists (select 1 from json_each("detail", '$.payments') where "value" = h."detail" ->> '$.paymentId'))))
    order by "id" desc limit ${p.limit}`),
);

interface Told {
  requestId: number;
}

/** Completed by hand. */
const acceptance = sql`"what" = 'request.moved' and "detail" ->> '$.to' = 'COMPLETE' and "detail" ->> '$.reason' is not null`;

const DECIDING = sql`'payment.received', 'payment.renewed', 'request.moved', 'request.settled'`;

/** By the index that other entries of the request, however many, do not lengthen. */
function later(words: RawBuilder<unknown>) {
  return sql`"history" d indexed by "historyByRequestAndWord" where "requestId" = h."requestId" and "what" in (${words}) and "id" > h."id"`;
}

function toldOf(what: string) {
  return sql`select "requestId" from "history" h where "what" = ${what}`;
}
