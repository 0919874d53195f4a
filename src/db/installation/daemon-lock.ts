/**
 * One daemon per data directory. The lock is an exclusive transaction on a side database, so it ends with its
 * process, even by kill -9. A file beside it holds the process id, for messages and the command line.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf } from '../caught.js';
import type { FileIds } from '../own-process.js';

export interface DaemonLock {
  /** Tells commands which files the daemon has open. */
  tellFiles(ids: FileIds): void;
  /** To be called before they are closed, which removes some of them. */
  untellFiles(): void;
  release(): void;
}

const LOCK_FILE = 'esignd.lock';
const PID_FILE = 'esignd.pid';
const FILES_FILE = 'esignd.files';
const ASKING_MS_MAX = 250;

/** Takes the lock, or returns undefined when another daemon holds it. */
export function takeDaemonLock(dataDir: string): DaemonLock | undefined {
  // A command that asks for the daemon holds the lock for a moment.
  const lock = lockedSideDatabase(join(dataDir, LOCK_FILE), ASKING_MS_MAX);
  if (!lock) return undefined;
  const pidFile = join(dataDir, PID_FILE);
  const filesFile = join(dataDir, FILES_FILE);
  const untellFiles = () => rmSync(filesFile, { force: true });
  // One that was killed has left its own.
  untellFiles();
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    tellFiles: (ids) => writeFileSync(filesFile, `${ids.join(' ')}\n`),
    untellFiles,
    release() {
      untellFiles();
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

/** The files that the daemon has open, or had when it was killed. */
export function daemonFiles(dataDir: string): FileIds | undefined {
  try {
    return readFileSync(join(dataDir, FILES_FILE), 'utf8').trimEnd().split(' ');
  } catch {
    return undefined;
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
