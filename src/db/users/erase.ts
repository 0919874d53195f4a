/**
 * Removes what a person can be known by, table by table. Ids, statuses, amounts and times stay, so that counts, lists and
 * the history of what the installation did remain true.
 */
import { sql } from 'kysely';
import { all, exists, raw, run, sqlite, type Db } from '../db.js';
import { changeJobs, type InLane } from '../jobs/claims.js';
import type { HistoryRow } from '../schema.js';
import { anyOf } from '../sql.js';
import { countIn, deleteBy, oldestBy, rowsBy, rowsIn, setById } from '../table.js';

export const listRequestsOfOwner = all(oldestBy('requests', 'ownerId'));

export const listContractsOfOwner = all((p: { ownerId: number }) =>
  sqlite
    .selectFrom('contracts')
    .innerJoin('requests', 'requests.id', 'contracts.requestId')
    .selectAll('contracts')
    .select(['requests.reference', 'requests.status as requestStatus'])
    .where('requests.ownerId', '=', p.ownerId)
    .orderBy('contracts.id'),
);

export type OwnedContract = ReturnType<typeof listContractsOfOwner>[number];

export const listWebhooksOfOwner = all(rowsBy('webhooks', 'ownerId'));
export const listOffersOfOwner = all(rowsBy('offers', 'ownerId'));
export const listTroubleshootingsOfOwner = all(rowsBy('troubleshootings', 'ownerId'));

/** A job of one of these requests is being done. */
export const isAnyJobRunning = exists((p: { requestIds: readonly number[] }) =>
  sqlite
    .selectFrom('jobs')
    .select('id')
    .where('requestId', 'in', anyOf(p.requestIds))
    .where('state', '=', 'running')
    .limit(1),
);

export interface Erasing {
  userId: number;
  requestIds: readonly number[];
  contractIds: readonly number[];
  /** In lower case. */
  address: string;
  /** Stands for what was there. */
  word: string;
}

const ERASURES = [
  (p: Erasing) => sqlite.deleteFrom('sentMails').where('requestId', 'in', anyOf(p.requestIds)),
  // A typed reason is emptied, as in the history.
  (p: Erasing) =>
    sqlite
      .updateTable('cases')
      .set({
        detail: sql<string>`json_remove("detail", '$.name')`,
        reason: sql<string | null>`iif("reason" is null, null, '')`,
      })
      .where('requestId', 'in', anyOf(p.requestIds)),
  (p: Erasing) =>
    sqlite.updateTable('payments').set({ paymentUrl: null }).where('contractId', 'in', anyOf(p.contractIds)),
  (p: Erasing) => sqlite.deleteFrom('auditTrails').where('contractId', 'in', anyOf(p.contractIds)),
  (p: Erasing) =>
    sqlite
      .updateTable('contracts')
      .set({ signUrl: null, signUrlExpiresAt: null, signerEmail: null, declineReason: null })
      .set({ termsDigest: null, pdfSha256: null, pdfSize: null, paymentKey: null })
      .where('requestId', 'in', anyOf(p.requestIds)),
  ({ userId, word }: Erasing) =>
    sqlite
      .updateTable('requests')
      .set({ title: word, description: word, paymentUrl: null, payToken: null })
      .where('ownerId', '=', userId),
  ({ userId, word }: Erasing) =>
    sqlite
      .updateTable('equipments')
      .set({ name: word, model: word, serialNumber: sql<string>`'erased-' || "id"` })
      .where('ownerId', '=', userId),
  ...(['offers', 'troubleshootings'] as const).map(
    (table) => (p: Erasing) =>
      sqlite.updateTable(table).set({ description: p.word }).where('ownerId', '=', p.userId),
  ),
  ...(['refreshTokens', 'sessions', 'passwordLinks', 'userCalls'] as const).map((table) =>
    deleteBy(table, 'userId'),
  ),
  // Answers to this user, and answers to others in which the address stands; all are kept for a day only.
  (p: Erasing) =>
    raw(
      sql`delete from "idempotencyKeys" where "userId" = ${p.userId} or instr(lower("answer"), ${p.address}) > 0`,
    ),
].map((erasure) => run<Erasing>(erasure));

/** Everything that says who a person is, but the account itself and what the history, jobs and inbound events hold. */
export function eraseRows(db: Db, about: Erasing): void {
  for (const erasure of ERASURES) erasure(db, about);
}

export const countSentMailsOf = countIn('sentMails', 'requestId', 'requestIds');

export const listJobsOfRequests = all((p: { requestIds: readonly number[]; except: string }) =>
  sqlite
    .selectFrom('jobs')
    .select(['id', 'state'])
    .where('requestId', 'in', anyOf(p.requestIds))
    .where('kind', '!=', p.except),
);

/** Other jobs in which one of these words stands, in lower case, behind `after`. */
export const listJobsNaming = all((p: { after: number; words: readonly string[]; limit: number }) =>
  raw(sql<{ id: number }>`select "id" from "jobs" where "id" > ${p.after} and "state" <> 'running'
    and exists (select 1 from json_each(${p.words})
      where instr(lower("payload" || coalesce("lastError", '') || "errors"), "value") > 0)
    order by "id" limit ${p.limit}`),
);

/** The jobs of the oldest deliveries of a subscription, by their unique key `prefix<id>`: their lane names the receiver. */
export const deleteJobsOfDeliveries = changeJobs((p: { webhookId: number; prefix: string; limit: number }) =>
  raw(sql<InLane>`delete from "jobs" where "state" <> 'running' and "uniqueKey" in (select ${p.prefix} || "id" from "deliveries"
    where "webhookId" = ${p.webhookId} order by "id" limit ${p.limit}) returning "lane"`),
);

/** The lanes named between these two in which no job is left. */
export const deleteEmptyLanes = run((p: { after: string; before: string }) =>
  raw(sql`delete from "lanes" where "name" > ${p.after} and "name" < ${p.before} and "running" = 0
    and not exists (select 1 from "jobs" where "jobs"."id" > 0 and "jobs"."lane" = "lanes"."name")`),
);

export const deleteJobsById = changeJobs((p: { ids: readonly number[] }) =>
  sqlite.deleteFrom('jobs').where('id', 'in', anyOf(p.ids)).where('state', '!=', 'running').returning('lane'),
);

/** Inbound events about these signatures and payments that still have their body. */
export const listInboxBodiesOf = all((p: { subjectIds: readonly string[] }) =>
  sqlite
    .selectFrom('inbox')
    .select('id')
    // Without the plus, the planner would read all events of both sources.
    .where(sql<boolean>`+"source" in ('signature', 'payment')`)
    .where('subjectId', 'in', anyOf(p.subjectIds))
    .where('body', 'is not', null),
);

/** Other inbound events in whose body the address stands, behind `after`. */
export const listInboxBodiesNaming = all((p: { after: number; address: string; limit: number }) =>
  raw(sql<{ id: number }>`select "id" from "inbox" where "id" > ${p.after} and "body" is not null
    and instr(lower(cast("body" as text)), ${p.address}) > 0 order by "id" limit ${p.limit}`),
);

export const emptyInboxBodies = run((p: { ids: readonly number[] }) =>
  sqlite.updateTable('inbox').set({ body: null }).where('id', 'in', anyOf(p.ids)),
);

/** Of a long history only the index is read. */
export const countHistoryOfRequests = countIn('history', 'requestId', 'requestIds');

/** Entries about these requests. */
export const listHistoryOfRequests = all(rowsIn('history', 'requestId', 'requestIds'));
export const listHistoryOfSubjects = all(rowsIn('history', 'subject', 'subjects'));

export const setHistoryDetail = run(setById('history', ['detail']));

/** Entries by this actor, at most `limit`. The literals let the planner use the partial index (db/history/search.ts). */
export const listHistoryBy = all((p: { actor: string; limit: number }) =>
  sqlite
    .selectFrom('history')
    .selectAll()
    .where('actor', '=', p.actor)
    .where('actor', '<>', 'webhook')
    .where('actor', '<>', 'job')
    .orderBy('id')
    .limit(p.limit),
);

export const setHistoryActor = run(setById('history', ['actor', 'detail']));

/** The contracts of people whose data were erased: no file of theirs may be left. */
export const listErasedContracts = all(() =>
  // The order of the tables is fixed: few people are erased.
  raw(sql<{ id: number }>`select "contracts"."id" from "users"
    cross join "requests" on "requests"."ownerId" = "users"."id"
    cross join "contracts" on "contracts"."requestId" = "requests"."id"
    where "users"."erasedAt" is not null`),
);

const rewriteRequestWords = run(() =>
  raw(sql`insert into "requestWords" ("requestWords") values ('optimize')`),
);
const rewriteCustomerWords = run(() =>
  raw(sql`insert into "customerWords" ("customerWords") values ('optimize')`),
);

/** Until they are rewritten, the search indexes keep what was taken out of them, also by earlier changes. */
export function rewriteSearch(db: Db): void {
  rewriteRequestWords(db);
  rewriteCustomerWords(db);
}

/** What was settled about no request of ours. */
export const listSettledUnknown = all(() =>
  raw(
    sql<HistoryRow>`select * from "history" where "what" in ('payment.settled', 'signature.settled') and "requestId" is null`,
  ),
);

export const listSettledCases = all(() =>
  sqlite
    .selectFrom('cases')
    .select(['id', 'reason'])
    .where('kind', 'in', ['unknown_payment', 'unknown_document'])
    .where('requestId', 'is', null)
    .where('reason', 'is not', null),
);

export const setCaseReason = run(setById('cases', ['reason']));
