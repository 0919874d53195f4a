/** What is known about one request, read at once; the findings are made from it, and with its history the time line. */
import { listOpenCasesOf } from '../../db/cases/cases.js';
import { listDeliveriesOfCase, type DeliveryOfCase } from '../../db/webhooks/deliveries.js';
import { listInboxOfSubjects, listRejectedClaims, type InboxEvent } from '../../db/inbox/inbox.js';
import { listJobsOfRequests } from '../../db/jobs/jobs.js';
import type {
  CaseRow,
  ContractRow,
  InboxSource,
  PaymentRow,
  RejectedDeliveryRow,
  RequestRow,
} from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { shownPayment } from '../payment/our-payments.js';
import { parseJob, type Job } from '../jobs/kinds.js';
import { JOB_NAMES } from '../jobs/names.js';
import { wholeRequests, type WholeRequest } from '../requests/requests.js';

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
  isWhole?: boolean;
}

export function readCaseFile(ctx: Context, request: RequestRow, options: CaseOptions = {}): CaseFile {
  return readCaseFiles(ctx, [request], options)(request);
}

/** The same of each of these; every table is read once for all of them. */
export function readCaseFiles(
  ctx: Context,
  requests: readonly RequestRow[],
  { isWhole = false }: CaseOptions = {},
): (request: RequestRow) => CaseFile {
  const { db } = ctx;
  const now = iso(ctx.clock.now());
  const requestIds = requests.map(({ id }) => id);
  const wholeOf = wholeRequests(ctx, requests);
  const limit = isWhole ? -1 : DELIVERIES_MAX;
  const allJobs = listJobsOfRequests(db, { requestIds, kinds: OTHER_JOBS, manyOf: DELIVERY, limit }).map(
    parseJob,
  );
  const deliveries = listDeliveriesOfCase(db, { ids: deliveriesOf(allJobs) });
  const subjectIds = requests
    .map(wholeOf)
    .flatMap(({ contracts, payments }) => [...signIdsOf(contracts), ...paymentIdsOf(payments)]);
  const inbox = listInboxOfSubjects(db, { subjectIds });
  const rejected = listRejectedClaims(db, { claimedIds: subjectIds });
  const cases = listOpenCasesOf(db, { requestIds });
  return (request) => {
    const whole = wholeOf(request);
    const { contracts, payments } = whole;
    const [signIds, paymentIds] = [new Set(signIdsOf(contracts)), new Set(paymentIdsOf(payments))];
    const jobs = allJobs.filter(({ requestId }) => requestId === request.id);
    const deliveryIds = new Set(deliveriesOf(jobs));
    const came = (from: InboxSource, ids: ReadonlySet<string>) =>
      inbox.filter(({ source, subjectId }) => source === from && ids.has(subjectId));
    return {
      now,
      ...whole,
      payment: shownPayment(whole),
      jobs,
      deliveries: deliveries.filter(({ id }) => deliveryIds.has(id)),
      inbox: [...came('signature', signIds), ...came('payment', paymentIds)],
      rejected: rejected.filter(
        ({ claimedId }) => claimedId !== null && (signIds.has(claimedId) || paymentIds.has(claimedId)),
      ),
      cases: cases.filter(({ requestId }) => requestId === request.id),
    };
  };
}

const signIdsOf = (contracts: readonly ContractRow[]) => contracts.flatMap(({ signId }) => signId ?? []);
const paymentIdsOf = (payments: readonly PaymentRow[]) => payments.map(({ paymentId }) => paymentId);

function deliveriesOf(jobs: readonly Job[]): number[] {
  return jobs.flatMap((job) => (job.kind === 'deliver-webhook' ? [job.payload.deliveryId] : []));
}
