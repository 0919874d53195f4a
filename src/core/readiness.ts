/** Whether the daemon can do its work: asked by whoever sends it traffic. */
import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isWritable } from '../db/probe.js';
import type { Context } from './context.js';
import { paths } from './paths.js';

export type ReadinessPart = 'database' | 'contracts' | 'jobs';

/** What is not ready; nothing is written to find out. */
export async function listUnready(ctx: Context): Promise<ReadinessPart[]> {
  const isReady: Record<ReadinessPart, boolean> = {
    database: isWritable(ctx.db),
    contracts: await isDirectoryWritable(paths.contracts(ctx.config.dataDir)),
    jobs: ctx.jobs.isRunning,
  };
  return (Object.keys(isReady) as ReadinessPart[]).filter((part) => !isReady[part]);
}

async function isDirectoryWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Writes and removes a file where the signed contracts go; throws the system's error. Before the daemon starts. */
export async function probeContractsDirectory(dataDir: string): Promise<void> {
  const probe = join(paths.contracts(dataDir), `.probe-${process.pid}`);
  await writeFile(probe, 'probe');
  await rm(probe);
}
