/**
 * Scheduled work that fails is kept as one spell, from its first failure to the next run that ends well: doctor, status and
 * metrics tell of it for as long as it lasts, and the administrator is told once.
 */
import { findLastRun, listFailingRuns, noteFailedRun } from '../../db/runs.js';
import type { RunName } from '../../db/schema.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import type { Data } from '../data.js';
import { describeError } from '../errors.js';
import { enqueue } from '../jobs/queue.js';

/** An outage of a provider passes, has its own alert, and is retried half an hour later. */
const NO_MAIL: readonly RunName[] = ['reconcile'];

const RUN_NAMES = ['expire', 'reconcile', 'care', 'backup'] as const satisfies readonly RunName[];

export interface ScheduledWork {
  run: RunName;
  isFailing: boolean;
  /** ISO 8601; undefined: it has never ended well. */
  lastGoodAt: string | undefined;
}

export function listScheduledWork({ db }: Data): ScheduledWork[] {
  const failing = new Set(listFailingRuns(db).map(({ name }) => name));
  return RUN_NAMES.map((run) => ({
    run,
    isFailing: failing.has(run),
    lastGoodAt: findLastRun(db, run)?.startedAt,
  }));
}

export async function rememberFailure(ctx: Context, name: RunName, cause: unknown): Promise<void> {
  const now = iso(ctx.clock.now());
  const error = describeError(cause);
  await ctx.writer.write((db) => {
    const { since, times } = noteFailedRun(db, { name, at: now, error });
    if (times > 1 || NO_MAIL.includes(name)) return;
    enqueue(db, {
      kind: 'send-mail',
      payload: { mail: 'run-failing', run: name, since, error },
      uniqueKey: `mail:run-failing:${name}:${since}`,
      now,
    });
  });
}
