/** The state of the service in a few numbers: what waits and since when, what has failed, what ran last (rules 10). */
import { listPerhapsSent } from '../../db/contracts/contracts.js';
import { countContractsByStatus } from '../../db/contracts/lists.js';
import { runningDaemonPid } from '../../db/installation/daemon-lock.js';
import { findHold } from '../../db/installation/installation.js';
import { findLastRun, listFailingRuns } from '../../db/installation/runs.js';
import type { ContractStatus, FailingName, JobState, RequestStatus, RunName } from '../../db/schema.js';
import { readCopies, type Copies } from '../backup/copies.js';
import type { Context } from '../context.js';
import { listRuns, numbersOf, type ScheduledRun } from '../schedule/runs.js';
import { jobCounts, longestWaiting, type LongestWaiting } from './depths.js';
import { countByStatus } from '../requests/requests.js';

export interface LastRun {
  startedAt: string;
  finishedAt: string | null;
  result: Record<string, number>;
}

export interface FailingRun {
  run: FailingName;
  since: string;
  times: number;
  error: string;
}

export interface ServiceStatus {
  daemon: { running: boolean; pid: number | null };
  /** Restored and not taken over: nothing is sent. Absent otherwise. */
  held?: { since: string; madeAt: string };
  requests: Record<RequestStatus, number>;
  contracts: Record<ContractStatus, number>;
  jobs: Record<Extract<JobState, 'available' | 'running'>, number>;
  failed: number;
  /** The longest wait for a signature and for a payment; null when nobody waits. */
  oldestWaiting: { signature: LongestWaiting | null; payment: LongestWaiting | null };
  lastExpiry: LastRun | null;
  lastReconcile: LastRun | null;
  lastBackup: LastRun | null;
  /** Requests whose contract may have been sent, because the provider never answered; absent when there are none. */
  perhapsSent?: { requestId: number; reference: string; since: string }[];
  /** The last good copies of the data, on this machine and off it. */
  copies: Copies;
  runs: ScheduledRun[];
  failing: FailingRun[];
}

/** More than a handful means that the provider is down. */
const PERHAPS_SENT_MAX = 6;

export function readStatus(ctx: Context): ServiceStatus {
  const pid = ctx.jobs.isRunning ? process.pid : runningDaemonPid(ctx.config.dataDir);
  const { failed, ...jobs } = jobCounts(ctx);
  const perhapsSent = listPerhapsSent(ctx.db, { limit: PERHAPS_SENT_MAX }).map(
    ({ activationAskedAt, ...request }) => ({ ...request, since: activationAskedAt as string }),
  );
  return {
    daemon: { running: pid !== undefined, pid: pid || null },
    ...heldOf(ctx),
    requests: countByStatus(ctx),
    contracts: countContractsByStatus(ctx.db),
    jobs,
    failed,
    oldestWaiting: {
      signature: longestWaiting(ctx, 'WAITING_SIGNATURE') ?? null,
      payment: longestWaiting(ctx, 'WAITING_PAYMENT') ?? null,
    },
    lastExpiry: lastRun(ctx, 'expire'),
    lastReconcile: lastRun(ctx, 'reconcile'),
    lastBackup: lastRun(ctx, 'backup'),
    ...(perhapsSent.length > 0 && { perhapsSent }),
    copies: readCopies(ctx),
    runs: listRuns(ctx),
    failing: listFailingRuns(ctx.db).map(({ name, since, times, error }) => ({
      run: name,
      since,
      times,
      error,
    })),
  };
}

function heldOf({ db }: Context): Pick<ServiceStatus, 'held'> {
  const hold = findHold(db);
  return hold ? { held: { since: hold.since, madeAt: hold.madeAt } } : {};
}

function lastRun({ db }: Context, name: RunName): LastRun | null {
  const run = findLastRun(db, { name });
  if (!run) return null;
  const { startedAt, finishedAt, result } = run;
  return { startedAt, finishedAt, result: numbersOf(JSON.parse(result ?? '{}')) };
}
