/** The history by actor, word, subject and time, the newest first. */
import { sql } from 'kysely';
import { all, raw, sqlite, type Db } from '../db.js';
import type { HistoryRow } from '../schema.js';
import { firstIdSince } from '../since.js';

/** So frequent that the index leaves them out: the newest are found by reading backwards (migration 0024). */
const EVERYDAY_ACTORS = ['webhook', 'job'];
const EVERYDAY_WORDS = [
  'request.created',
  'request.moved',
  'contract.created',
  'contract.sent',
  'contract.signed',
  'payment.session_created',
  'payment.received',
  'mail.sent',
];

export interface HistoryFilter {
  /** Exactly; undefined: anybody, anything. */
  actor?: string | undefined;
  what?: string | undefined;
  subject?: string | undefined;
  requestId?: number | undefined;
  contractId?: number | undefined;
  /** About any request of this customer. */
  ownerId?: number | undefined;
  /** ISO 8601. */
  since?: string | undefined;
  beforeId: number;
  limit: number;
}

export function searchHistory(db: Db, { since, ...filter }: HistoryFilter): HistoryRow[] {
  const { actor, what, subject, requestId, contractId, ownerId, beforeId, limit } = filter;
  let page = sqlite
    .selectFrom('history')
    .selectAll()
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (actor !== undefined) {
    page = page.where('actor', '=', actor);
    // As literals, so that the planner can use the partial index.
    if (!EVERYDAY_ACTORS.includes(actor)) {
      for (const other of EVERYDAY_ACTORS) page = page.where('actor', '<>', sql.lit(other));
    }
  }
  if (what !== undefined) {
    page = page.where('what', '=', what);
    if (!EVERYDAY_WORDS.includes(what)) {
      for (const other of EVERYDAY_WORDS) page = page.where('what', '<>', sql.lit(other));
    }
  }
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
  return db.list(page);
}

/** Of a complete request: whoever completes it by hand accepts one payment. */
const isSurplus = sql`not exists (select 1 from "history" d
    where d."requestId" = h."requestId" and d."id" > h."id" and d."what" = 'request.settled')
  and (select count(*) from "history" d where d."requestId" = h."requestId"
      and d."what" in ('payment.old_session_paid', 'payment.paid_unsigned', 'payment.other_price'))
    > (select count(*) from "history" d where d."requestId" = h."requestId" and d."what" = 'request.moved'
      and d."detail" ->> '$.to' = 'COMPLETE' and d."detail" ->> '$.reason' is not null)`;

/**
 * Requests about which this was told, the newest first, each time again. Those that are complete need nobody, unless more
 * payments came than were accepted and none was settled since. `what` is none of every day.
 */
export const listToldOf = all((p: { what: string; limit: number }) =>
  raw(sql<{ requestId: number }>`select "requestId" from "history" h where "what" = ${p.what}
    ${sql.join(
      EVERYDAY_WORDS.map((word) => sql`and "what" <> ${sql.lit(word)}`),
      sql` `,
    )}
    and (select "status" <> 'COMPLETE' or ("paymentId" is not h."detail" ->> '$.paymentId' and ${isSurplus})
      from "requests" where "id" = h."requestId")
    order by "id" desc limit ${p.limit}`),
);
