/** Everything that is stored about one request, for those who want to know what happened to it. */
import { sql } from 'kysely';
import { query, sqlite, type Db } from './db.js';
import type {
  ContractRow,
  DeliveryRow,
  InboxRow,
  InboxSource,
  JobRow,
  PaymentRow,
  RejectedDeliveryRow,
  RequestRow,
  WebhookRow,
} from './schema.js';
import { anyOf, rows } from './sql.js';

const contracts = query((p: { requestId: number }) =>
  sqlite.selectFrom('contracts').selectAll().where('requestId', '=', p.requestId).orderBy('id'),
);

/** Every contract of a request, the oldest first: the last one counts. */
export function listContractsOfRequest(db: Db, requestId: number): ContractRow[] {
  return db.all(contracts, { requestId });
}

const payments = query((p: { contractIds: string }) =>
  sqlite
    .selectFrom('payments')
    .selectAll()
    .where('contractId', 'in', anyOf<number>(p.contractIds))
    .orderBy('id'),
);

export function listPaymentsOfContracts(db: Db, contractIds: readonly number[]): PaymentRow[] {
  return db.all(payments, { contractIds: JSON.stringify(contractIds) });
}

const jobs = query((p: { requestId: number }) =>
  sqlite.selectFrom('jobs').selectAll().where('requestId', '=', p.requestId).orderBy('id'),
);

/** Every job that is still known, whatever its state. */
export function listJobsOfRequest(db: Db, requestId: number): JobRow[] {
  return db.all(jobs, { requestId });
}

/** An inbound event without its body. */
export type InboxEvent = Omit<InboxRow, 'body'>;

export const INBOX_COLUMNS = [
  'id',
  'source',
  'eventKey',
  'eventName',
  'subjectId',
  'contractId',
  'state',
  'outcome',
  'receivedAt',
  'finishedAt',
] as const satisfies readonly (keyof InboxEvent)[];

const eventsOfSubjects = query((p: { source: InboxSource; subjectIds: string }) =>
  sqlite
    .selectFrom('inbox')
    .select(INBOX_COLUMNS)
    .where('subjectId', 'in', anyOf<string>(p.subjectIds))
    // The plus keeps SQLite from going through all events of a source, which it takes for the better index.
    .where(sql<boolean>`+"source" = ${p.source}`)
    .orderBy('id'),
);

/** Genuine deliveries about these signIds or paymentIds. */
export function listInboxOfSubjects(
  db: Db,
  source: InboxSource,
  subjectIds: readonly string[],
): InboxEvent[] {
  return db.all(eventsOfSubjects, { source, subjectIds: JSON.stringify(subjectIds) });
}

const rejections = query((p: { claimedIds: string }) =>
  sqlite
    .selectFrom('rejectedDeliveries')
    .selectAll()
    .where('claimedId', 'in', anyOf<string>(p.claimedIds))
    .where('claimedId', 'is not', null)
    .orderBy('id'),
);

/** Deliveries that were turned away and claim to be about one of these. */
export function listRejectedClaims(db: Db, claimedIds: readonly string[]): RejectedDeliveryRow[] {
  return db.all(rejections, { claimedIds: JSON.stringify(claimedIds) });
}

/** A delivery to a subscription, as that stands now. */
export type DeliveryOfCase = Pick<DeliveryRow, 'id' | 'webhookId' | 'event' | 'state'> &
  Pick<WebhookRow, 'active' | 'disabledReason'>;

const deliveries = query((p: { ids: string }) =>
  sqlite
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhookId')
    .select(['deliveries.id', 'deliveries.webhookId', 'deliveries.event', 'deliveries.state'])
    .select(['webhooks.active', 'webhooks.disabledReason'])
    .where('deliveries.id', 'in', anyOf<number>(p.ids))
    .orderBy('deliveries.id'),
);

export function listDeliveriesOfCase(db: Db, ids: readonly number[]): DeliveryOfCase[] {
  return db.all(deliveries, { ids: JSON.stringify(ids) });
}

const ofOwner = query((p: { ownerId: number; limit: number }) =>
  sqlite
    .selectFrom('requests')
    .selectAll()
    .where('ownerId', '=', p.ownerId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(rows(p.limit)),
);

/** The newest requests of a customer. */
export function listNewestRequestsOfOwner(db: Db, ownerId: number, limit: number): RequestRow[] {
  return db.all(ofOwner, { ownerId, limit });
}
