/**
 * The daemon's schedules (settings ESIGN_…_CRON, in ESIGN_TIMEZONE): daily expiry; bulk check, and after it audit trails; payments and
 * reminders; retention; the daily mail; backup; and whether the copy off this machine is too old.
 */
import { Cron } from 'croner';
import { listUnfinishedContracts } from '../../db/contracts/contracts.js';
import {
  endFailing,
  findFailingRun,
  findLastRun,
  listFailingRuns,
  replaceRun,
} from '../../db/installation/runs.js';
import type { FailingName, RunName } from '../../db/schema.js';
import { SCHEDULE } from '../actor.js';
import { isRound, numbersOf, rememberFailure, cronOf, RUN_NAMES, type ScheduledRun } from './runs.js';
import { prune } from '../retention/prune.js';
import { watchCopies } from '../backup/copies.js';
import { backUpBySchedule } from '../backup/write-backup.js';
import { iso, DAY_MS, MINUTE_MS } from '../clock.js';
import { isHeld } from '../installation/hold.js';
import { keepAuditTrails } from '../evidence/audit-trail.js';
import { orderDigest } from '../needs/digest.js';
import type { Context } from '../context.js';
import { expireContracts } from '../contracts/expire-contracts.js';
import { describeError } from '../errors.js';
import { remindDue } from '../reminders/remind-request.js';
import { checkAllPayments } from '../payment/check-all-payments.js';
import { checkAllSignatures } from '../signature/check-all-signatures.js';
import { wallClock } from '../zone.js';

/** How soon a copy that is too old is told. */
const COPIES_CRON = '*/10 * * * *';

export interface Schedules {
  /** Starts nothing more and waits for running work. */
  stop(): Promise<void>;
}

type Task = ScheduledRun['run'] | 'copies';

/** What a task gives back: numbers for the log, and why it was not a good run. */
type Outcome = object & { trouble?: string };

/** A task that takes longer is stopped after what it is at, and has failed. The others have nothing to wait for. */
const BUDGET_MS = 10 * MINUTE_MS;
const OWN_BUDGET_MS: Partial<Record<Task, number>> = {
  housekeeping: 60 * MINUTE_MS,
  backup: 360 * MINUTE_MS,
};

/**
 * Starts the schedules. A run that was missed while the daemon was down is made up for at once: contracts expire, and
 * the bulk check finds what lost webhooks would have reported. It also runs at once when a crash has interrupted a start
 * or a reset.
 */
export function startSchedules(ctx: Context): Schedules {
  const { expireCron, backupDir, remindDays } = ctx.config;
  const stopping = new AbortController();
  const underWay = new Map<Task, Promise<void>>();
  /** Each task is protected for itself: it does not begin while it is still running. */
  const run = (name: Task, work: (signal: AbortSignal) => Promise<Outcome>): Promise<void> => {
    const running =
      underWay.get(name) ??
      runOnce(ctx, name, { work, stopping: stopping.signal }).finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running;
  };
  const by = { actor: SCHEDULE };
  const expire = () => run('expire', (signal) => expireContracts(ctx, { ...by, signal }));
  const reconcile = async () => {
    await run('reconcile', (signal) =>
      checkAllSignatures(ctx, { ...by, signal, overSince: askedSince(ctx) }),
    );
    await run('trails', (signal) => keepAuditTrails(ctx, { signal }));
  };
  const checkPayments = async () => {
    await run('payments', (signal) => checkAllPayments(ctx, { ...by, signal }));
    // Whoever has paid meanwhile is not reminded.
    if (remindDays.length > 0) await run('reminders', (signal) => remindDue(ctx, { signal }));
  };

  const housekeeping = () => run('housekeeping', (signal) => prune(ctx, { ...by, signal }));
  const backUp = (directory: string) => () =>
    run('backup', (signal) => backUpBySchedule(ctx, { directory, signal }));

  const crons: Cron[] = [];
  const start = (name: ScheduledRun['run'], work: () => Promise<void>) => {
    const pattern = cronOf(ctx.config, name);
    if (!pattern) return;
    crons.push(new Cron(pattern, { timezone: ctx.config.timeZone }, work));
    if (isOverdue(ctx, name, pattern) || (name === 'reconcile' && isSendingCutShort(ctx))) void work();
  };
  const stopWaiting = whenLetGo(ctx, () => {
    void endWhatIsOff(ctx);
    start('expire', expire);
    start('reconcile', async () => {
      // Retries an expiry that was refused because the clock was wrong.
      const retried = expireCron && isFailing(ctx, 'expire') ? expire() : undefined;
      await Promise.all([reconcile(), retried]);
    });
    start('payments', checkPayments);
    start('housekeeping', housekeeping);
    start('digest', () => run('digest', () => orderDigest(ctx, by)));
    if (backupDir) start('backup', backUp(backupDir));
    if (ctx.config.offsiteMinutesMax !== undefined) {
      const watch = () => run('copies', () => watchCopies(ctx));
      crons.push(new Cron(COPIES_CRON, watch));
      void watch();
    }
  });
  return {
    async stop() {
      stopWaiting();
      stopping.abort();
      for (const cron of crons) cron.stop();
      await Promise.allSettled(underWay.values());
    },
  };
}

/** Never throws: a failure is recorded. */
async function runOnce(
  ctx: Context,
  run: Task,
  { work, stopping }: { work: (signal: AbortSignal) => Promise<Outcome>; stopping: AbortSignal },
): Promise<void> {
  const startedAt = iso(ctx.clock.now());
  const budgetMs = OWN_BUDGET_MS[run] ?? BUDGET_MS;
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), budgetMs);
  const { outcome, trouble } = await work(AbortSignal.any([stopping, time.signal]))
    .then(
      (outcome) => ({ outcome, trouble: outcome.trouble as unknown }),
      (error: unknown) => ({ outcome: {}, trouble: error }),
    )
    .finally(() => clearTimeout(timer));
  // Made up for at the next start.
  if (stopping.aborted) return ctx.log.info({ run }, 'scheduled run cut short');
  const failure = time.signal.aborted ? `not finished after ${budgetMs / MINUTE_MS} minutes` : trouble;
  try {
    if (failure === undefined) {
      // The others record themselves, because a person's command counts too.
      if (run !== 'copies' && run !== 'reconcile' && isRound(run))
        await recordRound(ctx, { name: run, startedAt, outcome });
      return ctx.log.info({ run, result: numbersOf(outcome) }, 'scheduled run finished');
    }
    ctx.log.error({ run, error: describeError(failure) }, 'scheduled run failed');
    if (run !== 'copies') await rememberFailure(ctx, run, failure);
  } catch (error) {
    ctx.log.error({ run, error: describeError(error) }, 'a run could not be recorded');
  }
}

/** What is no longer set up has no next good run that could end its failure. */
async function endWhatIsOff({ config, db, writer, log }: Context): Promise<void> {
  const off: FailingName[] = RUN_NAMES.filter((run) => cronOf(config, run) === undefined);
  if (config.offsiteMinutesMax === undefined) off.push('offsite');
  const over = listFailingRuns(db).filter(({ name }) => off.includes(name));
  if (over.length === 0) return;
  await writer
    .write((tx) => {
      for (const { name } of over) endFailing(tx, { name });
    })
    .catch((error: unknown) => log.error({ error: describeError(error) }, 'a run could not be recorded'));
}

/** They run so often that only the newest run is kept. */
function recordRound(
  { writer, clock }: Context,
  { name, startedAt, outcome }: { name: RunName; startedAt: string; outcome: Outcome },
): Promise<void> {
  const result = JSON.stringify(numbersOf(outcome));
  return writer.write((db) => replaceRun(db, { name, startedAt, finishedAt: iso(clock.now()), result }));
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

/**
 * Contracts that were over before this are asked about once a day: they rarely change, and would have the provider's list
 * read further back from day to day. Undefined when no check has begun today.
 */
function askedSince({ db, config: { timeZone }, clock }: Context): string | undefined {
  const now = clock.now();
  const dayOf = (at: string | Date) => wallClock(timeZone, at).day;
  const begun = [
    findLastRun(db, { name: 'reconcile' })?.startedAt,
    findFailingRun(db, { name: 'reconcile' })?.lastAt,
  ];
  const isFirstToday = !begun.some((at) => at !== undefined && dayOf(at) === dayOf(now));
  return isFirstToday ? undefined : iso(new Date(now.getTime() - DAY_MS));
}

/** True when a start or reset is unfinished. The check leaves alone what is really still running. */
function isSendingCutShort({ db }: Context): boolean {
  return listUnfinishedContracts(db, { after: 0, limit: 1 }).length > 0;
}

function isFailing({ db }: Context, name: RunName): boolean {
  return findFailingRun(db, { name }) !== undefined;
}

/** True when the last scheduled time has passed without a run. */
function isOverdue(ctx: Context, name: RunName, cron: string): boolean {
  const last = findLastRun(ctx.db, { name });
  const [due] = new Cron(cron, { timezone: ctx.config.timeZone }).previousRuns(1, ctx.clock.now());
  return !last || (due !== undefined && last.startedAt < iso(due));
}
