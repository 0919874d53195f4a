/** What is known about one request, read at once; the findings are made from it, and with its history the time line. */
import { listDeliveriesOfCase, type DeliveryOfCase } from '../../db/webhooks/deliveries.js';
import { listInboxOfSubjects, listRejectedClaims, type InboxEvent } from '../../db/inbox/inbox.js';
import { listJobsOfRequest } from '../../db/jobs/jobs.js';
import type { CaseRow, PaymentRow, RejectedDeliveryRow, RequestRow } from '../../db/schema.js';
import { openCasesOf } from '../cases/cases.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { shownPayment } from '../payment/our-payments.js';
import { parseJob, type Job } from '../jobs/kinds.js';
import { JOB_NAMES } from '../jobs/names.js';
import { wholeRequest, type WholeRequest } from '../requests/requests.js';

export interface CaseFile extends WholeRequest {
  /** When it was read, ISO 8601. */
  now: string;
  /** The session of the contract that counts, or by which it was paid. */
  payment: PaymentRow | undefined;
  /** Of deliveries the newest, and the newest that failed. */
  jobs: Job[];
  /** To existing subscriptions. */
  deliveries: DeliveryOfCase[];
  inbox: InboxEvent[];
  rejected: RejectedDeliveryRow[];
  /** Those that wait for a decision, the oldest first. */
  cases: CaseRow[];
}

const DELIVERY = 'deliver-webhook';
const OTHER_JOBS = JOB_NAMES.filter((name) => name !== DELIVERY);
const DELIVERIES_MAX = 200;

interface CaseOptions {
  /** With all deliveries. */
  isWhole?: boolean;
}

export function readCaseFile(
  ctx: Context,
  request: RequestRow,
  { isWhole = false }: CaseOptions = {},
): CaseFile {
  const { db } = ctx;
  const { id: requestId } = request;
  const whole = wholeRequest(ctx, request);
  const { contract, contracts, payments } = whole;
  const signIds = contracts.flatMap(({ signId }) => signId ?? []);
  const paymentIds = payments.map(({ paymentId }) => paymentId);
  const limit = isWhole ? -1 : DELIVERIES_MAX;
  const jobs = listJobsOfRequest(db, { requestId, kinds: OTHER_JOBS, manyOf: DELIVERY, limit }).map(parseJob);
  const deliveryIds = jobs.flatMap((job) => (job.kind === 'deliver-webhook' ? [job.payload.deliveryId] : []));
  return {
    now: iso(ctx.clock.now()),
    ...whole,
    payment: shownPayment({ request, contract, payments }),
    jobs,
    deliveries: listDeliveriesOfCase(db, { ids: deliveryIds }),
    inbox: [
      ...listInboxOfSubjects(db, { source: 'signature', subjectIds: signIds }),
      ...listInboxOfSubjects(db, { source: 'payment', subjectIds: paymentIds }),
    ],
    rejected: listRejectedClaims(db, { claimedIds: [...signIds, ...paymentIds] }),
    cases: openCasesOf(db, requestId),
  };
}
