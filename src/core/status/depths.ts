/** How much waits, and since when, for monitoring. Finished work is never counted, so the cost stays flat. */
import { statSync } from 'node:fs';
import { countOpenJobs, type JobDepth } from '../../db/jobs/jobs.js';
import { listLongestWaiting, type WaitingStatus } from '../../db/requests/requests.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { firstDueAt } from '../jobs/due.js';
import { paths } from '../installation/paths.js';

/** Jobs of each kind that wait, run or have failed; kinds and states without any are left out. */
export function openJobs({ db }: Pick<Context, 'db'>): JobDepth[] {
  return countOpenJobs(db);
}

export function jobCounts(ctx: Pick<Context, 'db'>): Record<JobDepth['state'], number> {
  const counts = { available: 0, running: 0, failed: 0 };
  for (const { state, count } of openJobs(ctx)) counts[state] += count;
  return counts;
}

/** How long the oldest due job has been due; 0 when none is. */
export function oldestDueJobSeconds(ctx: Context): number {
  return ageSeconds(ctx, firstDueAt(ctx.db));
}

export interface LongestWaiting {
  requestId: number;
  reference: string;
  /** ISO 8601: when it began to wait. */
  since: string;
  seconds: number;
}

/** The request that has waited longest in this status, without those that the office has to look at; undefined when none waits. */
export function longestWaiting(ctx: Context, status: WaitingStatus): LongestWaiting | undefined {
  const [longest] = listLongestWaiting(ctx.db, { status, now: iso(ctx.clock.now()), limit: 1 });
  if (!longest) return undefined;
  const { id: requestId, reference, statusSince: since } = longest;
  return { requestId, reference, since, seconds: Math.floor(ageSeconds(ctx, since)) };
}

export function databaseBytes({ config }: Context): { database: number; wal: number } {
  const database = paths.database(config.dataDir);
  return { database: bytesOf(database), wal: bytesOf(`${database}-wal`) };
}

function ageSeconds({ clock }: Context, since: string | undefined): number {
  return since === undefined ? 0 : Math.max(0, (clock.now().getTime() - Date.parse(since)) / 1000);
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
