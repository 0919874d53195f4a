/**
 * The last good copies of the data, on this machine and off it (rules 12). A copy off this machine that is too old, or
 * missing, is a failing run: doctor, status, metrics and the list of what needs the office say so, and one mail.
 */
import { findInstallation, findInstallationId } from '../../db/installation/installation.js';
import { endFailing, findFailingRun, findLastRun, replaceRun } from '../../db/installation/runs.js';
import type { RunName, RunRow } from '../../db/schema.js';
import { iso, secondsSince, MINUTE_MS } from '../clock.js';
import type { Context } from '../context.js';
import { refused } from '../errors.js';
import type { Data } from '../installation/data.js';
import { rememberFailure } from '../schedule/runs.js';
import type { Snapshot } from './write-snapshot.js';

export interface Copy {
  /** What was committed by then is in it: ISO 8601. Null: there is none. */
  madeAt: string | null;
  ageSeconds: number | null;
  /** The file or directory here; the name of the other place. */
  where: string | null;
}

export interface Copies {
  /** A scheduled backup or a snapshot. */
  here: Copy;
  /** `isLate`: older than `ESIGN_OFFSITE_MAX_AGE`, or none in the first day of an installation. */
  offSite: Copy & { isLate: boolean };
}

/** Time to set it up. */
const FIRST_DAY_MINUTES = 24 * 60;

export function readCopies({ config, clock, db }: Data): Copies {
  const now = clock.now();
  const last = (name: RunName, where: string) => copyOf(findLastRun(db, { name }), where, now);
  const [backup, snapshot] = [last('backup', 'file'), last('snapshot', 'directory')];
  const offSite = last('offsite', 'to');
  const { offsiteMinutesMax: max } = config;
  const since = offSite.madeAt ?? findInstallation(db).createdAt;
  const allowed = offSite.madeAt === null ? Math.max(max ?? 0, FIRST_DAY_MINUTES) : (max ?? 0);
  const isLate = max !== undefined && now.getTime() - Date.parse(since) > allowed * MINUTE_MS;
  return {
    here: (backup.madeAt ?? '') > (snapshot.madeAt ?? '') ? backup : snapshot,
    offSite: { ...offSite, isLate },
  };
}

function copyOf(run: RunRow | undefined, where: string, now: Date): Copy {
  if (!run) return { madeAt: null, ageSeconds: null, where: null };
  const result: Record<string, unknown> = JSON.parse(run.result ?? '{}');
  return {
    madeAt: run.startedAt,
    ageSeconds: secondsSince(run.startedAt, now),
    where: String(result[where]),
  };
}

export async function rememberSnapshot(ctx: Context, { madeAt, ...result }: Snapshot): Promise<void> {
  await remember(ctx, 'snapshot', madeAt, result);
}

/** The snapshot of this directory is now at another place as well. Throws `backup_damaged`, and `not_a_snapshot` for one of other data. */
export async function rememberSent(
  ctx: Context,
  { directory, to }: { directory: string; to: string },
): Promise<{ to: string; madeAt: string; sentAt: string }> {
  // It would slow down every command that only asks how old the copies are.
  const { findManifest, mustBeFinished } = await import('./manifest.js');
  const { madeAt, installation } = mustBeFinished(directory, findManifest(directory));
  if (installation !== findInstallationId(ctx.db))
    throw refused('not_a_snapshot', `${directory} holds a snapshot of another installation.`);
  return { to, madeAt, sentAt: await remember(ctx, 'offsite', madeAt, { to }) };
}

/** Only the newest is of interest: there may be one every minute. */
async function remember(ctx: Context, name: RunName, startedAt: string, result: object): Promise<string> {
  const finishedAt = iso(ctx.clock.now());
  await ctx.writer.write((db) =>
    replaceRun(db, { name, startedAt, finishedAt, result: JSON.stringify(result) }),
  );
  return finishedAt;
}

/** Tells of a copy off this machine that is too old; until the next one, or until it is not too old by the settings and the clock. */
export async function watchCopies(ctx: Context): Promise<{ late: number }> {
  const { madeAt, isLate } = readCopies(ctx).offSite;
  const isKnown = findFailingRun(ctx.db, { name: 'offsite' }) !== undefined;
  if (isLate && !isKnown) {
    const what = madeAt === null ? 'there has never been one' : `the newest dates from ${madeAt}`;
    await rememberFailure(ctx, 'offsite', new Error(what));
  }
  if (!isLate && isKnown) await ctx.writer.write((db) => endFailing(db, { name: 'offsite' }));
  return { late: Number(isLate) };
}
