/**
 * One daemon per data directory. The lock is an exclusive transaction on a side database, so it ends with its
 * process, even by kill -9. A file beside it holds the process id, for messages and the command line.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf } from '../caught.js';

export interface DaemonLock {
  release(): void;
}

const LOCK_FILE = 'esignd.lock';
const PID_FILE = 'esignd.pid';
const ASKING_MS_MAX = 250;

/** Takes the lock, or returns undefined when another daemon holds it. */
export function takeDaemonLock(dataDir: string): DaemonLock | undefined {
  // A command that asks for the daemon holds the lock for a moment.
  const lock = lockedSideDatabase(join(dataDir, LOCK_FILE), ASKING_MS_MAX);
  if (!lock) return undefined;
  const pidFile = join(dataDir, PID_FILE);
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    release() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** The process id of the daemon that works on this data directory now, or undefined when none does. */
export function runningDaemonPid(dataDir: string): number | undefined {
  const lock = lockedSideDatabase(join(dataDir, LOCK_FILE), 0);
  if (lock) {
    lock.close();
    return undefined;
  }
  try {
    return Number(readFileSync(join(dataDir, PID_FILE), 'utf8')) || 0;
  } catch {
    return 0;
  }
}

/** Locked until it is closed or its process ends; undefined when another process holds it. */
export function lockedSideDatabase(file: string, waitMs: number): Database.Database | undefined {
  const side = new Database(file, { timeout: waitMs });
  try {
    side.exec('BEGIN EXCLUSIVE');
    return side;
  } catch (error) {
    side.close();
    if (codeOf(error).startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}
