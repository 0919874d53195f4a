/** Everything known about one request, read at once; time line and findings are made from it. */
import { listDeliveriesOfCase, type DeliveryOfCase } from '../../db/webhooks/deliveries.js';
import { listInboxOfSubjects, listRejectedClaims, type InboxEvent } from '../../db/inbox/inbox.js';
import { listJobsOfRequest } from '../../db/jobs/jobs.js';
import { listHistory } from '../../db/history/history.js';
import { findCurrentPayment } from '../../db/payments/payments.js';
import type { HistoryRow, PaymentRow, RejectedDeliveryRow, RequestRow } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { listLeftOver } from '../payment/left-over.js';
import { parseJob, type Job } from '../jobs/kinds.js';
import { wholeRequest, type WholeRequest } from '../requests/requests.js';

export interface CaseFile extends WholeRequest {
  /** When it was read, ISO 8601. */
  now: string;
  /** The session of the contract that counts, or by which it was paid. */
  payment: PaymentRow | undefined;
  /** Sessions that can no longer count, but may still be paid. */
  leftOver: PaymentRow[];
  jobs: Job[];
  /** To existing subscriptions. */
  deliveries: DeliveryOfCase[];
  inbox: InboxEvent[];
  rejected: RejectedDeliveryRow[];
  history: HistoryRow[];
}

export function openCase(ctx: Context, request: RequestRow): CaseFile {
  const { db } = ctx;
  const whole = wholeRequest(ctx, request);
  const { contract, contracts, payments } = whole;
  const paidBy = payments.find(({ paymentId }) => paymentId === request.paymentId);
  const current = contract && findCurrentPayment(db, { contractId: contract.id });
  const signIds = contracts.flatMap(({ signId }) => signId ?? []);
  const paymentIds = payments.map(({ paymentId }) => paymentId);
  const jobs = listJobsOfRequest(db, { requestId: request.id }).map(parseJob);
  const deliveryIds = jobs.flatMap((job) => (job.kind === 'deliver-webhook' ? [job.payload.deliveryId] : []));
  return {
    now: iso(ctx.clock.now()),
    ...whole,
    payment: request.status === 'COMPLETE' ? (paidBy ?? current) : current,
    leftOver: listLeftOver(ctx, request),
    jobs,
    deliveries: listDeliveriesOfCase(db, { ids: deliveryIds }),
    inbox: [
      ...listInboxOfSubjects(db, { source: 'signature', subjectIds: signIds }),
      ...listInboxOfSubjects(db, { source: 'payment', subjectIds: paymentIds }),
    ],
    rejected: listRejectedClaims(db, { claimedIds: [...signIds, ...paymentIds] }),
    history: listHistory(db, { requestId: request.id }),
  };
}
