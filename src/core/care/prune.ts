/**
 * The nightly care: what has served its time goes, in portions that hold nobody up; the write-ahead log is folded into
 * the database, and the planner hears what the tables look like now. History, contracts and PDFs stay for good.
 */
import { areRequestCountsRight, recountRequests } from '../../db/count-check.js';
import { countPrunable, prune as prunePortion, PRUNABLE, type Prunable } from '../../db/prune.js';
import { countOldJobs, deleteOldJobs, nextStretch } from '../../db/prune-jobs.js';
import { insertRun } from '../../db/runs.js';
import type { Actor } from '../actor.js';
import { addDays, addMs, iso } from '../clock.js';
import type { Context } from '../context.js';
import { findLeftFiles, removeLeftFiles } from '../contracts/contract-files.js';
import { record } from '../history.js';
import { letOthersWrite } from '../let-others-write.js';

/** How many of each were removed; of `inboxBodies`, emptied. `files`: PDFs that a crash left half written. */
export type Pruned = Record<'jobs' | Prunable | 'files', number>;

const HOUR_MS = 3_600_000;

/** How long each is kept after it has ended. What carries its own end goes with it. */
const KEPT: Record<'jobs' | Prunable, { days: number } | { ms: number }> = {
  jobs: { days: 30 },
  // The provider repeats a delivery for four days; people ask later.
  inboxBodies: { days: 90 },
  deliveries: { days: 30 },
  refreshTokens: { ms: 0 },
  sessions: { ms: 0 },
  idempotencyKeys: { ms: 0 },
  userCalls: { ms: HOUR_MS },
  runs: { days: 90 },
};

/** Short locks; another process that writes meanwhile hardly waits. */
const PORTION = 500;

export interface PruneOptions {
  actor: Actor;
  /** Why a person runs it; kept in the history. */
  reason?: string | undefined;
  dryRun?: boolean;
  signal?: AbortSignal;
}

/** Takes away what is old, or with `dryRun` only counts it. An aborted one ends after the portion under way. */
export async function prune(
  ctx: Context,
  { actor, reason, dryRun = false, signal }: PruneOptions,
): Promise<Pruned> {
  const startedAt = iso(ctx.clock.now());
  const pruned: Partial<Pruned> = { jobs: await pruneJobs(ctx, { dryRun, signal }) };
  for (const what of PRUNABLE) {
    const before = keptFrom(what, ctx.clock.now());
    pruned[what] = dryRun ? countPrunable(ctx.db, what, before) : await pruneAll(ctx, what, before, signal);
  }
  const left = await findLeftFiles(ctx);
  if (!dryRun) await removeLeftFiles(ctx, left);
  const result = { ...pruned, files: left.length } as Pruned;
  if (dryRun) return result;
  await tidy(ctx);
  await ctx.writer.write((db) => {
    const finishedAt = iso(ctx.clock.now());
    insertRun(db, { name: 'care', startedAt, finishedAt, result: JSON.stringify(result) });
    if (actor.kind === 'system') return;
    const detail = { ...result, ...(reason && { reason }) };
    record(db, { at: finishedAt, actor, what: 'data.pruned', requestId: null, detail });
  });
  return result;
}

function keptFrom(what: keyof typeof KEPT, now: Date): string {
  const kept = KEPT[what];
  return iso('days' in kept ? addDays(now, -kept.days) : addMs(now, -kept.ms));
}

async function pruneAll(
  ctx: Context,
  what: Prunable,
  before: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let sum = 0; ;) {
    signal?.throwIfAborted();
    const count = await ctx.writer.write((db) => prunePortion(db, what, { before, limit: PORTION }));
    sum += count;
    if (count < PORTION) return sum;
    await letOthersWrite(ctx.db);
  }
}

async function pruneJobs(
  ctx: Context,
  { dryRun, signal }: { dryRun: boolean; signal: AbortSignal | undefined },
): Promise<number> {
  const before = keptFrom('jobs', ctx.clock.now());
  for (let sum = 0, after = 0; ;) {
    signal?.throwIfAborted();
    const stretch = nextStretch(ctx.db, { after, before, limit: PORTION });
    if (!stretch) return sum;
    after = stretch.upTo;
    const old = { ...stretch, before };
    const count = countOldJobs(ctx.db, old);
    // A stretch of failed ones is worth no lock.
    sum += dryRun || count === 0 ? count : await ctx.writer.write((db) => deleteOldJobs(db, old));
    await letOthersWrite(ctx.db);
  }
}

async function tidy(ctx: Context): Promise<void> {
  await ctx.writer.write((db) => void db.raw.pragma('optimize'));
  if (!areRequestCountsRight(ctx.db)) {
    await ctx.writer.write((db) => {
      // Somebody may have written between the two sums.
      if (!areRequestCountsRight(db)) recountRequests(db);
    });
  }
  // Where somebody reads or writes at this moment, it folds in what it can and leaves the rest.
  ctx.db.raw.pragma('wal_checkpoint(TRUNCATE)');
}
