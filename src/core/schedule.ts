/** The daemon's own clockwork: daily expiry and bulk check (settings ESIGN_EXPIRE_CRON, ESIGN_RECONCILE_CRON; UTC). */
import { Cron } from 'croner';
import { findLastRun } from '../db/runs.js';
import type { RunName } from '../db/schema.js';
import { SCHEDULE } from './actor.js';
import { iso } from './clock.js';
import type { Context } from './context.js';
import { expireContracts } from './contracts/expire-contracts.js';
import { describeError } from './errors.js';
import { checkAllPayments } from './payment/check-all-payments.js';
import { checkAllSignatures } from './signature/check-all-signatures.js';

export interface Schedules {
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>;
}

/**
 * Starts the schedules. A run that was missed while the daemon was down is made up for at once: contracts expire, and
 * webhooks that found nobody, and resets that a crash cut short, are caught up with.
 */
export function startSchedules(ctx: Context): Schedules {
  const { expireCron, reconcileCron } = ctx.config;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const run = (name: string, work: () => Promise<unknown>) => {
    const running = work()
      .then((result) => ctx.log.info({ run: name, result: counts(result) }, 'scheduled run finished'))
      .catch((error: unknown) =>
        ctx.log.error({ run: name, error: describeError(error) }, 'scheduled run failed'),
      )
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };
  const expire = () => run('expire', () => expireContracts(ctx, { actor: SCHEDULE }));
  const check = { actor: SCHEDULE, signal: stopping.signal };
  const reconcile = async () => {
    await Promise.all([
      run('reconcile', () => checkAllSignatures(ctx, check)),
      run('reconcile payments', () => checkAllPayments(ctx, check)),
    ]);
  };

  const options = { timezone: 'UTC', protect: true };
  const crons: Cron[] = [];
  if (expireCron) crons.push(new Cron(expireCron, options, expire));
  if (reconcileCron) crons.push(new Cron(reconcileCron, options, reconcile));
  if (expireCron && isOverdue(ctx, 'expire', expireCron)) void expire();
  if (reconcileCron && isOverdue(ctx, 'reconcile', reconcileCron)) void reconcile();
  return {
    async stop() {
      stopping.abort();
      for (const cron of crons) cron.stop();
      await Promise.allSettled(underWay);
    },
  };
}

/** True when the last time that the schedule names has passed without a run. */
function isOverdue(ctx: Context, name: RunName, cron: string): boolean {
  const last = findLastRun(ctx.db, name);
  const [due] = new Cron(cron, { timezone: 'UTC' }).previousRuns(1, ctx.clock.now());
  return !last || (due !== undefined && last.startedAt < iso(due));
}

/** The numbers of a result, without its long lists. */
function counts(result: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result as object).filter(([, value]) => typeof value === 'number'),
  );
}
