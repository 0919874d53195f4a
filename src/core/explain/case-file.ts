/** Everything we know about one request, read at once; the time line and the findings are made of it. */
import {
  listContractsOfRequest,
  listDeliveriesOfCase,
  listInboxOfSubjects,
  listJobsOfRequest,
  listPaymentsOfContracts,
  listRejectedClaims,
  type DeliveryOfCase,
  type InboxEvent,
} from '../../db/case-file.js';
import { listHistory } from '../../db/history.js';
import type {
  ContractRow,
  HistoryRow,
  PaymentRow,
  RejectedDeliveryRow,
  RequestRow,
  UserRow,
} from '../../db/schema.js';
import { findUser } from '../../db/users.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { parseJob, type Job } from '../jobs/kinds.js';

export interface CaseFile {
  /** When it was read, ISO 8601. */
  now: string;
  request: RequestRow;
  customer: UserRow;
  /** The oldest first. */
  contracts: ContractRow[];
  /** The one that counts: the newest. */
  contract: ContractRow | undefined;
  payments: PaymentRow[];
  /** The newest session of the contract that counts. */
  payment: PaymentRow | undefined;
  jobs: Job[];
  /** To subscriptions that are still there. */
  deliveries: DeliveryOfCase[];
  inbox: InboxEvent[];
  rejected: RejectedDeliveryRow[];
  history: HistoryRow[];
}

export function openCase(ctx: Context, request: RequestRow): CaseFile {
  const { db } = ctx;
  const contracts = listContractsOfRequest(db, request.id);
  const contract = contracts.at(-1);
  const payments = listPaymentsOfContracts(
    db,
    contracts.map(({ id }) => id),
  );
  const signIds = contracts.flatMap(({ signId }) => signId ?? []);
  const paymentIds = payments.map(({ paymentId }) => paymentId);
  const jobs = listJobsOfRequest(db, request.id).map(parseJob);
  const deliveryIds = jobs.flatMap((job) => (job.kind === 'deliver-webhook' ? [job.payload.deliveryId] : []));
  return {
    now: iso(ctx.clock.now()),
    request,
    customer: findUser(db, request.ownerId) as UserRow,
    contracts,
    contract,
    payments,
    payment: payments.findLast(({ contractId }) => contractId === contract?.id),
    jobs,
    deliveries: listDeliveriesOfCase(db, deliveryIds),
    inbox: [
      ...listInboxOfSubjects(db, 'signature', signIds),
      ...listInboxOfSubjects(db, 'payment', paymentIds),
    ],
    rejected: listRejectedClaims(db, [...signIds, ...paymentIds]),
    history: listHistory(db, request.id),
  };
}
