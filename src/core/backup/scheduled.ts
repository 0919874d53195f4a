/** Scheduled backups: each run writes one file into the configured directory and keeps only the newest ones. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findInstallationId } from '../../db/installation/installation.js';
import { insertRun } from '../../db/installation/runs.js';
import { writeBackup } from './write-backup.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';

const TIME = /^\d{8}T\d{6}Z\.tar$/;

/** Throws what `writeBackup` throws; older ones are removed only when the new one is complete. Returns its size in bytes, and how many these are. */
export async function backUpBySchedule(
  ctx: Context,
  { directory, signal }: { directory: string; signal?: AbortSignal },
) {
  // What would be copied is not what was stored, and an older one would go for it.
  const refusal = ctx.writer.refusal();
  if (refusal) throw refusal;
  const startedAt = iso(ctx.clock.now());
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Of one installation name order is time order.
  const prefix = `esign-${findInstallationId(ctx.db)}-`;
  const file = join(directory, `${prefix}${startedAt.slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar`);
  const { dataDir, backupKeep } = ctx.config;
  const { size } = await writeBackup({
    dataDir,
    file,
    clock: ctx.clock,
    // A second run within the same second, as after a crash, replaces the first file.
    force: true,
    ...(signal && { signal }),
  });
  const removed = await removeOld(directory, prefix, backupKeep);
  const result = { file, size, removed };
  const finishedAt = iso(ctx.clock.now());
  await ctx.writer.write((db) =>
    insertRun(db, { name: 'backup', startedAt, finishedAt, result: JSON.stringify(result) }),
  );
  return result;
}

/** Nothing else in the directory is touched: not the backups of another installation either. */
async function removeOld(directory: string, prefix: string, keep: number): Promise<number> {
  const isOurs = (name: string) => name.startsWith(prefix) && TIME.test(name.slice(prefix.length));
  const names = await readdir(directory);
  const ours = names.filter(isOurs).toSorted();
  const old = ours.slice(0, Math.max(0, ours.length - keep));
  // By runs that were killed.
  const left = names.filter((name) => name.startsWith(`.${prefix}`));
  await Promise.all([...old, ...left].map((name) => rm(join(directory, name), { force: true })));
  return old.length;
}
