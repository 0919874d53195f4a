/** The daemon's schedules: daily expiry, bulk check, retention, backup (settings ESIGN_…_CRON, in ESIGN_TIMEZONE). */
import { Cron } from 'croner';
import { listUnfinishedContracts } from '../../db/contracts/contracts.js';
import { findLastRun, listFailingRuns } from '../../db/installation/runs.js';
import type { RunName } from '../../db/schema.js';
import { SCHEDULE } from '../actor.js';
import { rememberFailure } from './failing-runs.js';
import { cronOf, type ScheduledRun } from './runs.js';
import { prune } from '../retention/prune.js';
import { watchCopies } from '../backup/copies.js';
import { backUpBySchedule } from '../backup/scheduled.js';
import { iso } from '../clock.js';
import { isHeld } from '../installation/hold.js';
import { keepAuditTrails } from '../evidence/keep-audit-trails.js';
import { orderDigest } from '../needs/digest.js';
import type { Context } from '../context.js';
import { expireContracts } from '../contracts/expire-contracts.js';
import { describeError } from '../errors.js';
import { remindDue } from '../reminders/remind-due.js';
import { checkAllPayments } from '../payment/check-all-payments.js';
import { checkAllSignatures } from '../signature/check-all-signatures.js';
import { wallClock } from '../zone.js';

/** How soon a copy that is too old is told. */
const COPIES_CRON = '*/10 * * * *';

export interface Schedules {
  /** Starts nothing more and waits for running work. */
  stop(): Promise<void>;
}

/**
 * Starts the schedules. A run that was missed while the daemon was down is made up for at once: contracts expire, and
 * the bulk check finds what lost webhooks would have reported. It also runs at once when a crash has interrupted a start
 * or a reset.
 */
export function startSchedules(ctx: Context): Schedules {
  const { expireCron, backupDir } = ctx.config;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const run = (
    name: ScheduledRun['run'] | 'reconcile payments' | 'reminders' | 'audit trails' | 'copies',
    work: () => Promise<unknown>,
  ) => {
    const running = work()
      .then((result) => ctx.log.info({ run: name, result: counts(result) }, 'scheduled run finished'))
      .catch(async (error: unknown) => {
        // Made up for at the next start.
        if (stopping.signal.aborted) return ctx.log.info({ run: name }, 'scheduled run cut short');
        ctx.log.error({ run: name, error: describeError(error) }, 'scheduled run failed');
        if (isWatched(name)) await rememberFailure(ctx, name, error);
      })
      .catch((error: unknown) => {
        ctx.log.error({ run: name, error: describeError(error) }, 'a failed run could not be recorded');
      })
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };
  const expire = () => run('expire', () => expireContracts(ctx, { actor: SCHEDULE }));
  const { signal } = stopping;
  const check = { actor: SCHEDULE, signal };
  const reconcile = async () => {
    await Promise.all([
      run('reconcile', () => checkAllSignatures(ctx, { ...check, overSince: askedSince(ctx) })).then(() =>
        run('audit trails', () => keepAuditTrails(ctx, { signal })),
      ),
      // Whoever has paid meanwhile is not reminded.
      run('reconcile payments', () => checkAllPayments(ctx, check)).then(() =>
        run('reminders', () => remindDue(ctx, { signal })),
      ),
      // Retries an expiry that was refused because the clock was wrong.
      expireCron && isFailing(ctx, 'expire') && expire(),
    ]);
  };

  const care = () => run('care', () => prune(ctx, { actor: SCHEDULE, signal }));
  const backUp = (directory: string) => () =>
    run('backup', () => backUpBySchedule(ctx, { directory, signal }));

  const crons: Cron[] = [];
  const start = (name: ScheduledRun['run'], work: () => Promise<void>) => {
    const pattern = cronOf(ctx.config, name);
    if (!pattern) return;
    crons.push(new Cron(pattern, { timezone: ctx.config.timeZone, protect: true }, work));
    if (isOverdue(ctx, name, pattern) || (name === 'reconcile' && isSendingCutShort(ctx))) void work();
  };
  const stopWaiting = whenLetGo(ctx, () => {
    start('expire', expire);
    start('reconcile', reconcile);
    start('care', care);
    start('digest', () => run('digest', () => orderDigest(ctx, { actor: SCHEDULE })));
    if (backupDir) start('backup', backUp(backupDir));
    if (ctx.config.offsiteMinutesMax !== undefined) {
      const watch = () => run('copies', () => watchCopies(ctx));
      crons.push(new Cron(COPIES_CRON, { protect: true }, watch));
      void watch();
    }
  });
  return {
    async stop() {
      stopWaiting();
      stopping.abort();
      for (const cron of crons) cron.stop();
      await Promise.allSettled(underWay);
    },
  };
}

const LOOK_MS = 1_000;

/** Acts at once, or as soon as a held installation is let go. Returns what ends the waiting. */
function whenLetGo(ctx: Context, act: () => void): () => void {
  if (!isHeld(ctx)) {
    act();
    return () => undefined;
  }
  ctx.log.warn('the data was restored and is held: nothing is sent until somebody takes over');
  const timer = setInterval(() => {
    if (isHeld(ctx)) return;
    clearInterval(timer);
    ctx.log.info('let go: schedules and jobs run');
    act();
  }, LOOK_MS);
  return () => clearInterval(timer);
}

/** The others are parts of the bulk check, or tell of what others do. */
function isWatched(name: string): name is RunName {
  return !['reconcile payments', 'reminders', 'audit trails', 'copies'].includes(name);
}

const DAY_MS = 86_400_000;

/**
 * Contracts that were over before this are asked about once a day: they rarely change, and would have the provider's list
 * read further back from day to day. Undefined when no check has begun today.
 */
function askedSince({ db, config: { timeZone }, clock }: Context): string | undefined {
  const now = clock.now();
  const last = findLastRun(db, { name: 'reconcile' });
  const isFirstToday = !last || wallClock(timeZone, last.startedAt).day !== wallClock(timeZone, now).day;
  return isFirstToday ? undefined : iso(new Date(now.getTime() - DAY_MS));
}

/** True when a start or reset is unfinished. The check leaves alone what is really still running. */
function isSendingCutShort({ db }: Context): boolean {
  return listUnfinishedContracts(db, { after: 0, limit: 1 }).length > 0;
}

function isFailing({ db }: Context, name: RunName): boolean {
  return listFailingRuns(db).some((run) => run.name === name);
}

/** True when the last scheduled time has passed without a run. */
function isOverdue(ctx: Context, name: RunName, cron: string): boolean {
  const last = findLastRun(ctx.db, { name });
  const [due] = new Cron(cron, { timezone: ctx.config.timeZone }).previousRuns(1, ctx.clock.now());
  return !last || (due !== undefined && last.startedAt < iso(due));
}

/** The numbers of a result, without its long lists. */
function counts(result: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result as object).filter(([, value]) => typeof value === 'number'),
  );
}
