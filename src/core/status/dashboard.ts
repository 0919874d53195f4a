/** The start page of the office: what waits and since when, what has failed, what ends soon, what ran. */
import { listEndingSoon } from '../../db/contracts/contracts.js';
import { listFailedJobs } from '../../db/jobs/failed.js';
import { listLongestWaiting, type WaitingStatus } from '../../db/requests/requests.js';
import type { JobRow, RequestRow, RequestStatus } from '../../db/schema.js';
import { readCopies, type Copies } from '../backup/copies.js';
import { addDays, iso } from '../clock.js';
import type { Context } from '../context.js';
import { listRuns, type ScheduledRun } from '../schedule/runs.js';
import { jobCounts } from './depths.js';
import { countByStatus, requestViews, type RequestView } from '../requests/requests.js';

const ROWS = 6;
const SOON_DAYS = 7;

export interface Dashboard {
  counts: Record<RequestStatus, number>;
  /** Those that really wait, longest first. */
  waitingSignature: RequestView[];
  waitingPayment: RequestView[];
  /** Only a few days are left to sign their contract. */
  endingSoon: (RequestRow & { signBefore: string | null })[];
  failed: JobRow[];
  failedCount: number;
  openJobCount: number;
  runs: ScheduledRun[];
  copies: Copies;
}

export function readDashboard(ctx: Context): Dashboard {
  const { db } = ctx;
  const now = ctx.clock.now();
  const longest = (status: WaitingStatus) =>
    requestViews(db, listLongestWaiting(db, { status, now: iso(now), limit: ROWS }));
  const soon = { after: iso(now), until: iso(addDays(now, SOON_DAYS)), limit: ROWS };
  const jobs = jobCounts(ctx);
  return {
    counts: countByStatus(ctx),
    waitingSignature: longest('WAITING_SIGNATURE'),
    waitingPayment: longest('WAITING_PAYMENT'),
    endingSoon: listEndingSoon(db, soon),
    failed: listFailedJobs(db, {}, { limit: ROWS }),
    failedCount: jobs.failed,
    openJobCount: jobs.available + jobs.running,
    runs: listRuns(ctx),
    copies: readCopies(ctx),
  };
}
