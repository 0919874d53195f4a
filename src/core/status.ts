/** The state of the service in a few numbers: what waits and since when, what has failed, what ran last (decisions 12). */
import { countContractsByStatus } from '../db/contract-lists.js';
import { runningDaemonPid } from '../db/daemon-lock.js';
import { findLastRun, listFailingRuns } from '../db/runs.js';
import type { ContractStatus, JobState, RequestStatus, RunName } from '../db/schema.js';
import type { Context } from './context.js';
import { longestWaiting, openJobs, type LongestWaiting } from './depths.js';
import { countByStatus } from './requests/browse-requests.js';
import { listPerhapsSent } from './signature/perhaps-sent.js';

export interface LastRun {
  startedAt: string;
  finishedAt: string | null;
  /** The numbers that the run told. */
  result: Record<string, number>;
}

export interface FailingRun {
  run: RunName;
  /** When it failed first without a good run since. */
  since: string;
  times: number;
  error: string;
}

export interface ServiceStatus {
  daemon: { running: boolean; pid: number | null };
  requests: Record<RequestStatus, number>;
  contracts: Record<ContractStatus, number>;
  jobs: Record<Extract<JobState, 'available' | 'running'>, number>;
  /** Jobs in the failed list. */
  failed: number;
  /** Who has waited longest for a signature, and for a payment; null: nobody waits. */
  oldestWaiting: { signature: LongestWaiting | null; payment: LongestWaiting | null };
  lastExpiry: LastRun | null;
  lastReconcile: LastRun | null;
  lastBackup: LastRun | null;
  /** Of these the provider was asked to send the contract, and never answered; without the member there is none. */
  perhapsSent?: { requestId: number; reference: string; since: string }[];
  /** Scheduled work whose last run failed. */
  failing: FailingRun[];
}

export function readStatus(ctx: Context): ServiceStatus {
  const pid = ctx.jobs.isRunning ? process.pid : runningDaemonPid(ctx.config.dataDir);
  const depths = openJobs(ctx);
  const inState = (state: JobState) =>
    depths.filter((depth) => depth.state === state).reduce((sum, { count }) => sum + count, 0);
  const perhapsSent = listPerhapsSent(ctx).map(({ request: { id, reference }, since }) => ({
    requestId: id,
    reference,
    since,
  }));
  return {
    daemon: { running: pid !== undefined, pid: pid || null },
    requests: countByStatus(ctx),
    contracts: countContractsByStatus(ctx.db),
    jobs: { available: inState('available'), running: inState('running') },
    failed: inState('failed'),
    oldestWaiting: {
      signature: longestWaiting(ctx, 'WAITING_SIGNATURE') ?? null,
      payment: longestWaiting(ctx, 'WAITING_PAYMENT') ?? null,
    },
    lastExpiry: lastRun(ctx, 'expire'),
    lastReconcile: lastRun(ctx, 'reconcile'),
    lastBackup: lastRun(ctx, 'backup'),
    ...(perhapsSent.length > 0 && { perhapsSent }),
    failing: listFailingRuns(ctx.db).map(({ name, since, times, error }) => ({
      run: name,
      since,
      times,
      error,
    })),
  };
}

function lastRun({ db }: Context, name: RunName): LastRun | null {
  const run = findLastRun(db, name);
  if (!run) return null;
  const { startedAt, finishedAt, result } = run;
  const told = Object.entries(JSON.parse(result ?? '{}') as Record<string, unknown>);
  const numbers = told.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return { startedAt, finishedAt, result: Object.fromEntries(numbers) };
}
