/** Opens the data directory for the one daemon that may work on it, or says in one line why it cannot. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Log } from '../log/log.js';
import { codeOf, messageOf } from '../../db/caught.js';
import { runningDaemonPid, takeDaemonLock, type DaemonLock } from '../../db/installation/daemon-lock.js';
import { SchemaError } from '../../db/migrate.js';
import { databaseTrouble } from '../../db/installation/installation.js';
import { finishSwap, isSwapBegun } from '../backup/swap.js';
import { adviceText, command, writerOf } from '../commands.js';
import { isAppError, withHint } from '../errors.js';
import type { Config } from '../settings/config.js';
import type { WaysOut, Context } from '../context.js';
import { openContext, type OpenContext } from '../open-context.js';
import { sweepTemporaryFiles } from '../contracts/contract-files.js';
import type { Metrics } from '../status/metrics.js';
import { hasDataWithoutDatabase } from './init.js';
import { hasDatabase, paths } from './paths.js';
import { probeContractsDirectory } from '../status/readiness.js';
import { proveKeysReadable } from './secret-file.js';
import { HISTORY_TOPIC, listHistoryAfter, newestHistoryId } from '../../db/history/history.js';

/** The daemon cannot start; the message is for the person or program that started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The data directory holds no database, and none may be made, or another installation's: the data is elsewhere, or lost. */
export class WrongDataError extends StartError {}

/** Waiting inside SQLite blocks the whole process, so db/writer.ts waits for other processes' locks asynchronously. */
const LOCK_BLOCKS_MS = 5;

export interface Daemon {
  ctx: OpenContext;
  /** Closes everything and lets the next daemon in. */
  close(): Promise<void>;
}

/**
 * Brings the schema up to date. Throws a StartError for what the operator can fix; a WrongDataError for another
 * installation's database, and where there is none although there must be one: with `mustExist`, and beside contracts.
 */
export async function openDaemon(
  config: Config,
  {
    log,
    metrics,
    mustExist = false,
    ...waysOut
  }: { log: Log; metrics?: Metrics; mustExist?: boolean } & WaysOut,
): Promise<Daemon> {
  refuseNoDatabase(config, mustExist);
  const lock = lockDataDir(config.dataDir);
  try {
    // This process already holds the lock.
    finishSwap(config.dataDir);
    const ctx = openContext(config, {
      log,
      role: 'daemon',
      migrate: true,
      busyTimeoutMs: LOCK_BLOCKS_MS,
      ...(metrics && { metrics }),
      ...waysOut,
    });
    try {
      proveKeysReadable(config.dataDir);
      await probeContractsDirectory(config.dataDir);
      const swept = await sweepTemporaryFiles(config.dataDir, ctx.holder);
      if (swept > 0) log.info({ files: swept }, 'files that a crash left half written were removed');
    } catch (error) {
      await ctx.close();
      throw error;
    }
    logHistory(ctx);
    lock.tellFiles(ctx.files.ids);
    const close = () => {
      lock.untellFiles();
      return ctx.close().finally(() => lock.release());
    };
    return { ctx, close };
  } catch (error) {
    lock.release();
    throw explained(error, config);
  }
}

function refuseNoDatabase(config: Config, mustExist: boolean): void {
  const { dataDir } = config;
  const isThere = hasDatabase(dataDir) || isSwapBegun(dataDir);
  if (isThere || (!mustExist && !hasDataWithoutDatabase(dataDir))) return;
  const write = writerOf(config);
  throw new WrongDataError(
    `There is no database in ${resolve(dataDir)}. Is its file system mounted? If the data is lost: ${write(command('restore', 'FILE'))}. ` +
      `If this is a new installation: ${write(command('init'))}.`,
  );
}

function lockDataDir(dataDir: string): DaemonLock {
  let lock: DaemonLock | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o750 });
    lock = takeDaemonLock(dataDir);
  } catch (error) {
    throw unusable(dataDir, error);
  }
  if (lock) return lock;
  const pid = runningDaemonPid(dataDir);
  throw new StartError(
    `Another esignd (process ${pid || 'unknown'}) works on ${resolve(dataDir)}. Stop it, or set ESIGN_DATA_DIR.`,
  );
}

function explained(error: unknown, config: Config): unknown {
  const { dataDir } = config;
  const startError = (message: string) => new StartError(message, { cause: error });
  if (isAppError(error, 'other_installation'))
    return new WrongDataError(adviceText(withHint(error), writerOf(config)), { cause: error });
  if (error instanceof SchemaError) return startError(error.message);
  const file = paths.database(dataDir);
  const trouble = databaseTrouble(error);
  if (trouble === 'busy') return startError(`${file} is locked by another process. Try again in a moment.`);
  if (trouble === 'damaged') {
    const what = `${file} is damaged or no database (${messageOf(error)})`;
    return startError(`${what}. Put a backup in its place; nothing was changed.`);
  }
  return trouble || /^E[A-Z]+$/.test(codeOf(error)) ? unusable(dataDir, error) : error;
}

function unusable(dataDir: string, cause: unknown): StartError {
  return new StartError(`The data directory ${resolve(dataDir)} cannot be used: ${messageOf(cause)}.`, {
    cause,
  });
}

// Copies the history into the log once it is on disk, whichever process wrote it.

const LINES_A_TURN = 200;

/** Logs what is committed from now on, in order and with ids only; actor and details stay in the history. */
export function logHistory({ db, writer, log }: Pick<Context, 'db' | 'writer' | 'log'>): void {
  let last = newestHistoryId(db);
  const tellNext = () => {
    const entries = listHistoryAfter(db, { id: last, limit: LINES_A_TURN });
    for (const { id, what, requestId, contractId } of entries) {
      last = id;
      log.info(
        { historyId: id, requestId: requestId ?? undefined, contractId: contractId ?? undefined },
        what,
      );
    }
    // A run over many contracts must not block calls.
    if (entries.length === LINES_A_TURN) setImmediate(tell);
  };
  const tell = () => {
    if (!db.raw.open) return;
    try {
      if (log.isLevelEnabled('info')) tellNext();
      else last = newestHistoryId(db);
    } catch (error) {
      // A log that lags behind must not end the daemon; the next commit tries again.
      log.error({ err: error }, 'the history could not be read for the log');
    }
  };
  writer.onCommit(HISTORY_TOPIC, tell);
}
