/** What somebody who comes to work wants to know: what waits and since when, what has failed, what ends soon, what ran. */
import { listContractsToSign } from '../db/contracts.js';
import { listFailedJobs } from '../db/failed-jobs.js';
import { listLongestWaiting, type WaitingStatus } from '../db/requests.js';
import { findLastRun } from '../db/runs.js';
import type { ContractRow, JobRow, RequestRow, RequestStatus, RunRow } from '../db/schema.js';
import { addDays, iso } from './clock.js';
import type { Context } from './context.js';
import { openJobs } from './depths.js';
import { getRequest } from './requests/get-request.js';
import { countByStatus, withPeople, type BrowsedRequest } from './requests/browse-requests.js';
import { listPerhapsSent, type PerhapsSent } from './signature/perhaps-sent.js';

const ROWS = 6;
const SOON_DAYS = 7;

export interface Dashboard {
  /** The provider was asked to send their contracts, and never answered. */
  perhapsSent: PerhapsSent[];
  counts: Record<RequestStatus, number>;
  /** Those that have waited longest. */
  waitingSignature: BrowsedRequest[];
  waitingPayment: BrowsedRequest[];
  /** Contracts that can be signed for only a few days more. */
  endingSoon: { contract: ContractRow; request: RequestRow }[];
  failed: JobRow[];
  failedCount: number;
  /** Jobs that wait or run. */
  openJobCount: number;
  lastExpiry: RunRow | undefined;
  lastReconcile: RunRow | undefined;
}

export function readDashboard(ctx: Context): Dashboard {
  const { db } = ctx;
  const now = ctx.clock.now();
  const longest = (status: WaitingStatus) => withPeople(db, listLongestWaiting(db, status, ROWS));
  const soon = { after: iso(now), until: iso(addDays(now, SOON_DAYS)), limit: ROWS };
  const jobs = openJobs(ctx);
  const count = (isWanted: (state: string) => boolean) =>
    jobs.filter(({ state }) => isWanted(state)).reduce((sum, { count }) => sum + count, 0);
  return {
    perhapsSent: listPerhapsSent(ctx),
    counts: countByStatus(ctx),
    waitingSignature: longest('WAITING_SIGNATURE'),
    waitingPayment: longest('WAITING_PAYMENT'),
    endingSoon: listContractsToSign(db, soon).map((contract) => ({
      contract,
      request: getRequest(ctx, contract.requestId),
    })),
    failed: listFailedJobs(db, {}, ROWS),
    failedCount: count((state) => state === 'failed'),
    openJobCount: count((state) => state !== 'failed'),
    lastExpiry: findLastRun(db, 'expire'),
    lastReconcile: findLastRun(db, 'reconcile'),
  };
}
