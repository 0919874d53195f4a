/** When the daemon asks the providers about everything that waits: it finds what a lost webhook would have said (rules 4). */
import type { Context } from '../context.js';
import { hasDaemon } from '../jobs/waiting.js';
import { listRuns } from './runs.js';

export interface BulkCheck {
  /** ISO 8601; null: never. */
  lastAt: string | null;
  /** ISO 8601; null: no daemon runs, or its schedule is off. */
  nextAt: string | null;
}

export function bulkCheck(ctx: Context): BulkCheck {
  const run = listRuns(ctx).find(({ run }) => run === 'reconcile');
  return { lastAt: run?.lastAt ?? null, nextAt: hasDaemon(ctx) ? (run?.nextAt ?? null) : null };
}
