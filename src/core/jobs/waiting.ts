/** Waiting and running jobs, and one attempt of a job that is due (rules 10). */
import { setTimeout as pause } from 'node:timers/promises';
import { runningDaemonPid } from '../../db/installation/daemon-lock.js';
import type { Db } from '../../db/db.js';
import { countOpenJobs, findJob } from '../../db/jobs/jobs.js';
import type { JobRow } from '../../db/schema.js';
import { runInstead } from '../commands.js';
import type { Context } from '../context.js';
import type { Data } from '../installation/data.js';
import { notFound, refused } from '../errors.js';
import { kindOf } from './kinds.js';

/** How many wait, by kind; kinds of which none waits are left out. */
export function countWaiting({ db }: Data): { kind: string; count: number }[] {
  return countOpenJobs(db).flatMap(({ kind, state, count }) =>
    state === 'available' ? { kind, count } : [],
  );
}

/** A waiting job. Throws `job_not_found`, `job_not_waiting` for one that runs or has ended, and `webhook_disabled`. */
export function getWaitingJob({ db }: { db: Db }, id: number): JobRow {
  const job = findJob(db, { id });
  if (!job) throw notFound('job_not_found', `There is no job ${id}.`);
  if (job.state === 'available') {
    const refusal = kindOf(job).whyPointless?.(db, job);
    if (refusal) throw refusal;
    return job;
  }
  const hint = job.state === 'failed' ? runInstead('failed replay', id) : undefined;
  throw refused('job_not_waiting', `Job ${id} is not waiting: it is ${job.state}.`, hint);
}

/** Whether a daemon runs the jobs, in this process or beside it. */
export function hasDaemon({ jobs, config }: Context): boolean {
  return jobs.isRunning || runningDaemonPid(config.dataDir) !== undefined;
}

/** One attempt of a due job, by the running daemon or else in this process. `before`: the row as it was made due. */
export async function attemptOnce(ctx: Context, before: JobRow, signal?: AbortSignal): Promise<void> {
  if (ctx.jobs.isRunning) await ctx.jobs.nextOutcome(before.id, DAEMON_WAIT_MS);
  else if (hasDaemon(ctx)) await waitForDaemon(ctx, before, signal);
  else await ctx.jobs.runNow(before.id);
}

const DAEMON_WAIT_MS = 90_000;
const LOOK_EVERY_MS = 50;

/** Waits until the daemon has attempted it once, or the signal aborts. */
async function waitForDaemon(ctx: Context, before: JobRow, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + DAEMON_WAIT_MS;
  while (performance.now() < until && !signal?.aborted) {
    const job = findJob(ctx.db, { id: before.id });
    const isTried = before.state !== 'available' || (job?.attempt ?? 0) > before.attempt;
    if (!job || (isTried && job.state !== 'running')) return;
    await pause(LOOK_EVERY_MS);
  }
}
