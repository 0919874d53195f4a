/** Opens the data directory for the one daemon that may work on it, and says in a line why when it cannot. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { runningDaemonPid, takeDaemonLock, type DaemonLock } from '../db/daemon-lock.js';
import { SchemaError } from '../db/migrate.js';
import { databaseTrouble } from '../db/trouble.js';
import { finishSwap } from './backup/swap.js';
import type { Config } from './config.js';
import { openContext, type Context } from './context.js';
import { sweepTemporaryFiles } from './contracts/contract-files.js';
import { logHistory } from './history-log.js';
import type { Metrics } from './metrics.js';
import { paths } from './paths.js';
import { probeContractsDirectory } from './readiness.js';
import { proveKeysReadable } from './secret-file.js';

/** The daemon cannot start; the message is for whoever started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Waiting inside SQLite stops the whole process: another one's lock is waited for in async code (db/writer.ts). */
const LOCK_BLOCKS_MS = 5;

export interface Daemon {
  ctx: Context;
  /** Closes everything and lets the next daemon in. */
  close(): Promise<void>;
}

/** Brings the schema up to date. Throws a StartError for what the operator can mend. */
export async function openDaemon(
  config: Config,
  { log, metrics }: { log: Logger; metrics?: Metrics },
): Promise<Daemon> {
  const lock = lockDataDir(config.dataDir);
  try {
    // Under the lock that this process holds already.
    finishSwap(config.dataDir);
    const ctx = openContext(config, {
      log,
      migrate: true,
      busyTimeoutMs: LOCK_BLOCKS_MS,
      ...(metrics && { metrics }),
    });
    try {
      proveKeysReadable(config.dataDir);
      await probeContractsDirectory(config.dataDir);
      const swept = await sweepTemporaryFiles(ctx);
      if (swept > 0) log.info({ files: swept }, 'files that a crash left half written were removed');
    } catch (error) {
      await ctx.close();
      throw error;
    }
    logHistory(ctx);
    return { ctx, close: () => ctx.close().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw explained(error, config);
  }
}

function lockDataDir(dataDir: string): DaemonLock {
  let lock: DaemonLock | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o750 });
    lock = takeDaemonLock(dataDir);
  } catch (error) {
    throw new StartError(`The data directory ${resolve(dataDir)} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  if (lock) return lock;
  const pid = runningDaemonPid(dataDir);
  throw new StartError(
    `Another esignd (process ${pid || 'unknown'}) works on ${resolve(dataDir)}. Stop it, or set ESIGN_DATA_DIR.`,
  );
}

function explained(error: unknown, { dataDir }: Config): unknown {
  if (error instanceof SchemaError) return new StartError(error.message, { cause: error });
  const trouble = databaseTrouble(error);
  if (trouble === 'damaged') {
    return new StartError(
      `${paths.database(dataDir)} is damaged or no database (${messageOf(error)}). Put a backup in its place; nothing was changed.`,
      { cause: error },
    );
  }
  if (trouble === 'busy') {
    return new StartError(`${paths.database(dataDir)} is locked by another process. Try again in a moment.`, {
      cause: error,
    });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (trouble || /^E[A-Z]+$/.test(code)) {
    return new StartError(`The data directory ${resolve(dataDir)} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  }
  return error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
