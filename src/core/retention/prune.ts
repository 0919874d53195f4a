/**
 * Retention (rules 5), every night: removes old data in portions that block nobody, folds the write-ahead log into
 * the database and refreshes the query planner's statistics. History, contracts and PDFs stay for good.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  countPrunable,
  prune as prunePortion,
  PRUNABLE,
  type Prunable,
  countOldJobs,
  deleteOldJobs,
  nextStretch,
} from '../../db/installation/prune.js';
import { insertRun } from '../../db/installation/runs.js';
import { addDays, addMs, iso, HOUR_MS } from '../clock.js';
import type { Context } from '../context.js';
import { leftExports, removeExports } from '../evidence/download.js';
import { erasedFiles } from '../personal-data/erased-files.js';
import { findLeftFiles, removeLeftFiles } from '../contracts/contract-files.js';
import { change, type Try } from '../change.js';
import { foldLog } from './fold-log.js';
import { letOthersWrite } from './let-others-write.js';

/** How many of each were removed (`inboxBodies`: emptied). `files`: PDFs and archives that a crash left behind, and PDFs of erased people. */
export type PrunedCounts = Record<'jobs' | Prunable | 'files', number>;

/** `folded`: whether the whole write-ahead log is now in the database file. */
export type Pruned = PrunedCounts & { folded: boolean };

/** How long each is kept after it has ended. 0: it is removed when it expires. */
const KEPT: Record<'jobs' | Prunable, { days: number } | { ms: number }> = {
  jobs: { days: 30 },
  // The provider repeats a delivery for four days; people ask about it later.
  inboxBodies: { days: 90 },
  deliveries: { days: 30 },
  refreshTokens: { ms: 0 },
  // Who follows an old link reads why it no longer works.
  passwordLinks: { days: 30 },
  sessions: { ms: 0 },
  idempotencyKeys: { ms: 0 },
  userCalls: { ms: HOUR_MS },
  runs: { days: 90 },
};

/** Small, so that other writers hardly wait. */
const PORTION = 500;

/** Removes old data, or only counts it with `dryRun`. An abort takes effect after the current portion. */
export async function prune(
  ctx: Context,
  { actor, reason, dryRun = false, signal }: Try & { signal?: AbortSignal },
): Promise<Pruned> {
  const startedAt = iso(ctx.clock.now());
  const pruned: Partial<PrunedCounts> = { jobs: await pruneJobs(ctx, { dryRun, signal }) };
  for (const what of PRUNABLE) {
    const before = keptFrom(what, ctx.clock.now());
    pruned[what] = dryRun ? countPrunable(ctx.db, what, before) : await pruneAll(ctx, what, before, signal);
  }
  const { dataDir } = ctx.config;
  const left = [...(await findLeftFiles(dataDir, ctx.holder)), ...(await erasedFiles(ctx))];
  const archives = await leftExports(ctx);
  if (!dryRun) await removeLeftFiles(dataDir, left);
  if (!dryRun) await removeExports(archives);
  const result = { ...pruned, files: left.length + archives.length } as PrunedCounts;
  if (dryRun) return { ...result, folded: true };
  await ctx.writer.write((db) => void db.raw.pragma('optimize'));
  const folded = await foldLog(ctx.db);
  if (!folded) ctx.log.warn('the write-ahead log stays, because a program keeps reading the database');
  await change(ctx, { actor, reason }, (tx) => {
    insertRun(tx.db, { name: 'housekeeping', startedAt, finishedAt: tx.now, result: JSON.stringify(result) });
    const isWorthTelling = actor.kind !== 'system' || Object.values(result).some((count) => count > 0);
    if (isWorthTelling) tx.record('data.pruned', null, { ...result, reason: tx.reason });
  });
  return { ...result, folded };
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
    await nextTurn();
    // A stretch without anything to delete needs no lock.
    const isIdle = dryRun || count === 0;
    sum += isIdle ? count : await ctx.writer.write((db) => deleteOldJobs(db, old));
    if (isIdle) continue;
    await letOthersWrite(ctx.db);
  }
}
