/**
 * The scheduled runs as they are watched (rules 12): the last and the next one, and whether one was missed. A run is late
 * when it has not succeeded two hours after its time: a daily one is then 26 hours old.
 */
import { Cron } from 'croner';
import { findInstallation } from '../../db/installation/installation.js';
import { findFailingRun, findLastRun, noteFailedRun } from '../../db/installation/runs.js';
import type { RunName, FailingName } from '../../db/schema.js';
import { addMs, iso, secondsSince, HOUR_MS } from '../clock.js';
import type { Data } from '../installation/data.js';
import { isHeld } from '../installation/hold.js';
import type { Config } from '../settings/config.js';
import { codeOf } from '../../db/caught.js';
import { SCHEDULE } from '../actor.js';
import { change } from '../change.js';
import type { Context } from '../context.js';
import { describeError } from '../errors.js';
import { mailJob } from '../mail/mail-job.js';
import { hasDaemon } from '../jobs/waiting.js';

export const RUN_NAMES = [
  'expire',
  'reconcile',
  'trails',
  'payments',
  'reminders',
  'housekeeping',
  'digest',
  'backup',
] as const satisfies readonly RunName[];

const LATE_AFTER_MS = 2 * HOUR_MS;

export interface ScheduledRun {
  run: (typeof RUN_NAMES)[number];
  /** It succeeded last: ISO 8601. Null: never. */
  lastAt: string | null;
  /** How long ago that is. */
  ageSeconds: number | null;
  result: Record<string, number>;
  /** ISO 8601; null: its schedule is off, or no backups are set up. */
  nextAt: string | null;
  isFailing: boolean;
  isLate: boolean;
}

type Reader = Pick<Data, 'config' | 'clock' | 'db'>;

export function listRuns(ctx: Reader, names: readonly ScheduledRun['run'][] = RUN_NAMES): ScheduledRun[] {
  return names.map((run) => runOf(ctx, run));
}

function runOf({ config, clock, db }: Reader, run: ScheduledRun['run']): ScheduledRun {
  const now = clock.now();
  const last = findLastRun(db, { name: run });
  const cron = cronOf(config, run);
  const times = cron === undefined ? undefined : new Cron(cron, { timezone: config.timeZone });
  // Of an installation that is younger than its first run nothing is late.
  const since = last?.startedAt ?? findInstallation(db).createdAt;
  const latest = addMs(now, -LATE_AFTER_MS);
  const [due] = (since < iso(latest) && times?.previousRuns(1, latest)) || [];
  return {
    run,
    lastAt: last?.startedAt ?? null,
    ageSeconds: last ? secondsSince(last.startedAt, now) : null,
    result: numbersOf(JSON.parse(last?.result ?? '{}')),
    nextAt: isoOrNull(times?.nextRun(now)),
    isFailing: findFailingRun(db, { name: run }) !== undefined,
    isLate: due !== undefined && since < iso(due),
  };
}

/** Undefined: it is off. */
export function cronOf(config: Config, run: ScheduledRun['run']): string | undefined {
  const { expireCron, reconcileCron, housekeepingCron, digestCron, backupCron, backupDir } = config;
  const crons = {
    expire: expireCron,
    reconcile: reconcileCron,
    trails: reconcileCron,
    payments: reconcileCron,
    reminders: config.remindDays.length > 0 ? reconcileCron : undefined,
    housekeeping: housekeepingCron,
    digest: digestCron,
    backup: backupDir === undefined ? undefined : backupCron,
  } satisfies Record<ScheduledRun['run'], string | undefined>;
  return crons[run];
}

/** The numbers of a result, without its long lists. */
export function numbersOf(result: object): Record<string, number> {
  const told: [string, unknown][] = Object.entries(result);
  return Object.fromEntries(told.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

function isoOrNull(at: Date | null | undefined): string | null {
  return at ? iso(at) : null;
}

// Failing scheduled work is recorded from its first failure to the next good run, or until the daemon starts without it.
// Meanwhile doctor, status and metrics report it; the administrator gets one mail.

/** Runs that ask a provider about many things. */
export type RoundName = Extract<RunName, 'reconcile' | 'trails' | 'payments' | 'reminders'>;
const ROUNDS: readonly FailingName[] = ['reconcile', 'trails', 'payments', 'reminders'] satisfies RoundName[];

export function isRound(name: FailingName): name is RoundName {
  return ROUNDS.includes(name);
}

export async function rememberFailure(ctx: Context, name: FailingName, cause: unknown): Promise<void> {
  const error = describeError(cause);
  const code = codeOf(cause) || null;
  await change(ctx, { actor: SCHEDULE }, (tx) => {
    const { since, times } = noteFailedRun(tx.db, { name, at: tx.now, error, code });
    // A provider outage passes, has its own alert, and is retried half an hour later. That mail is refused, no mail can tell.
    if (times > 1 || isRound(name) || name === 'mail') return;
    tx.enqueue(mailJob, { mail: 'run-failing', run: name, since, error });
  });
}

// When the daemon asks the providers about everything that waits: it finds what a lost webhook would have said (rules 4).

export interface BulkCheck {
  /** ISO 8601; null: never. */
  lastAt: string | null;
  /** ISO 8601; null: no daemon runs, its schedule is off, or the data is held. */
  nextAt: string | null;
}

export function bulkCheck(ctx: Context): BulkCheck {
  const [run] = listRuns(ctx, ['reconcile']);
  const isToCome = hasDaemon(ctx) && !isHeld(ctx);
  return { lastAt: run?.lastAt ?? null, nextAt: isToCome ? (run?.nextAt ?? null) : null };
}
