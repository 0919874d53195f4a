/** The start page of the office: what waits and since when, what ends soon; and the technical one: what has failed, what ran. */
import { listEndingSoon } from '../../db/contracts/contracts.js';
import { countReported, type Figure } from '../../db/contracts/report.js';
import { listFailedJobs } from '../../db/jobs/failed.js';
import { listLongestWaiting, type WaitingStatus } from '../../db/requests/requests.js';
import type { JobRow, RequestRow, RequestStatus } from '../../db/schema.js';
import { readCopies, type Copies } from '../backup/copies.js';
import { addDays, iso, DAY_MS } from '../clock.js';
import type { Context } from '../context.js';
import { listRuns, type ScheduledRun } from '../schedule/runs.js';
import { jobCounts } from './depths.js';
import { countByStatus, requestViews, type RequestView } from '../requests/requests.js';
import { listPayingTimes, listSigningTimes } from '../../db/contracts/lists.js';
import { plusDays, startOfDay, wallClock } from '../zone.js';

const ROWS = 6;
const SOON_DAYS = 7;

export interface Dashboard {
  counts: Record<RequestStatus, number>;
  /** Those that really wait, longest first. */
  waitingSignature: RequestView[];
  waitingPayment: RequestView[];
  /** Only a few days are left to sign their contract. */
  endingSoon: (RequestRow & { signBefore: string | null })[];
}

/** For whoever runs the server. */
export interface TechnicalBoard {
  failed: JobRow[];
  failedCount: number;
  openJobCount: number;
  runs: ScheduledRun[];
  copies: Copies;
}

export function readTechnical(ctx: Context): TechnicalBoard {
  const jobs = jobCounts(ctx);
  return {
    failed: listFailedJobs(ctx.db, {}, { limit: ROWS }),
    failedCount: jobs.failed,
    openJobCount: jobs.available + jobs.running,
    runs: listRuns(ctx),
    copies: readCopies(ctx),
  };
}

export function readDashboard(ctx: Context): Dashboard {
  const { db } = ctx;
  const now = ctx.clock.now();
  const longest = (status: WaitingStatus) =>
    requestViews(db, listLongestWaiting(db, { status, now: iso(now), limit: ROWS }));
  const soon = { after: iso(now), until: iso(addDays(now, SOON_DAYS)), limit: ROWS };
  return {
    counts: countByStatus(ctx),
    waitingSignature: longest('WAITING_SIGNATURE'),
    waitingPayment: longest('WAITING_PAYMENT'),
    endingSoon: listEndingSoon(db, soon),
  };
}

// The last three months, week by week: what the report counts, and how long customers took.

export interface Week {
  /** Its Monday, `2026-03-02`, in ESIGN_TIMEZONE. */
  monday: string;
  sent: number;
  signed: number;
  paid: number;
}

export interface Trend {
  weeks: Week[];
  /** The median, in days; null when nobody has. */
  daysToSign: number | null;
  daysToPay: number | null;
}

const WEEKS = 13;
/** The newest of them tell enough, and a large firm's dashboard stays quick. */
const TIMES_MAX = 1_000;

export function readTrend({ db, config, clock }: Context): Trend {
  const mondays = lastMondays(wallClock(config.timeZone, clock.now()).day);
  const starts = mondays.map((monday) => iso(startOfDay(config.timeZone, monday)));
  const [first = ''] = starts;
  const weeks = mondays.slice(0, WEEKS).map((monday, i) => {
    const [from, until] = starts.slice(i, i + 2) as [string, string];
    const span = { from, until, overdueSince: from };
    const count = (figure: Figure) => countReported(db, figure, span);
    return { monday, sent: count('sent'), signed: count('signed'), paid: count('paid') };
  });
  const newest = { from: first, limit: TIMES_MAX };
  return {
    weeks,
    daysToSign: medianDays(listSigningTimes(db, newest)),
    daysToPay: medianDays(listPayingTimes(db, newest)),
  };
}

/** Of the weeks before this one, of this one and of the next, at which it ends. */
function lastMondays(today: string): string[] {
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: WEEKS + 1 }, (_, i) => plusDays(today, (i - WEEKS + 1) * 7 - sinceMonday));
}

/** A begin is ours and an end may be the provider's, in whole seconds: it can seem to lie a moment before the begin. */
function medianDays(times: { begin: string | null; end: string | null }[]): number | null {
  const days = times
    .flatMap(({ begin, end }) =>
      begin && end ? [Math.max(0, Date.parse(end) - Date.parse(begin)) / DAY_MS] : [],
    )
    .toSorted((a, b) => a - b);
  return days[Math.floor(days.length / 2)] ?? null;
}
